// The command that the cluster tests guard: appends who runs it, under which token and when, first
// as "start", then every few milliseconds.
//
//   ticker FILE [stubborn] [daemon]
//
// stubborn: ignores SIGTERM. daemon: a child that has left session and process group ticks, too.
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

const char* variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "-";
}

void tick(int file, const char* who) {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    char line[256];
    const int size = std::snprintf(line, sizeof line, "%s %s %lld.%09ld %s\n",
                                   variable("CONCLAVE_NODE"), variable("CONCLAVE_TOKEN"),
                                   static_cast<long long>(now.tv_sec), now.tv_nsec, who);
    if (write(file, line, static_cast<size_t>(size)) != size) _exit(3);
}

[[noreturn]] void tick_on(int file, const char* who) {
    const timespec pause{0, 5'000'000};
    for (;;) {
        tick(file, who);
        nanosleep(&pause, nullptr);
    }
}

}  // namespace

int main(int count, char** words) {
    if (count < 2) return 2;
    const int file = open(words[1], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return 2;
    tick(file, "start");
    for (int i = 2; i < count; ++i) {
        if (std::strcmp(words[i], "stubborn") == 0) std::signal(SIGTERM, SIG_IGN);
        if (std::strcmp(words[i], "daemon") == 0 && fork() == 0) {
            setsid();
            if (fork() != 0) _exit(0);
            tick_on(file, "daemon");
        }
    }
    tick_on(file, "command");
}
