#include "conclave/checker/world/rotations.hpp"

#include <algorithm>

namespace conclave::checker {

namespace {
template <class Work>
std::uint32_t memoised(Memo& memo, std::uint32_t part, std::size_t by, const Work& work) {
    const std::uint64_t question = std::uint64_t{part} << 8 | by;
    std::uint32_t answer = memo.find(question);
    if (answer == Memo::unknown) memo.put(question, answer = work());
    return answer;
}
}  // namespace

Rotations::Rotations(Shared& shared, Nodes& nodes)
    : shared_(shared), nodes_(nodes), count_(shared.ring.size()) {
    const Network network = shared.card.network;
    if (!nodes.traits().anonymous || network == Network::full || network == Network::graph) return;
    for (std::size_t by = 1; by < count_; ++by)
        if (keeps_roles(by)) turns_.push_back(by);
}

std::uint64_t Rotations::stand_in(const Draft& draft, const std::uint32_t* world,
                                  std::uint32_t* whole) {
    std::uint64_t least = 0;
    const std::size_t by = best(draft, world, least);
    if (whole == nullptr) return least;
    std::copy(world, world + count_ + shared_.links.size(), whole);
    if (by != 0) turn(world, by, [&](std::size_t slot, std::uint32_t part) { whole[slot] = part; });
    return least;
}

std::size_t Rotations::front(const Draft& draft, const std::uint32_t* world) {
    std::uint64_t least = 0;
    return exist() ? (count_ - best(draft, world, least)) % count_ : 0;
}

// Nodes that call, come late or may be called are told apart by that.
bool Rotations::keeps_roles(std::size_t by) const {
    const Query& query = shared_.query;
    for (const std::vector<Id>* list : {&query.initiators, &query.late, &query.callers})
        for (std::size_t at = 0; at < count_; ++at) {
            const Id here = shared_.ring[at], there = shared_.ring[(at + by) % count_];
            if (std::count(list->begin(), list->end(), here) !=
                std::count(list->begin(), list->end(), there))
                return false;
        }
    return true;
}

// The rotation with the least fingerprint.
std::size_t Rotations::best(const Draft& draft, const std::uint32_t* world, std::uint64_t& least) {
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
void Rotations::turn(const std::uint32_t* world, std::size_t by, const Put& put) {
    for (std::size_t at = 0; at < count_; ++at)
        put((at + by) % count_, turned_local(world[at], by));
    for (std::size_t link = 0; link < shared_.links.size(); ++link) {
        const auto [from, to] = shared_.links[link];
        put(count_ + shared_.link_of[(from + by) % count_][(to + by) % count_],
            turned_mail(world[count_ + link], by));
    }
}

std::uint32_t Rotations::turned_local(std::uint32_t part, std::size_t by) {
    return memoised(locals_, part, by, [&] { return nodes_.turn_local(part, by); });
}

std::uint32_t Rotations::turned_mail(std::uint32_t part, std::size_t by) {
    return memoised(mails_, part, by, [&] {
        Mail mail = shared_.mails[part];
        for (Parcel& parcel : mail.parcels)
            parcel.message = nodes_.turn_message(parcel.message, by);
        if (!shared_.fifo)
            std::sort(mail.parcels.begin(), mail.parcels.end(),
                      [](const Parcel& a, const Parcel& b) {
                          return a.message != b.message ? a.message < b.message : a.age > b.age;
                      });
        return shared_.mails.intern(mail);
    });
}

}  // namespace conclave::checker
