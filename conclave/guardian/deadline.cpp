#include "conclave/guardian/deadline.hpp"

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>

namespace conclave::guardian {

namespace {

constexpr std::int64_t second = 1'000'000'000;

// A time that is past is the next moment: zero would disarm.
itimerspec at(std::int64_t when_ns) {
    itimerspec spec{};
    if (when_ns == 0) return spec;
    when_ns = std::max<std::int64_t>(when_ns, 1);
    spec.it_value = {when_ns / second, when_ns % second};
    return spec;
}

}  // namespace

std::int64_t boot_time_ns() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec * second + now.tv_nsec;
}

Deadline::Deadline() : descriptor_(timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK)) {
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGKILL;
    timer_t timer{};
    made_ = timer_create(CLOCK_BOOTTIME, &event, &timer) == 0;
    timer_ = timer;
}

void Deadline::wake_at(std::int64_t when_ns) const {
    const itimerspec spec = at(when_ns);
    timerfd_settime(descriptor_, TFD_TIMER_ABSTIME, &spec, nullptr);
}

bool Deadline::kill_at(std::int64_t when_ns) const {
    const itimerspec spec = at(when_ns);
    return timer_settime(timer_, TIMER_ABSTIME, &spec, nullptr) == 0;
}

}  // namespace conclave::guardian
