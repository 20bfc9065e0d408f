// The command's sign of life, in the way of systemd: it sends WATCHDOG=1 to the socket that
// NOTIFY_SOCKET names, at least every WATCHDOG_USEC. What speaks sd_notify already speaks this.
//
// Every local user can reach the socket, so the kernel says who sent each datagram: it counts if it
// comes from the command's tree, from the guardian's own user or from root.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conclave/guardian/guardian.hpp"
#include "conclave/process/proc.hpp"

namespace conclave::guardian {

void Guardian::open_watchdog(std::int64_t period_ns) {
    watchdog_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    socklen_t size = sizeof(sa_family_t);  // the kernel chooses an abstract name
    const auto address = [&] { return reinterpret_cast<sockaddr*>(&name); };
    const int on = 1;
    if (setsockopt(watchdog_, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0) return;
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

bool Guardian::is_command(const ucred& sender) const {
    if (sender.uid == 0 || sender.uid == geteuid()) return true;
    return init_.pid > 0 && process::descends_from(sender.pid, init_.pid);
}

// Several at a time, so that strangers cannot keep the queue full; bounded, because the time is
// looked at in between.
void Guardian::hear_command() {
    constexpr int most = 16;
    for (int i = 0; i < most && hear_sign(); ++i) continue;
}

bool Guardian::hear_sign() {
    std::array<char, 4096> said{};
    iovec part{said.data(), said.size() - 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(ucred))> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    if (recvmsg(watchdog_, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0) return false;
    const cmsghdr* header = CMSG_FIRSTHDR(&message);
    if (header == nullptr || header->cmsg_type != SCM_CREDENTIALS) return true;
    ucred sender{};
    std::memcpy(&sender, CMSG_DATA(header), sizeof sender);
    if (is_command(sender) && std::strstr(said.data(), "WATCHDOG=1") != nullptr)
        sign_until_ = boot_time_ns() + watchdog_ns_;
    return true;
}

}  // namespace conclave::guardian
