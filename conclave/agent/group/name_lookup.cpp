#include "conclave/agent/group/name_lookup.hpp"

#include <netdb.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <mutex>
#include <system_error>
#include <thread>

#include "conclave/net/descriptor.hpp"

namespace conclave::agent {

struct NameLookup::Answers {
    struct Answer {
        std::string host;
        std::optional<net::Address> address;
    };
    net::Descriptor ready{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    std::mutex mutex{};
    std::vector<Answer> list{};  // guarded by mutex
};

namespace {

std::optional<net::Address> look_up(const std::string& host, net::Family family) {
    addrinfo wish{};
    wish.ai_family = family == net::Family::ipv4 ? AF_INET : AF_INET6;
    wish.ai_socktype = SOCK_DGRAM;
    addrinfo* list = nullptr;
    if (getaddrinfo(host.c_str(), nullptr, &wish, &list) != 0) return std::nullopt;
    const auto found = list == nullptr ? std::nullopt : net::from_raw(list->ai_addr);
    freeaddrinfo(list);
    return found;
}

}  // namespace

NameLookup::NameLookup(net::Loop& loop, net::Family family, Found found)
    : loop_(loop),
      family_(family),
      found_(std::move(found)),
      answers_(std::make_shared<Answers>()) {
    if (answers_->ready) loop_.watch(answers_->ready.get(), [this] { hear(); });
}

NameLookup::~NameLookup() {
    if (answers_->ready) loop_.forget(answers_->ready.get());
}

void NameLookup::start(const std::string& host) {
    if (std::find(under_way_.begin(), under_way_.end(), host) != under_way_.end()) return;
    const auto ask = [host, family = family_, answers = answers_] {
        const auto address = look_up(host, family);
        const std::lock_guard guard(answers->mutex);
        answers->list.push_back({host, address});
        eventfd_write(answers->ready.get(), 1);
    };
    try {
        std::thread(ask).detach();
    } catch (const std::system_error&) {
        return;  // no thread can be had: the caller asks again while the member is silent
    }
    under_way_.push_back(host);
}

void NameLookup::hear() {
    eventfd_t count = 0;
    eventfd_read(answers_->ready.get(), &count);
    std::vector<Answers::Answer> list;
    {
        const std::lock_guard guard(answers_->mutex);
        list.swap(answers_->list);
    }
    for (const Answers::Answer& each : list) {
        std::erase(under_way_, each.host);
        found_(each.host, each.address);
    }
}

}  // namespace conclave::agent
