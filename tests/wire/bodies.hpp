// Every message that leaves a process, once, each field with a value of its own.
#pragma once

#include <string>

#include "conclave/agent/group/presence.hpp"
#include "conclave/election/deployed.hpp"
#include "conclave/lease/leased.hpp"
#include "conclave/wire/body.hpp"
#include "conclave/wire/replay.hpp"

namespace conclave::wire {

// Fills fields with 1, 2, 3 ...
class Filler {
public:
    void fill(bool& value) { value = true; }
    template <Number T>
    void fill(T& value) {
        value = static_cast<T>(++count_);
    }
    void fill(Duration& value) { value = Duration{++count_}; }
    void fill(std::string& letters) { letters = "s" + std::to_string(++count_); }
    template <class T>
    void fill(std::vector<T>& list) {
        list.resize(2);
        for (T& element : list) fill(element);
    }
    template <class T, std::size_t N>
    void fill(std::array<T, N>& list) {
        for (T& element : list) fill(element);
    }
    template <Plain T>
    void fill(T& value) {
        std::apply([&](auto&... field) { (fill(field), ...); }, fields(value));
    }

private:
    int count_ = 0;
};

template <class Message>
Message filled() {
    Message message{};
    Filler().fill(message);
    return message;
}

// visit.operator()<Message>(name) for each that has a tag.
template <class Visit>
void for_each_body(Visit visit) {
    const auto visit_all = [&](const std::string& family, auto messages) {
        messages.for_each([&]<class Message>() {
            visit.template operator()<Message>(family + " " + std::string(type_name<Message>()));
        });
    };
    using Lease = Types<lease::Ask, lease::Promise, lease::Refusal, lease::Release, lease::Census,
                        lease::Entry>;
    visit_all("lease", Lease{});
    visit_all("agent", agent::AgentMessages{});
    DeployedAlgorithms::for_each([&]<class A>() {
        visit_all(std::string(A::card.name), typename A::Turn::Messages{});
        // No message of the lease is forgotten above.
        static_assert(lease::Leased<A>::Turn::Messages::count ==
                      A::Turn::Messages::count + Lease::count);
    });
}

}  // namespace conclave::wire
