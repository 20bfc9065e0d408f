// refused: every_row_can_fire
#include "conclave/core/table.hpp"

namespace conclave {

struct Lamp {
    struct Press {};
    using Turn = conclave::Turn<Types<Press>>;
    enum class State : std::uint8_t { off, on } state = State::off;
    bool dark(const Turn&) const { return true; }
};

using enum Lamp::State;
#ifdef MENDED
constexpr std::array<Row<Lamp>, 2> table{
    {{off, 0, &Lamp::dark, nothing, on}, {off, 0, always, nothing, off}}};
#else
constexpr std::array<Row<Lamp>, 2> table{
    {{off, 0, always, nothing, off}, {off, 0, &Lamp::dark, nothing, on}}};
#endif
static_assert(every_row_can_fire(table));

}  // namespace conclave
