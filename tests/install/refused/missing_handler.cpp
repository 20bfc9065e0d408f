// refused: Algorithm<Deaf>|Algorithm<conclave::Deaf>
#include "conclave/core/algorithm.hpp"

namespace conclave {

struct Deaf {
    static constexpr Card card{"deaf", "no paper", Network::full, Links::any, "", ""};
    struct Hello {};
    using Turn = conclave::Turn<Types<Hello>>;
    void on(Start, Turn& turn) { turn.broadcast(Hello{}); }
#ifdef MENDED
    void on(Hello, Turn&) {}
#endif
};
static_assert(Algorithm<Deaf>);

}  // namespace conclave
