// What a node must not forget: who it is, with whom, what it promised and what it claimed.
//
// The file is replaced as a whole, and is on the disk with its folder before write() returns, so
// that after any crash either the former or the new state is there. A file that is damaged, or is
// not ours, is refused with a sentence and never overwritten: a node that forgot a promise without
// knowing it could give it again.
//
// How its folder is opened and whose files are accepted is in state_folder.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "conclave/agent/disk/state_folder.hpp"
#include "conclave/core/bytes.hpp"
#include "conclave/core/tags.hpp"
#include "conclave/core/time.hpp"
#include "conclave/lease/lease_messages.hpp"
#include "conclave/member/done.hpp"

namespace conclave::agent {

struct StoredMember {
    std::string name{};
    std::uint64_t id = 0;
    bool operator==(const StoredMember&) const = default;
};

struct StoredRoster {
    std::uint32_t version = 0;  // 0: not formed yet
    std::uint64_t digest = 0;
    std::vector<StoredMember> members{};  // in the order of their ranks
    bool operator==(const StoredRoster&) const = default;
};

struct State {
    std::string group{}, name{};
    std::uint64_t id = 0;  // random, drawn once
    std::uint32_t incarnation = 0;
    StoredRoster roster{};
    lease::Ballot highest{}, used{};  // for people and for `why`; the algorithm reads `stored`
    Duration lease{};                 // --detect of the life that used `used`
    std::string algorithm{};          // whose `stored` is
    Bytes stored{};
    member::Done done{};  // of the group's command; in format 2
    // In format 3, of a group whose members have changed, and of a node that joins one:
    lease::Roster stamped{};  // as `stored` has it; unknown: they have not changed
    lease::Seal seal{};       // by which its members know each other
    bool removed = false;     // this node is a member no longer
};
bool operator==(const State& a, const State& b);

}  // namespace conclave::agent

template <>
inline constexpr auto conclave::growth_of<conclave::agent::State> =
    std::array{conclave::Growth{1, 10}, conclave::Growth{2, 11}, conclave::Growth{3, 14}};

namespace conclave::agent {

class StateFile {
public:
    struct Missing {};
    struct Refused {
        enum class Why : std::uint8_t { corrupt, foreign, unreadable };
        Why why;
        std::string sentence;
    };
    using Answer = std::variant<State, Missing, Refused>;

    // A file of another group is foreign.
    StateFile(StateFolder folder, std::string name, std::string group)
        : folder_(std::move(folder)), name_(std::move(name)), group_(std::move(group)) {}

    Answer read();
    // Nothing, or a sentence: then the file may hold the former state or the new one, and what
    // depends on the new one must not happen. Refuses until read() has found a state of ours, or
    // none.
    std::optional<std::string> write(const State& state);

    std::string path() const { return folder_.place(name_); }
    // Why a write would fail, as far as can be told without one. Empty: it would not.
    std::string obstacle() const { return folder_.obstacle(); }

private:
    StateFolder folder_;
    std::string name_, group_;
    bool ours_ = false;
};

// The bytes of the file; for tests and fuzzing.
Bytes write_state(const State& state);
StateFile::Answer read_state(Input bytes, const std::string& group, const std::string& path);

}  // namespace conclave::agent
