#include "conclave/agent/work/guardian_link.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "conclave/agent/disk/former_tree.hpp"
#include "conclave/agent/work/spawn.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/process/pidfd.hpp"
#include "conclave/process/proc.hpp"
#include "conclave/process/tree_sweep.hpp"

namespace conclave::agent {

namespace {

using namespace process;
using net::Descriptor;
using Kind = GuardianLink::Event::Kind;

constexpr Duration init_patience = std::chrono::milliseconds(100);
constexpr Duration begin_patience = std::chrono::seconds(3);
constexpr long tick_ns = 2'000'000;
constexpr int end_ms = 2000;

bool is_readable(int fd) {
    pollfd watched{fd, POLLIN, 0};
    return poll(&watched, 1, 0) == 1;
}

// Our hooks and checks live in our own session; the command's tree never does.
bool is_ours(pid_t child) { return getsid(child) == getsid(0); }

}  // namespace

GuardianLink::GuardianLink(Options options)
    : options_(std::move(options)), events_ready_(epoll_create1(EPOLL_CLOEXEC)) {
    proc_folder();  // ours, before anybody can unmount it
}

GuardianLink::~GuardianLink() {
    if (running()) {
        signal_process(pidfd_.get(), SIGKILL);
        for (int waited = 0; !gone_ && waited < end_ms; ++waited) {
            pollfd watched{fd(), POLLIN, 0};
            poll(&watched, 1, 1);
            while (next()) continue;
        }
    }
    dismiss();
}

bool GuardianLink::is_prepared(const Command& command) const {
    return guardian_ > 0 && !dead_ && !begun_ && prepared_.words == command.words &&
           prepared_.leader == command.leader;
}

std::optional<std::string> GuardianLink::prepare(const Command& command) {
    if (running()) return "the command runs already: it must be gone before it is started again";
    if (is_prepared(command)) return std::nullopt;
    dismiss();
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return std::string("no socket for the guardian (") + std::strerror(errno) + ")";
    channel_ = Descriptor(ends[0]);
    const Descriptor other(ends[1]);
    if (auto refused = spawn(command, other.get())) {
        close_all();
        return refused;
    }
    Prepare order{.wish = options_.wish,
                  .required = options_.required,
                  .watchdog_ns = options_.watchdog.count()};
    options_.cleanup.copy(order.cleanup.data(), cleanup_most);
    dead_ = ready_ = false;
    contain_.reset();
    prepared_ = command;
    watch(channel_.get());
    watch(pidfd_.get());
    send(&order, sizeof order);
    return std::nullopt;
}

std::optional<std::string> GuardianLink::start(const Command& command, Time end) {
    if (guardian_ > 0 && !begun_) {
        read_reports();
        if (guardian_ > 0) look_after_guardian();
    }
    if (auto refused = prepare(command)) return refused;
    Begin order{.token = command.token,
                .end_ns = end.count(),
                .stop_ns = options_.stop.count(),
                .margins = margins()};
    command.reason.copy(order.reason.data(), order.reason.size() - 1);
    begun_ = true;
    gone_ = heard_ = false;
    begun_at_ = net::boot_time();
    pending_ = order;
    held_.clear();
    lateness_ = margin_ = {};
    if (ready_) begin();
    return std::nullopt;
}

void GuardianLink::begin() {
    const Begin order = *std::exchange(pending_, std::nullopt);
    send(&order, sizeof order);
    for (const auto& each : std::exchange(held_, {})) send(each.data(), each.size());
}

// Nothing has begun, so the guardian and its first process can go.
void GuardianLink::refuse_to_begin(std::string problem) {
    const bool asked = begun_;
    dismiss();
    events_.push_back({.kind = Kind::unready, .problem = problem});
    if (asked)
        events_.push_back(
            {.kind = Kind::gone, .cause = Cause::unrecorded, .problem = std::move(problem)});
}

std::optional<std::string> GuardianLink::spawn(const Command& command, int channel) {
    const Descriptor me(open_process(getpid()));
    std::vector<int> descriptors{channel, options_.lock, me.get()};
    if (options_.sockets.size() > sockets_most) return "too many sockets for a guardian";
    descriptors.insert(descriptors.end(), options_.sockets.begin(), options_.sockets.end());
    std::vector<std::string> words{options_.guardian, std::to_string(protocol)};
    words.insert(words.end(), command.words.begin(), command.words.end());
    const std::vector<std::string> environment =
        environment_with({{"CONCLAVE_GROUP", command.group},
                          {"CONCLAVE_NODE", command.node},
                          {"CONCLAVE_LEADER", command.leader}});
    const auto spawned = spawn_apart(words, environment, descriptors);
    if (const int* error = std::get_if<int>(&spawned))
        return "the guardian " + options_.guardian + " cannot be started (" +
               std::strerror(*error) + "): CONCLAVE_GUARDIAN may name another";
    guardian_ = std::get<Spawned>(spawned).pid;
    pidfd_ = Descriptor(open_process(guardian_));
    return std::nullopt;
}

// One that was stopped before it could begin has no deadline yet, and holds up the group.
void GuardianLink::extend(Time end) {
    const Extend order{.end_ns = end.count()};
    if (pending_)
        pending_->end_ns = std::max(pending_->end_ns, order.end_ns);
    else
        send(&order, sizeof order);
    if (begun_ && !heard_ && !dead_ && net::boot_time() - begun_at_ > begin_patience)
        signal_process(pidfd_.get(), SIGKILL);
}

process::Margins GuardianLink::margins() const {
    const Margins& each = options_.margins;
    return {.grace_ns = each.grace.count(),
            .margin_ns = each.margin.count(),
            .margin_most_ns = each.margin_most.count(),
            .cleanup_ns = options_.cleanup.empty() ? 0 : each.cleanup_limit.count()};
}

void GuardianLink::set_margins(const Margins& margins_now) {
    options_.margins = margins_now;
    const process::Retime order{.margins = margins()};
    if (pending_)
        pending_->margins = order.margins;
    else if (running())
        send(&order, sizeof order);
}

bool GuardianLink::prepare_death_notice(std::span<const Addressed> notices) {
    if (notices.size() > DeathNotice::most) return false;
    bool all = true;
    DeathNotice order;
    if (notices.empty()) return send(&order, sizeof order);  // forgets what was prepared
    for (const Addressed& notice : notices) {
        if (notice.datagram.size() > order.bytes.size()) return false;
        const net::RawAddress raw = net::to_raw(notice.to);
        order.socket = notice.socket;
        order.interface = notice.path.interface;
        std::memcpy(order.source.data(), notice.path.source.bytes.data(), order.source.size());
        order.address_size = raw.size;
        std::memcpy(order.address.data(), &raw.storage, order.address.size());
        order.size = static_cast<std::uint32_t>(notice.datagram.size());
        std::copy(notice.datagram.begin(), notice.datagram.end(), order.bytes.begin());
        all = send(&order, sizeof order) && all;
        ++order.place;
    }
    return all;
}

void GuardianLink::stop(Duration timeout) {
    const Stop order{.timeout_ns = timeout.count()};
    send(&order, sizeof order);
}

void GuardianLink::signal(int number) {
    const Signal order{.number = number};
    send(&order, sizeof order);
}

// With the tree gone there is nothing left to guard.
void GuardianLink::dismiss() {
    if (guardian_ > 0 && !dead_) {
        signal_process(pidfd_.get(), SIGKILL);
        waitpid(guardian_, nullptr, 0);
    }
    close_all();
    events_.clear();
}

void GuardianLink::close_all() {
    for (Descriptor* each : {&channel_, &pidfd_, &init_, &ticks_}) each->reset();
    guardian_ = -1;
    gone_ = true;
    begun_ = ready_ = false;
    pending_.reset();
    held_.clear();
}

std::optional<GuardianLink::Event> GuardianLink::next() {
    if (events_.empty() && guardian_ > 0) {
        read_reports();
        if (guardian_ > 0) look_after_guardian();
    }
    if (events_.empty()) return std::nullopt;
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
}

void GuardianLink::read_reports() {
    while (channel_) {
        union {
            Report report;
            Prepared prepared;
            Punctual punctual;
            process::Gone gone;
        } packet{};
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
        iovec part{&packet, sizeof packet};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        const ssize_t got = recvmsg(channel_.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EAGAIN) return;
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return channel_.reset();
        int descriptor = -1;
        if (const cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr)
            std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
        take_report(&packet, static_cast<std::size_t>(got), descriptor);
    }
}

void GuardianLink::take_report(const void* packet, std::size_t size, int descriptor) {
    Report kind{};
    std::memcpy(&kind, packet, sizeof kind);
    if (kind == Report::prepared && size == sizeof(Prepared)) {
        take_prepared(*static_cast<const Prepared*>(packet), descriptor);
    } else if (kind == Report::punctual && size == sizeof(Punctual)) {
        const auto& punctual = *static_cast<const Punctual*>(packet);
        lateness_ = Duration{punctual.late_ns};
        margin_ = Duration{punctual.margin_ns};
    } else if (kind == Report::begun && size == sizeof(Begun)) {
        heard_ = true;
        events_.push_back({.kind = Kind::started, .contain = contain_.value_or(Contain::best)});
    } else if (kind == Report::stopping && size == sizeof(Stopping)) {
        events_.push_back(
            {.kind = Kind::stopping, .cause = static_cast<const Stopping*>(packet)->cause});
    } else if (kind == Report::gone && size == sizeof(process::Gone)) {
        const auto& gone = *static_cast<const process::Gone*>(packet);
        gone_ = heard_ = true;
        events_.push_back({.kind = Kind::gone,
                           .contain = contain_.value_or(Contain::best),
                           .cause = gone.cause,
                           .status = gone.status,
                           .error = gone.error,
                           .cleanup = gone.cleanup});
    }
}

void GuardianLink::take_prepared(const Prepared& prepared, int descriptor) {
    init_ = Descriptor(descriptor);
    if (prepared.error == 0) {
        contain_ = prepared.contain;
        first_ = prepared.pid;
        if (!init_)
            return refuse_to_begin(
                "the command is not started, for this process has no "
                "descriptor left: allow it more open files");
        if (options_.tree != nullptr)
            if (auto problem = options_.tree->record(prepared.pid))
                return refuse_to_begin(std::move(*problem));
        if (contain_ == Contain::group) adopt_orphans();
    }
    ready_ = true;
    events_.push_back({.kind = Kind::ready});
    if (pending_) begin();
}

// A guardian that died has taken the tree with it, or its death is about to: the kernel says when.
void GuardianLink::look_after_guardian() {
    if (!begun_) {  // it guards nothing yet
        if (is_readable(pidfd_.get())) dismiss();
        return;
    }
    if (!dead_ && is_readable(pidfd_.get())) {
        read_reports();
        waitpid(guardian_, nullptr, WNOHANG);
        dead_ = true;
        died_ = net::boot_time();
        help_at_ = died_ + init_patience;
        epoll_ctl(events_ready_.get(), EPOLL_CTL_DEL, pidfd_.get(), nullptr);
        if (!gone_) {
            events_.push_back({.kind = Kind::guardian_died, .cause = Cause::guardian_died});
            if (init_) watch(init_.get());
            ticks_ = Descriptor(timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK));
            const itimerspec tick{{0, tick_ns}, {0, tick_ns}};
            timerfd_settime(ticks_.get(), 0, &tick, nullptr);
            watch(ticks_.get());
        }
    }
    if (!dead_ || gone_) return;
    std::uint64_t expired = 0;
    if (read(ticks_.get(), &expired, sizeof expired) < 0 && errno != EAGAIN) ticks_.reset();
    if (!tree_gone()) return;
    gone_ = true;
    init_.reset();
    ticks_.reset();
    events_.push_back({.kind = Kind::gone,
                       .contain = contain_.value_or(Contain::best),
                       .cause = Cause::guardian_died});
}

