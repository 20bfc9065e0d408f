#include "conclave/guardian/guardian.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "conclave/process/pidfd.hpp"
#include "conclave/process/proc.hpp"
#include "conclave/process/tree_sweep.hpp"

namespace conclave::guardian {

namespace {

using namespace process;

constexpr std::int64_t millisecond = 1'000'000;
constexpr std::int64_t finish_again = 100 * millisecond;
constexpr std::array<int, 2> death_notice_again_ms{2, 18};  // datagrams get lost

union Packet {
    Order order;
    Prepare prepare;
    Begin begin;
    Extend extend;
    Retime retime;
    DeathNotice death_notice;
    Stop stop;
    Signal signal;
};

}  // namespace

int Guardian::run() {
    if (!prepare() || !begin()) return 2;
    while (!tree_gone_) wait_once();
    end();
    return 0;
}

bool Guardian::prepare() {
    sigset_t all;
    sigfillset(&all);  // who ends a whole unit ends the agent, and the agent ends us in order
    sigprocmask(SIG_SETMASK, &all, nullptr);
    close_range(channel_place, ~0u, CLOSE_RANGE_CLOEXEC);  // nothing of ours is the command's
    urgency_.begin();
    urgency_.keep_pages();
    leash_ = make_leash();
    Packet packet{};
    const ssize_t got = recv(channel_place, &packet, sizeof packet, 0);
    if (got != sizeof packet.prepare || packet.order != Order::prepare || !deadline_.works() ||
        leash_ == nullptr)
        return false;
    if (packet.prepare.watchdog_ns > 0) open_watchdog(packet.prepare.watchdog_ns);
    leash_->cleanup = packet.prepare.cleanup;
    leash_->cleanup.back() = '\0';
    start_tree(packet.prepare);
    return true;
}

// The agent has the descriptor of the first process before the command exists: should we die in
// between, it can still tell whether anything is alive. What is refused is said when it matters.
void Guardian::start_tree(const Prepare& wanted) {
    adopt_orphans();
    proc_folder();  // ours, before anybody can unmount it
    init_ = start_init(wanted.wish, wanted.required, {words_, leash_, &urgency_});
    if (init_.pid <= 0) {
        cause_ = Cause::refused;
        error_ = init_.error;
    }
    const Prepared prepared{.contain = init_.contain, .error = error_, .pid = init_.pid};
    report(&prepared, sizeof prepared, init_.pidfd);
}

// Whoever is slow to begin may have been given more time meanwhile.
void Guardian::hear_renewals() {
    Packet packet{};
    const auto next = [&](int flags) {
        return recv(channel_place, &packet, sizeof packet, MSG_DONTWAIT | flags);
    };
    while (next(MSG_PEEK) > 0) {
        if (packet.order == Order::extend)
            extend(packet.extend.end_ns);
        else if (packet.order == Order::retime)
            keep(packet.retime.margins);
        else if (packet.order == Order::death_notice)
            death_notices_.keep(packet.death_notice);
        else
            return;
        next(0);
    }
}

// Until here there is nothing to guard. If the agent dies or hangs up now, so do we, and the first
// process with us.
bool Guardian::begin() {
    Packet packet{};
    ssize_t got = 0;
    do got = recv(channel_place, &packet, sizeof packet, 0);
    while (got < 0 && errno == EINTR);
    if (got != sizeof packet.begin || packet.order != Order::begin) return false;
    extend(packet.begin.end_ns);
    stop_ = packet.begin.stop_ns;
    keep(packet.begin.margins);
    hear_renewals();
    if (init_.pid <= 0) {
        decided_ = tree_gone_ = true;
        return true;
    }
    if (boot_time_ns() >= leash_->command_end()) {
        cause_ = Cause::too_late;
        signal_process(init_.pidfd, SIGKILL);  // it has begun nothing
        for (pollfd death{init_.pidfd, POLLIN, 0}; death.revents == 0;)
            if (poll(&death, 1, -1) < 0) death.revents = 0;
        decided_ = tree_gone_ = true;
        return true;
    }
    if (watchdog_ns_ > 0) sign_until_ = boot_time_ns() + watchdog_ns_;
    if (!arm_timers()) return false;
    const InitWord go{InitWord::Kind::go, 0, packet.begin.token, packet.begin.reason};
    send(init_.socket, &go, sizeof go, MSG_NOSIGNAL | MSG_DONTWAIT);
    const Begun begun;
    report(&begun, sizeof begun);
    return true;
}

void Guardian::wait_once() {
    std::array<pollfd, 6> watched{
        pollfd{agent_dead_ ? -1 : agent_place, POLLIN, 0},
        pollfd{channel_open_ ? channel_place : -1, POLLIN, 0},
        pollfd{init_.pidfd, POLLIN, 0},
        pollfd{init_.socket, POLLIN, 0},
        pollfd{deadline_.descriptor(), POLLIN, 0},
        pollfd{watchdog_, POLLIN, 0},
    };
    if (poll(watched.data(), watched.size(), -1) < 0) return;
    if (watched[1].revents != 0) hear_agent();
    if (watched[0].revents != 0) {
        agent_dead_ = true;
        kill_tree(Cause::agent_died);
    }
    if (watched[3].revents != 0) hear_init();
    if (watched[5].revents != 0) hear_command();
    note_lateness();
    if (watched[2].revents != 0) {
        tree_gone_ = true;
        return;
    }
    check_time();
}

void Guardian::hear_agent() {
    Packet packet{};
    for (;;) {
        const ssize_t got = recv(channel_place, &packet, sizeof packet, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (got <= 0) {
            channel_open_ = false;
            return;
        }
        obey(&packet, static_cast<std::size_t>(got));
    }
}

void Guardian::obey(const void* bytes, std::size_t size) {
    const auto& packet = *static_cast<const Packet*>(bytes);
    if (packet.order == Order::extend && size == sizeof packet.extend) {
        extend(packet.extend.end_ns);  // who waits sets the timers
    } else if (packet.order == Order::retime && size == sizeof packet.retime) {
        keep(packet.retime.margins);
    } else if (packet.order == Order::death_notice && size == sizeof packet.death_notice) {
        death_notices_.keep(packet.death_notice);
    } else if (packet.order == Order::stop && size == sizeof packet.stop) {
        ask_to_stop(Cause::stopped, boot_time_ns() + packet.stop.timeout_ns);
    } else if (packet.order == Order::signal && size == sizeof packet.signal) {
        tell_init(InitWord::Kind::signal, packet.signal.number);
    }
}

void Guardian::hear_init() {
    InitWord word{};
    const ssize_t got = recv(init_.socket, &word, sizeof word, MSG_DONTWAIT);
    if (got == 0) {  // it is on its way out, and its pidfd will say when
        close(init_.socket);
        init_.socket = -1;
    }
    if (got != sizeof word) return;
    sweeping_ = true;  // whatever it says is its last
    if (word.kind == InitWord::Kind::exited) {
        status_ = word.value;
        if (!decided_ && kill_at_ == 0) cause_ = Cause::ended;
        decided_ = true;
    } else if (word.kind == InitWord::Kind::not_started) {
        cause_ = Cause::not_started;
        error_ = word.value;
        decided_ = true;
    } else if (word.kind == InitWord::Kind::expired) {
        kill_tree(Cause::deadline);  // it does so already
    }
}

void Guardian::check_time() {
    const std::int64_t now = boot_time_ns();
    if (finish_at_ != 0) {
        if (now >= finish_at_) {
            finish();
            finish_at_ = now + finish_again;
        }
    } else if (now >= leash_->command_end()) {
        kill_tree(Cause::deadline);
    } else if (kill_at_ != 0 && now >= kill_at_) {
        kill_tree(cause_);
    } else if (watchdog_ns_ > 0 && now >= sign_until_) {
        kill_tree(Cause::watchdog);
    } else if (grace_ > 0 && kill_at_ == 0 && now >= leash_->end_ns - leash_->cleanup_ns - grace_) {
        ask_to_stop(Cause::deadline, now + stop_);
    }
    set_timers();
}

// A first process that kills the others where no namespace does it must outlive them, however long
// one of them sleeps in the kernel: it is the proof that the tree is not gone. It is woken should
// it have been stopped, and one that does not begin is helped.
void Guardian::finish() const {
    if (init_.contain != Contain::group) {
        signal_process(init_.pidfd, SIGKILL);
        return;
    }
    signal_process(init_.pidfd, SIGCONT);
    if (!sweeping_) kill_below(init_.pid);
}

// The margin changes with it, for the first process as well. Renewals wake this process more often
// than its timer does, so it looks at a fixed time, whatever woke it.
void Guardian::note_lateness() {
    const std::int64_t now = boot_time_ns();
    if (now < due_) return;
    leash_->late_ns[Leash::guardian] = lateness_.note(due_, now);
    if (now >= look_at_) look_at_ = now + look_every_ns;
    const Punctual punctual{.late_ns = leash_->lateness(), .margin_ns = leash_->margin()};
    if (std::abs(punctual.late_ns - said_.late_ns) < millisecond / 10) return;
    said_ = punctual;
    report(&said_, sizeof said_);
}

void Guardian::extend(std::int64_t end_ns) const {
    leash_->end_ns = std::max<std::int64_t>(leash_->end_ns, end_ns);
}

void Guardian::keep(const Margins& margins) {
    grace_ = margins.grace_ns;
    leash_->least_ns = margins.margin_ns;
    leash_->most_ns = margins.margin_most_ns;
    leash_->cleanup_ns = margins.cleanup_ns;
}

// The kernel's timer rings between our own and the end of the lease, for a guardian and a first
// process that are both stopped: half of the margin is theirs, the other half is the kernel's.
bool Guardian::arm_timers() {
    const std::int64_t now = boot_time_ns();
    if (look_at_ == 0) look_at_ = now + look_every_ns;
    due_ = std::min(leash_->command_end(), look_at_);
    if (grace_ > 0 && kill_at_ == 0)
        due_ = std::min(due_, leash_->end_ns - leash_->cleanup_ns - grace_);
    if (kill_at_ != 0) due_ = std::min(due_, kill_at_);
    if (watchdog_ns_ > 0) due_ = std::min(due_, sign_until_);
    if (finish_at_ != 0) due_ = finish_at_;
    due_ = std::max(due_, now);
    deadline_.wake_at(due_);
    return deadline_.kill_at(leash_->end_ns - leash_->margin() / 2);
}

void Guardian::set_timers() {
    if (!arm_timers()) kill_tree(Cause::deadline);
}

void Guardian::ask_to_stop(Cause cause, std::int64_t kill_at) {
    kill_at_ = kill_at_ == 0 ? kill_at : std::min(kill_at_, kill_at);
    if (!decided_) cause_ = cause;
    const Stopping stopping{.cause = cause};
    report(&stopping, sizeof stopping);
    tell_init(InitWord::Kind::signal, SIGTERM);
    set_timers();
}

void Guardian::kill_tree(Cause cause) {
    if (!decided_) cause_ = cause;
    decided_ = true;
    if (finish_at_ != 0 || init_.pid <= 0) return;
    // A first process that has more to do than to die is told to end, and made sure of in time.
    const bool cleans = leash_->cleanup_ns > 0;
    const bool lives_on = init_.contain == Contain::group || cleans;
    const std::int64_t now = boot_time_ns();
    finish_at_ = now + leash_->margin() / 4;
    if (cleans)
        finish_at_ += std::clamp<std::int64_t>(leash_->deadline() - now, 0, leash_->cleanup_ns);
    if (lives_on) tell_init(InitWord::Kind::end, 0);
    signal_process(init_.pidfd, lives_on ? SIGCONT : SIGKILL);
    set_timers();
}

// All of the tree is gone. The agent is told, and dismisses us by SIGKILL when it has given its
// lease back; should it die before, we speak for it.
void Guardian::end() {
    if (init_.pid > 0) {
        hear_init();
        waitpid(init_.pid, nullptr, 0);
        if (init_.contain == Contain::group) sweep_all();
    }
    deadline_.kill_at(0);
    if (!decided_ && kill_at_ == 0) cause_ = Cause::lost;
    const process::Gone gone{
        .cause = cause_, .status = status_, .error = error_, .cleanup = leash_->cleaned};
    report(&gone, sizeof gone);
    for (pollfd death{agent_place, POLLIN, 0}; death.revents == 0;)
        if (poll(&death, 1, -1) < 0) death.revents = 0;
    death_notices_.send_all();
    for (const int pause_ms : death_notice_again_ms) {
        poll(nullptr, 0, pause_ms);
        death_notices_.send_all();
    }
}

void Guardian::report(const void* packet, std::size_t size, int descriptor) const {
    iovec part{const_cast<void*>(packet), size};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof descriptor)> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptor >= 0) {
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof descriptor);
        std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    sendmsg(channel_place, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void Guardian::tell_init(InitWord::Kind kind, int value) const {
    const InitWord word{.kind = kind, .value = value};
    send(init_.socket, &word, sizeof word, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace conclave::guardian
