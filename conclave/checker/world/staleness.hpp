// Messages under way that can no longer do anything, whatever happens: to forget them changes no
// behaviour, and halves the worlds for each of them.
//
// Only the algorithm can know; it says so by stale(message, from, for_good), where `for_good` means
// that the node will neither crash nor suffer anything else any more. `stale_rules` are those of
// its rules without which that is not true.
#pragma once

#include "conclave/checker/world/shared.hpp"

namespace conclave::checker {

template <class A>
class Staleness {
public:
    static constexpr bool known =
        requires(const A& a, const typename A::Turn::Message& m) { a.stale(m, Id{}, false); };

    explicit Staleness(Shared<A>& shared) : shared_(shared) {}

    // May it be asked, with these rules of the algorithm switched off?
    static bool reliable(std::uint64_t rules_off) {
        if constexpr (known) return (rules_off & A::stale_rules) == 0;
        return false;
    }

    // The link's contents without messages that are stale at its end.
    std::uint32_t forget([[maybe_unused]] std::uint32_t mail, [[maybe_unused]] std::uint8_t from,
                         [[maybe_unused]] std::uint32_t local, [[maybe_unused]] bool for_good) {
        if constexpr (known) {
            const std::uint64_t question = std::uint64_t{mail} << 35 | std::uint64_t{from} << 29 |
                                           std::uint64_t{local} << 1 | for_good;
            const std::uint32_t remembered = memo_.find(question);
            if (remembered != Memo::unknown) return remembered;
            check(mail < (1u << 29), "at most 2^29 different contents of a link");
            const Local<A>& node = shared_.parts.locals[local];
            Mail left = shared_.mails[mail];
            std::erase_if(left.parcels, [&](const Parcel& parcel) {
                return node.algorithm.stale(shared_.parts.messages[parcel.message],
                                            shared_.ring[from], for_good && node.life == Life::up);
            });
            const std::uint32_t number = shared_.mails.intern(left);
            memo_.put(question, number);
            return number;
        } else {
            return mail;
        }
    }

private:
    Shared<A>& shared_;
    Memo memo_;
};

}  // namespace conclave::checker
