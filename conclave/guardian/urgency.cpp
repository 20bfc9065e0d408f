#include "conclave/guardian/urgency.hpp"

#include <sys/mman.h>

namespace conclave::guardian {

void Urgency::begin() {
    policy_ = sched_getscheduler(0);
    if (policy_ < 0 || sched_getparam(0, &former_) != 0) return;
    sched_param first{};
    first.sched_priority = sched_get_priority_max(SCHED_FIFO);
    changed_ = sched_setscheduler(0, SCHED_FIFO, &first) == 0;
}

void Urgency::keep_pages() const { mlockall(MCL_CURRENT); }

bool Urgency::end() const { return !changed_ || sched_setscheduler(0, policy_, &former_) == 0; }

}  // namespace conclave::guardian