// In a group the first process is never killed: it holds the lock and is what was recorded, so it
// is the proof for a later agent that the tree is not gone.
bool GuardianLink::tree_gone() {
    if (!init_) return true;  // it was never told to begin, or could not make a first process
    const bool ended = is_readable(init_.get());
    if (contain_ != Contain::group) {
        if (!ended) signal_process(init_.get(), SIGKILL);  // the guardian's death did so, too
        return ended;
    }
    if (ended) return sweep_once(is_ours);
    signal_process(init_.get(), SIGCONT);
    if (const Time now = net::boot_time(); now >= help_at_) {
        kill_below(first_);
        help_at_ = now + (now - died_);  // looking at all processes costs: ever more rarely
    }
    return false;
}

void GuardianLink::watch(int fd) const {
    epoll_event event{};
    event.events = EPOLLIN;
    epoll_ctl(events_ready_.get(), EPOLL_CTL_ADD, fd, &event);
}

// Never waits: a guardian that is stopped does not listen, and the kernel's timer deals with it.
bool GuardianLink::send(const void* order, std::size_t size) {
    if (pending_) {  // its first word must be the order to begin
        const auto* bytes = static_cast<const std::byte*>(order);
        held_.emplace_back(bytes, bytes + size);
        return true;
    }
    return ::send(channel_.get(), order, size, MSG_NOSIGNAL | MSG_DONTWAIT) ==
           static_cast<ssize_t>(size);
}

}  // namespace conclave::agent
