// What is guarded in the tests: writes the boot time into a file every millisecond, and is as hard
// to get rid of as its manners say. Usage: worker FILE MANNER...
//
//   stubborn   ignores SIGTERM           family     leaves a child and a daemon behind, as stubborn
//   polite:MS  exits with 5 so many milliseconds after SIGTERM
//   exit:CODE  after ten ticks           tell       writes its environment, then goes on
//   alive:N    notifies N times          usr1       writes "usr1" when it gets the signal
//   nobody     becomes another user      unmount    takes /proc away from all who share its mounts
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>

namespace {

volatile std::sig_atomic_t asked = 0, poked = 0;
int file = -1;

void write_line(const std::string& line) {
    if (write(file, (line + "\n").c_str(), line.size() + 1) < 0) _exit(9);
}

long long boot_time() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

void notify() {
    const char* name = std::getenv("NOTIFY_SOCKET");
    if (name == nullptr) return;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, name, sizeof address.sun_path - 1);
    address.sun_path[0] = '\0';
    const int socket_fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    sendto(socket_fd, "WATCHDOG=1", 10, 0, reinterpret_cast<sockaddr*>(&address),
           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(name)));
    close(socket_fd);
}

void leave_family() {
    std::signal(SIGTERM, SIG_IGN);
    if (fork() == 0) return;  // a child, which ticks like us
    if (fork() == 0) {        // a daemon, by the book
        setsid();
        if (fork() != 0) _exit(0);
        if (chdir("/") != 0) _exit(9);
        for (int fd = 0; fd < 3; ++fd) close(fd);
    }
}

}  // namespace

int main(int count, char** words) {
    if (count < 2) return 2;
    file = open(words[1], O_WRONLY | O_APPEND | O_CREAT, 0644);
    int exit_code = -1, polite_ms = 0, alive = 0;
    std::signal(SIGUSR1, [](int) { poked = 1; });
    for (int i = 2; i < count; ++i) {
        const std::string manner = words[i];
        const int number = std::atoi(manner.substr(manner.find(':') + 1).c_str());
        if (manner == "stubborn") std::signal(SIGTERM, SIG_IGN);
        if (manner == "family") leave_family();
        if (manner == "unmount" && umount2("/proc", MNT_DETACH) != 0) return 2;
        if (manner == "nobody" && (setgid(65534) != 0 || setuid(65534) != 0)) return 2;
        if (manner == "tell")
            for (char** each = environ; *each != nullptr; ++each) write_line(*each);
        if (manner.starts_with("exit:")) exit_code = number;
        if (manner.starts_with("alive:")) alive = number;
        if (manner.starts_with("polite:")) {
            polite_ms = number;
            std::signal(SIGTERM, [](int) { asked = 1; });
        }
    }
    for (int ticks = 0, since = 0; ticks < 60'000;
         ++ticks) {  // should all tests fail: not for ever
        write_line(std::to_string(boot_time()));
        if (exit_code >= 0 && ticks == 10) return exit_code;
        if (poked != 0) write_line("usr1");
        poked = 0;
        if (ticks % 10 == 0 && alive-- > 0) notify();
        if (asked != 0 && since++ == polite_ms) return 5;
        usleep(1000);
    }
    return 1;
}
