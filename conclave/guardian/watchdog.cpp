// The command's sign of life, in the way of systemd: it sends WATCHDOG=1 to the socket that
// NOTIFY_SOCKET names, at least every WATCHDOG_USEC. What speaks sd_notify already speaks this.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conclave/guardian/guardian.hpp"

namespace conclave::guardian {

void Guardian::open_watchdog(std::int64_t period_ns) {
    watchdog_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    socklen_t size = sizeof(sa_family_t);  // the kernel chooses an abstract name
    const auto address = [&] { return reinterpret_cast<sockaddr*>(&name); };
    if (bind(watchdog_, address(), size) != 0) return;
    size = sizeof name;
    if (getsockname(watchdog_, address(), &size) != 0) return;
    std::array<char, sizeof name.sun_path + 1> spelled{};
    std::memcpy(spelled.data(), name.sun_path, size - offsetof(sockaddr_un, sun_path));
    spelled[0] = '@';
    setenv("NOTIFY_SOCKET", spelled.data(), 1);
    std::array<char, 24> period{};
    std::snprintf(period.data(), period.size(), "%lld", static_cast<long long>(period_ns / 1000));
    setenv("WATCHDOG_USEC", period.data(), 1);
    watchdog_ns_ = period_ns;
    sign_until_ = boot_time_ns() + period_ns;
}

void Guardian::hear_command() {
    std::array<char, 4096> said{};
    const ssize_t got = recv(watchdog_, said.data(), said.size() - 1, MSG_DONTWAIT);
    if (got > 0 && std::strstr(said.data(), "WATCHDOG=1") != nullptr)
        sign_until_ = boot_time_ns() + watchdog_ns_;
}

}  // namespace conclave::guardian
