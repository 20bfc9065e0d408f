// Messages under way that can no longer do anything, whatever happens: to forget them changes no
// behaviour, and halves the worlds for each of them. Only the algorithm can know which.
#pragma once

#include "conclave/checker/world/nodes.hpp"
#include "conclave/checker/world/shared.hpp"

namespace conclave::checker {

class Staleness {
public:
    Staleness(Shared& shared, const Nodes& nodes)
        : shared_(shared),
          nodes_(nodes),
          known_(nodes.traits().staleness && shared.query.reduce &&
                 (shared.query.rules_off & nodes.traits().stale_rules) == 0) {}

    // May it be asked, with these rules of the algorithm switched off?
    bool known() const { return known_; }

    // The link's contents without messages that are stale at its end.
    std::uint32_t forget(std::uint32_t mail, std::uint8_t from, std::uint32_t local,
                         bool for_good) {
        const std::uint64_t question = std::uint64_t{mail} << 35 | std::uint64_t{from} << 29 |
                                       std::uint64_t{local} << 1 | for_good;
        const std::uint32_t remembered = memo_.find(question);
        if (remembered != Memo::unknown) return remembered;
        check(mail < (1u << 29), "at most 2^29 different contents of a link");
        Mail left = shared_.mails[mail];
        std::erase_if(left.parcels, [&](const Parcel& parcel) {
            return nodes_.is_stale(local, parcel.message, shared_.ring[from], for_good);
        });
        const std::uint32_t number = shared_.mails.intern(left);
        memo_.put(question, number);
        return number;
    }

private:
    Shared& shared_;
    const Nodes& nodes_;
    bool known_;
    Memo memo_;
};

}  // namespace conclave::checker
