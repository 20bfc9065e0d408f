// Preloaded into the time daemon by a test: a kernel's clock in the kernel's place, so that no real
// one is touched. It obeys clock_adjtime as the kernel does, notes what was asked of it, and can be
// disturbed from outside: set, or made to stand still with the machine.
//
// $KERNEL_CLOCK is a file of three 64-bit numbers, in nanoseconds. The test writes by how much
// somebody has moved the clock, and for how long the raw clocks stood still; it reads how far the
// clock was ahead of the machine's when the daemon last looked. What was asked goes to
// $KERNEL_CLOCK.log, a line each. Kernel stamps would be by the real clock: there are none.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr long usual_tick = 10'000;

struct Disturbances {
    volatile std::int64_t moved, stood, ahead;
};

template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::int64_t read_real(clockid_t clock) {
    static auto* const read = real<int(clockid_t, timespec*)>("clock_gettime");
    timespec now{};
    read(clock, &now);
    return now.tv_sec * second + now.tv_nsec;
}

struct Both {
    std::int64_t raw, real;
};

// In one moment, as far as a busy machine lets us: the test holds microseconds against the outcome.
Both read_both() {
    constexpr std::int64_t one_moment = 2'000;
    for (int attempts = 100;; --attempts) {
        const std::int64_t before = read_real(CLOCK_MONOTONIC_RAW), now = read_real(CLOCK_REALTIME),
                           after = read_real(CLOCK_MONOTONIC_RAW);
        if (after - before <= one_moment || attempts == 0) return {(before + after) / 2, now};
    }
}

std::string path() {
    const char* given = std::getenv("KERNEL_CLOCK");
    if (given == nullptr) std::abort();
    return given;
}

Disturbances& disturbances() {
    static auto* const shared = [] {
        const int file = open(path().c_str(), O_RDWR);
        void* const at =
            mmap(nullptr, sizeof(Disturbances), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (file < 0 || at == MAP_FAILED) std::abort();
        close(file);
        return static_cast<Disturbances*>(at);
    }();
    return *shared;
}

// CLOCK_REALTIME minus the machine's CLOCK_MONOTONIC_RAW: so much then, growing at this rate.
struct Clock {
    std::int64_t at = read_real(CLOCK_MONOTONIC_RAW);
    std::int64_t offset = read_real(CLOCK_REALTIME) - at;
    long freq = 0, tick = usual_tick, maxerror = 16'000'000, esterror = 16'000'000;
    int status = STA_UNSYNC;

    double rate() const {
        return static_cast<double>(freq) / 65536e6 +
               static_cast<double>(tick - usual_tick) / usual_tick;
    }
    std::int64_t ahead(std::int64_t raw) const {
        return offset + static_cast<std::int64_t>(static_cast<double>(raw - at) * rate());
    }
    void obey(const timex& asked) {
        const std::int64_t raw = read_real(CLOCK_MONOTONIC_RAW);
        offset = ahead(raw);
        at = raw;
        if ((asked.modes & ADJ_FREQUENCY) != 0) freq = asked.freq;
        if ((asked.modes & ADJ_TICK) != 0) tick = asked.tick;
        if ((asked.modes & ADJ_MAXERROR) != 0) maxerror = asked.maxerror;
        if ((asked.modes & ADJ_ESTERROR) != 0) esterror = asked.esterror;
        if ((asked.modes & ADJ_STATUS) != 0) status = asked.status;
        if ((asked.modes & ADJ_SETOFFSET) != 0)
            offset += asked.time.tv_sec * second +
                      asked.time.tv_usec * ((asked.modes & ADJ_NANO) != 0 ? 1 : 1000);
    }
};

Clock& kernel() {
    static Clock clock;
    return clock;
}

void note(const timex& asked) {
    static std::FILE* const log = std::fopen((path() + ".log").c_str(), "we");
    constexpr struct {
        unsigned mode;
        const char* name;
    } modes[] = {{ADJ_FREQUENCY, "frequency"},
                 {ADJ_TICK, "tick"},
                 {ADJ_MAXERROR, "maxerror"},
                 {ADJ_ESTERROR, "esterror"},
                 {ADJ_STATUS, "status"},
                 {ADJ_SETOFFSET, "setoffset"},
                 {ADJ_NANO, "nano"}};
    std::string names;
    for (const auto& [mode, name] : modes)
        if ((asked.modes & mode) != 0) names.append(names.empty() ? "" : "|").append(name);
    std::fprintf(
        log, "modes=%s freq=%ld tick=%ld maxerror=%ld esterror=%ld status=%d sec=%ld nsec=%ld\n",
        names.c_str(), asked.freq, asked.tick, asked.maxerror, asked.esterror, asked.status,
        static_cast<long>(asked.time.tv_sec), static_cast<long>(asked.time.tv_usec));
    std::fflush(log);
}

bool taken(const timex& asked) {
    return asked.freq >= -(500l << 16) && asked.freq <= 500l << 16 &&
           ((asked.modes & ADJ_TICK) == 0 || (asked.tick >= 9000 && asked.tick <= 11'000));
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
    Disturbances& by = disturbances();
    std::int64_t now = read_real(clock);
    if (clock == CLOCK_REALTIME) {
        const auto [raw, real] = read_both();
        now = raw + kernel().ahead(raw) + by.moved;
        by.ahead = now - real;
    } else {
        now -= by.stood;
    }
    time->tv_sec = now / second;
    time->tv_nsec = now % second;
    return 0;
}

int clock_adjtime(clockid_t clock, timex* asked) noexcept {
    if (clock != CLOCK_REALTIME || !taken(*asked)) {
        errno = EINVAL;
        return -1;
    }
    if (asked->modes != 0) note(*asked);
    Clock& now = kernel();
    now.obey(*asked);
    asked->freq = now.freq;
    asked->tick = now.tick;
    return (now.status & STA_UNSYNC) != 0 ? TIME_ERROR : TIME_OK;
}

// Nobody sets the clock in another way.
int clock_settime(clockid_t, const timespec*) noexcept { std::abort(); }
int adjtimex(timex*) noexcept { std::abort(); }

int setsockopt(int socket, int level, int name, const void* value, socklen_t length) noexcept {
    static auto* const set = real<int(int, int, int, const void*, socklen_t)>("setsockopt");
    if (level == SOL_SOCKET && name == SO_TIMESTAMPING) {
        errno = ENOPROTOOPT;
        return -1;
    }
    return set(socket, level, name, value, length);
}
}
