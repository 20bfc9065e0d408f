// Preloaded into the time daemon by a test: ends it when it reads a clock, or makes a system call,
// that a simulator of clocks and networks does not stand in for.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

constexpr int caught = 99;

[[noreturn]] void end_with(const char* words) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words, std::strlen(words));
    _exit(caught);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
    using Read = int (*)(clockid_t, timespec*);
    static const Read read = reinterpret_cast<Read>(dlsym(RTLD_NEXT, "clock_gettime"));
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_MONOTONIC_RAW)
        end_with("reads another clock\n");
    return read(clock, time);
}

long syscall(long, ...) noexcept { end_with("makes a raw system call\n"); }
}
