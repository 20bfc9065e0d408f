// A node inside a C++ program: the program leads, or somebody else does.
//
//     conclave::Elector elector({{"group", "jobs"}, {"expect", "3"}});
//     ...
//     if (const auto now = elector.leadership(); now.leads) write(data, now.token, now.deadline);
//
// The settings are the words of conclave run. A thread of its own does the rest; several electors
// in one process do not know of each other. What conclave run adds, and a library cannot, is a
// guardian that ends the work in time: here the program itself must have stopped by the deadline,
// or must let whatever it writes to refuse an old token.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "conclave/core/time.hpp"

namespace conclave {

struct Leadership {
    bool leads = false;       // this program may act, until
    Time deadline{};          // on CLOCK_BOOTTIME; it moves on while the lease is renewed
    std::uint64_t token = 0;  // greater than that of all who led before
    std::string leader{};     // whoever leads, as far as known; empty: nobody

    bool operator==(const Leadership&) const = default;
};

class Elector {
public:
    using Settings = std::vector<std::pair<std::string, std::string>>;
    // Called on the elector's thread when this program begins or ceases to lead, or the leader is
    // another. When it ceases, nobody else leads before this has returned, unless the deadline
    // passes: so this is where the work is stopped. It must not destroy the elector.
    using Changed = std::function<void(const Leadership&)>;

    // A sentence with the setting, its value and the remedy.
    struct Refusal : std::runtime_error {
        using std::runtime_error::runtime_error;
    };

    // Starts. Throws a Refusal.
    explicit Elector(const Settings& settings, Changed changed = {});
    ~Elector();  // hands over
    Elector(const Elector&) = delete;
    Elector& operator=(const Elector&) = delete;

    // As of now: a deadline that has passed is no leadership.
    Leadership leadership() const;
    // Readable when there is news since the last take_news().
    int fd() const;
    Leadership take_news();
    // Hand over, to `heir` or whoever is best, and stay. Empty, or why not.
    std::string resign(const std::string& heir = {});
    // Why it ended by itself, if it did: another node bears its name, for example.
    std::string failure() const;

private:
    struct Body;
    std::unique_ptr<Body> body_;
};

}  // namespace conclave
