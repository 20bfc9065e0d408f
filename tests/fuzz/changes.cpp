// Any text is refused, or is a plan whose steps can be applied to a roster.
#include "conclave/core/check.hpp"
#include "conclave/member/membership.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    member::Changes changes;
    if (!changes.parse(text)) return 0;
    check(changes.after(0) != nullptr && changes.greatest() <= 16, "a plan has steps");
    lease::Roster roster{.members = {{Id{1}, 1}, {Id{2}, 1}}};
    for (std::uint32_t i = 0; changes.after(i) != nullptr; ++i)
        for (const auto& change : *changes.after(i)) {
            if (change.obstacle(roster) != member::RosterChange::Obstacle::none) continue;
            for (const auto& seat : change.apply(roster, 1).members)
                check(seat.member != nobody, "a member has a number");
        }
    return 0;
}
