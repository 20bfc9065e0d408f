// refused: more than sixteen fields
#include "conclave/core/fields.hpp"

namespace conclave {

struct Many {
    int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p;
#ifndef MENDED
    int q;
#endif
};

bool same(const Many& one, const Many& other) { return one == other; }

}  // namespace conclave
