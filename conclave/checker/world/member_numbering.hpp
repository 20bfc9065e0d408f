// Rounds and numbers of asks of whole members, counted from one again.
//
// Rounds are compared and the greatest that a member knows is raised by one, so all of a world are
// moved by the same amount. Of the asks of one ballot only the order counts, because its owner
// knows the greatest: they become 1, 2, 3 and so on. A ballot that is only remembered, and is less
// than every one that is asked for, on its way or the greatest that some member knows, could be any
// such: its round becomes 0. A world that is counted anew goes on as it would have gone on before,
// but for its numbers.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "conclave/checker/world/nodes_of.hpp"
#include "conclave/checker/world/numbering.hpp"
#include "conclave/election/bully.hpp"
#include "conclave/member/machine.hpp"

namespace conclave::checker {

using Whole = member::Machine<member::Member<Bully>>;

template <>
class Numbering<Whole> {
public:
    static constexpr bool known = true;

    void close() {
        closed_ = true;
        least_ = least_ == ~std::uint64_t{0} ? 0 : least_ - 1;
        for (auto& [ballot, numbers] : asks_) {
            std::sort(numbers.begin(), numbers.end());
            numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        }
    }
    bool closed() const { return closed_; }
    std::uint32_t token(std::uint32_t token) const {
        return token >> 16 <= least_ ? 0 : token - static_cast<std::uint32_t>(least_ << 16);
    }

    void visit(Local<Whole>& node) {
        Whole& machine = node.algorithm;
        auto& lease = machine.brain.lease;
        auto& candidacy = lease.candidacy;
        std::vector<std::uint32_t*> asked{&candidacy.k, &lease.own};
        for (lease::Asked& each : candidacy.open) asked.push_back(&each.k);
        take(candidacy.ballot, asked);
        for (lease::Record& each : lease.lost.records) take(each.highest);
        take(machine.working);
        know({&lease.voter.highest, &lease.heard, &lease.disk.used});
        recall(candidacy.displaced.highest, {&candidacy.displaced.last});
        recall(lease.voter.highest, {&lease.voter.last});
        recall(lease.heard);
        recall(lease.voter.closed);
        recall(machine.brain.held);
        for (auto* stored : {&lease.disk, &machine.disk, &machine.slow.pending, &node.stored}) {
            know({&stored->highest, &stored->used});
            recall(stored->highest);
            recall(stored->used);
        }
        for (auto& each : machine.slow.said.sends) visit(each.send.message);
    }
    template <class... Ms>
    void visit(std::variant<Ms...>& message) {
        std::visit([&](auto& each) { take_message(each); }, message);
    }

private:
    using Key = std::tuple<std::uint64_t, Id, std::uint32_t>;

    template <class Message>
    void take_message(Message& message) {
        if constexpr (std::is_same_v<Message, lease::Ask> ||
                      std::is_same_v<Message, lease::Promise>)
            take(message.ballot, {&message.k});
        else if constexpr (std::is_same_v<Message, member::Died>)
            take(message.release.ballot);
        else if constexpr (std::is_same_v<Message, lease::Release>)
            take(message.ballot);
        else if constexpr (std::is_same_v<Message, lease::Refusal>)
            take(message.ballot), take(message.known);
        else if constexpr (std::is_same_v<Message, lease::Entry>)
            take(message.highest);
    }
    void take(lease::Ballot& ballot, const std::vector<std::uint32_t*>& asks = {}) {
        know({&ballot});
        recall(ballot, asks);
    }
    // A member stands in a later round than the greatest of these.
    void know(std::initializer_list<const lease::Ballot*> ballots) {
        std::uint64_t greatest = 0;
        for (const lease::Ballot* each : ballots) greatest = std::max(greatest, each->round);
        if (!closed_ && greatest != 0) least_ = std::min(least_, greatest);
    }
    void recall(lease::Ballot& ballot, const std::vector<std::uint32_t*>& asks = {}) {
        if (!ballot.stands()) return;
        const Key key{ballot.round, ballot.member, ballot.nonce};
        if (closed_) {
            ballot.round -= std::min(ballot.round, least_);
            const std::vector<std::uint32_t>& numbers = asks_[key];
            for (std::uint32_t* k : asks)
                if (*k != 0)
                    *k = static_cast<std::uint32_t>(
                        std::lower_bound(numbers.begin(), numbers.end(), *k) - numbers.begin() + 1);
            return;
        }
        for (const std::uint32_t* k : asks)
            if (*k != 0) asks_[key].push_back(*k);
    }

    std::uint64_t least_ = ~std::uint64_t{0};  // round of all; when closed: so much less is each
    std::map<Key, std::vector<std::uint32_t>> asks_;
    bool closed_ = false;
};

}  // namespace conclave::checker
