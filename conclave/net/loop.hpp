// One thread waits in one place: poll, until a descriptor is ready or an alarm is due.
//
// Alarms are on the clock that the loop is given: boot time, which counts on while the machine
// sleeps, unless another is wanted. poll counts whole milliseconds, so an alarm rings up to one
// late, never early.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "conclave/core/time.hpp"
#include "conclave/net/clock.hpp"

struct pollfd;

namespace conclave::net {

class Loop;

// Rings once when its time has come; it must not outlive its loop.
class Alarm {
public:
    Alarm(Loop& loop, std::function<void()> ring);
    ~Alarm();
    Alarm(const Alarm&) = delete;
    Alarm& operator=(const Alarm&) = delete;

    void set(Time due) { due_ = due; }
    void set_after(Duration wait);  // from now, by the loop's clock
    void set_earlier(Time due) { due_ = std::min(due_, due); }
    void stop() { due_ = never; }
    bool is_set() const { return due_ != never; }
    Time due() const { return due_; }

private:
    friend class Loop;
    Loop& loop_;
    std::function<void()> ring_;
    Time due_ = never;
};

class Loop {
public:
    using Clock = Time (*)();
    explicit Loop(Clock clock = &boot_time);
    ~Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    // `ready` is called when the descriptor can be read, or is broken. A handler may watch and
    // forget whatever it likes, itself included.
    void watch(int fd, std::function<void()> ready);
    // ... when it can be written to: a connection stands or failed, a full pipe has room again.
    void watch_writing(int fd, std::function<void()> ready);
    void forget(int fd);

    // Waits once, for at most `longest`; rings what is due, serves what is ready, and rings what is
    // due because of that.
    void step(Duration longest);
    // Until somebody calls stop.
    void run();
    void stop() { running_ = false; }
    bool stopped() const { return !running_; }

    Time now() const { return now_; }       // when this step woke up
    Time time() const { return clock_(); }  // this moment
    void read_clock();

private:
    friend class Alarm;
    struct Watch {
        int fd;
        short events;
        std::shared_ptr<std::function<void()>> ready;
    };
    void ring_alarms();
    void serve_ready(std::size_t count);

    std::vector<Watch> watches_;
    std::vector<pollfd> polled_;
    std::vector<Alarm*> alarms_;
    Clock clock_;
    Time now_{};
    bool running_ = true;
};

}  // namespace conclave::net
