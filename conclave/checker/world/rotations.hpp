// Where nobody looks at names, a ring that is turned is the same ring: of all worlds that differ by
// a rotation one stands for the others. An algorithm says `anonymous = true` if no decision of its
// own depends on an id or a rank; ids that it only hands on are renamed with the rotation.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/checker/world/draft.hpp"

namespace conclave::checker {

template <class A>
class Rotations {
public:
    explicit Rotations(Shared<A>& shared) : shared_(shared), nodes_(shared.ring.size()) {
        if constexpr (applies)
            for (std::size_t by = 1; by < nodes_; ++by)
                if (keeps_roles(by)) turns_.push_back(by);
    }

    bool exist() const { return !turns_.empty(); }

    // In `whole` only nodes and links are written: the rest of a world is the same however turned.
    std::uint64_t stand_in(const Draft<A>& draft, const std::uint32_t* world,
                           std::uint32_t* whole) {
        std::uint64_t least = 0;
        const std::size_t by = best(draft, world, least);
        if (whole == nullptr) return least;
        std::copy(world, world + nodes_ + shared_.links.size(), whole);
        if (by != 0)
            turn(world, by, [&](std::size_t slot, std::uint32_t part) { whole[slot] = part; });
        return least;
    }

    // The position that the rotation of the canonical world puts first.
    std::size_t front(const Draft<A>& draft, const std::uint32_t* world) {
        std::uint64_t least = 0;
        return exist() ? (nodes_ - best(draft, world, least)) % nodes_ : 0;
    }

private:
    static constexpr bool applies = [] {
        if constexpr (requires { A::anonymous; })
            return A::anonymous && A::card.network != Network::full &&
                   A::card.network != Network::graph;
        else
            return false;
    }();

    // Nodes that call, come late or may be called are told apart by that.
    bool keeps_roles(std::size_t by) const {
        const Query& query = shared_.query;
        for (const std::vector<Id>* list : {&query.initiators, &query.late, &query.callers})
            for (std::size_t at = 0; at < nodes_; ++at) {
                const Id here = shared_.ring[at], there = shared_.ring[(at + by) % nodes_];
                if (std::count(list->begin(), list->end(), here) !=
                    std::count(list->begin(), list->end(), there))
                    return false;
            }
        return true;
    }

    // The rotation with the least fingerprint.
    std::size_t best(const Draft<A>& draft, const std::uint32_t* world, std::uint64_t& least) {
        least = draft.print_of(world);
        std::size_t chosen = 0;
        const std::uint64_t plain = least;
        for (const std::size_t by : turns_) {
            std::uint64_t print = plain;
            turn(world, by, [&](std::size_t slot, std::uint32_t part) {
                print ^= draft.slot_print(slot, world[slot]) ^ draft.slot_print(slot, part);
            });
            if (print >= least) continue;
            least = print;
            chosen = by;
        }
        return chosen;
    }

    template <class Put>
    void turn(const std::uint32_t* world, std::size_t by, const Put& put) {
        for (std::size_t at = 0; at < nodes_; ++at)
            put((at + by) % nodes_, renamed_local(world[at], by));
        for (std::size_t link = 0; link < shared_.links.size(); ++link) {
            const auto [from, to] = shared_.links[link];
            put(nodes_ + shared_.link_of[(from + by) % nodes_][(to + by) % nodes_],
                renamed_mail(world[nodes_ + link], by));
        }
    }

    std::uint32_t renamed_local(std::uint32_t part, std::size_t by) {
        return memoised(locals_, part, by, [&] {
            Local<A> node = shared_.parts.locals[part];
            if constexpr (applies) {
                rename(node.algorithm, by);
                rename(node.stored, by);
            }
            rename(node.leader, by);
            node.news = turned(node.news, by);
            node.doubted = turned(node.doubted, by);
            return shared_.parts.locals.intern(node);
        });
    }
    std::uint32_t renamed_mail(std::uint32_t part, std::size_t by) {
        return memoised(mails_, part, by, [&] {
            Mail mail = shared_.mails[part];
            for (Parcel& parcel : mail.parcels) {
                auto message = shared_.parts.messages[parcel.message];
                if constexpr (applies) rename(message, by);
                parcel.message = shared_.parts.messages.intern(message);
            }
            if (!shared_.fifo)
                std::sort(mail.parcels.begin(), mail.parcels.end(),
                          [](const Parcel& a, const Parcel& b) {
                              return a.message != b.message ? a.message < b.message : a.age > b.age;
                          });
            return shared_.mails.intern(mail);
        });
    }
    template <class Work>
    static std::uint32_t memoised(Memo& memo, std::uint32_t part, std::size_t by,
                                  const Work& work) {
        const std::uint64_t question = std::uint64_t{part} << 8 | by;
        std::uint32_t answer = memo.find(question);
        if (answer == Memo::unknown) memo.put(question, answer = work());
        return answer;
    }

    std::uint64_t turned(std::uint64_t bits, std::size_t by) const {
        std::uint64_t result = 0;
        for (std::size_t at = 0; at < nodes_; ++at)
            if ((bits >> at & 1) != 0) result |= std::uint64_t{1} << (at + by) % nodes_;
        return result;
    }

    // Every id within a value.
    template <class T>
    void rename(T& value, std::size_t by) const {
        static_assert(!std::is_same_v<T, Rank>, "who compares ranks is not anonymous");
        if constexpr (std::is_same_v<T, Id>) {
            if (shared_.group.contains(value))
                value = shared_.ring[(shared_.group.position(value) + by) % nodes_];
        } else if constexpr (Plain<T>) {
            std::apply([&](auto&... field) { (rename(field, by), ...); }, fields(value));
        } else if constexpr (requires { std::variant_size<T>::value; }) {
            std::visit([&](auto& chosen) { rename(chosen, by); }, value);
        } else if constexpr (requires { value.begin(); }) {
            for (auto& element : value) rename(element, by);
        }
    }

    Shared<A>& shared_;
    std::size_t nodes_;
    std::vector<std::size_t> turns_;  // those that change nobody's role
    Memo locals_, mails_;
};

}  // namespace conclave::checker
