#include "conclave/guardian/leash.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace conclave::guardian {

std::int64_t Leash::lateness() const {
    return std::max(late_ns[guardian].load(), late_ns[init].load());
}

std::int64_t Leash::margin() const {
    return std::max(least_ns.load(), std::min(2 * lateness(), most_ns.load()));
}

Leash* make_leash() {
    void* page =
        mmap(nullptr, sizeof(Leash), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? nullptr : new (page) Leash;
}

std::int64_t Lateness::note(std::int64_t due_ns, std::int64_t now_ns) {
    if (now_ns - since_ > span_ns) {
        before_ = now_ns - since_ > 2 * span_ns ? 0 : recent_;
        recent_ = 0;
        since_ = now_ns;
    }
    recent_ = std::max(recent_, now_ns - due_ns);
    return std::max(recent_, before_);
}

}  // namespace conclave::guardian
