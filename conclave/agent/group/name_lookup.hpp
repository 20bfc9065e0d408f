// Looks up host names beside the loop: a name service that does not answer stops no heartbeat.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conclave/net/address.hpp"
#include "conclave/net/loop.hpp"

namespace conclave::agent {

class NameLookup {
public:
    // The first address of that family; nothing: the name is not known, or nobody answered.
    using Found = std::function<void(const std::string& host, std::optional<net::Address> address)>;

    // The loop outlives it.
    NameLookup(net::Loop& loop, net::Family family, Found found);
    // Does not wait for a name service, which may take half a minute: what is under way ends by
    // itself, unheard. Its thread touches nothing but its own copies and `Answers`, which it owns
    // a share of, so it may outlive this object and the loop.
    ~NameLookup();
    NameLookup(const NameLookup&) = delete;
    NameLookup& operator=(const NameLookup&) = delete;

    // Answered later, never from within. A name that is being looked up is not begun again.
    void start(const std::string& host);

private:
    struct Answers;
    void hear();

    net::Loop& loop_;
    net::Family family_;
    Found found_;
    std::shared_ptr<Answers> answers_;  // shared with the threads that look up
    std::vector<std::string> under_way_{};
};

}  // namespace conclave::agent
