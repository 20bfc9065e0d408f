#include "conclave/net/loop.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>

namespace conclave::net {

Alarm::Alarm(Loop& loop, std::function<void()> ring) : loop_(loop), ring_(std::move(ring)) {
    loop_.alarms_.push_back(this);
}

Alarm::~Alarm() { std::erase(loop_.alarms_, this); }

void Alarm::set_after(Duration wait) { set(loop_.time() + wait); }

Loop::Loop(Clock clock) : clock_(clock), now_(clock()) {}
Loop::~Loop() = default;

void Loop::read_clock() { now_ = time(); }

void Loop::watch(int fd, std::function<void()> ready) {
    forget(fd);
    watches_.push_back(
        {fd, POLLIN | POLLPRI, std::make_shared<std::function<void()>>(std::move(ready))});
}

void Loop::watch_writing(int fd, std::function<void()> ready) {
    forget(fd);
    watches_.push_back({fd, POLLOUT, std::make_shared<std::function<void()>>(std::move(ready))});
}

void Loop::forget(int fd) {
    std::erase_if(watches_, [&](const Watch& watch) { return watch.fd == fd; });
}

void Loop::step(Duration longest) {
    Time due = never;
    for (const Alarm* alarm : alarms_) due = std::min(due, alarm->due_);
    read_clock();
    if (due != never) longest = std::clamp(due - now_, Duration{0}, longest);
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(longest).count();
    polled_.clear();
    for (const Watch& watch : watches_) polled_.push_back({watch.fd, watch.events, 0});
    const int count = poll(polled_.data(), polled_.size(), static_cast<int>(ms));
    read_clock();
    ring_alarms();
    if (count <= 0) return;
    serve_ready(polled_.size());
    ring_alarms();  // what was put off until after that need not wait for another poll
}

// A ringing alarm may set itself or others again, or go away; each rings once a call at most.
void Loop::ring_alarms() {
    std::vector<Alarm*> due;
    for (Alarm* alarm : alarms_)
        if (alarm->due_ <= now_) due.push_back(alarm);
    std::sort(due.begin(), due.end(),
              [](const Alarm* a, const Alarm* b) { return a->due_ < b->due_; });
    for (Alarm* alarm : due) {
        const bool lives = std::find(alarms_.begin(), alarms_.end(), alarm) != alarms_.end();
        if (!lives || alarm->due_ > now_) continue;
        alarm->due_ = never;
        alarm->ring_();
    }
}

void Loop::serve_ready(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (polled_[i].revents == 0) continue;
        const int fd = polled_[i].fd;
        const auto watch = std::find_if(watches_.begin(), watches_.end(),
                                        [&](const Watch& w) { return w.fd == fd; });
        if (watch == watches_.end()) continue;  // forgotten by an earlier handler
        const auto ready = watch->ready;        // lives on while it runs
        (*ready)();
    }
}

void Loop::run() {
    running_ = true;
    while (running_) step(std::chrono::hours(1));
}

}  // namespace conclave::net
