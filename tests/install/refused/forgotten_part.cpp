// refused: parts\(\) leaves a field out
#include "conclave/core/fields.hpp"

namespace conclave {

struct Few {
    int a, b;
    static constexpr auto parts(auto& self) {
#ifdef MENDED
        return std::tie(self.a, self.b);
#else
        return std::tie(self.a);
#endif
    }
};

bool same(const Few& one, const Few& other) { return one == other; }

}  // namespace conclave
