// refused: every_state_is_live
#include "conclave/core/table.hpp"

namespace conclave {

struct Lamp {
    struct Press {};
    using Turn = conclave::Turn<Types<Press>>;
    enum class State : std::uint8_t { off, on } state = State::off;
};

using enum Lamp::State;
#ifdef MENDED
constexpr Row<Lamp> way_back{on, 0, always, nothing, off};
#else
constexpr Row<Lamp> way_back{on, 0, always, nothing, on};
#endif
constexpr std::array<Row<Lamp>, 2> table{{{off, 0, always, nothing, on}, way_back}};
static_assert(every_state_is_live(table, off, 2));

}  // namespace conclave
