#include "conclave/net/loop.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>

#include <array>
#include <csignal>

#include "conclave/net/clock.hpp"
#include "conclave/net/descriptor.hpp"
#include "conclave/net/signals.hpp"

namespace conclave::net {
namespace loop_test {

using std::chrono::milliseconds, std::chrono::seconds;
using testing::ElementsAre;

struct Pipe {
    Pipe() {
        std::array<int, 2> ends{};
        EXPECT_EQ(pipe2(ends.data(), O_NONBLOCK | O_CLOEXEC), 0);
        reader = Descriptor(ends[0]);
        writer = Descriptor(ends[1]);
    }
    void fill() const { EXPECT_EQ(write(writer.get(), "x", 1), 1); }
    void drain() const {
        char letter = 0;
        EXPECT_EQ(read(reader.get(), &letter, 1), 1);
    }
    Descriptor reader, writer;
};

TEST(Loop, alarms_ring_once_in_the_order_of_their_times_and_never_early) {
    Loop loop;
    std::vector<int> rung;
    std::vector<Time> when;
    const auto ring = [&](int which) {
        rung.push_back(which);
        when.push_back(loop.now());
    };
    Alarm second(loop, [&] { ring(2); }), first(loop, [&] { ring(1); });
    Alarm stopped(loop, [&] { ring(3); }), last(loop, [&] { loop.stop(); });
    const Time start = boot_time();
    second.set(start + milliseconds(4));
    first.set(start + milliseconds(2));
    stopped.set(start + milliseconds(1));
    stopped.stop();
    last.set(start + milliseconds(8));
    loop.run();
    EXPECT_THAT(rung, ElementsAre(1, 2));
    EXPECT_GE(when[0], start + milliseconds(2));
    EXPECT_GE(when[1], start + milliseconds(4));
    EXPECT_FALSE(first.is_set());
}

TEST(Loop, an_alarm_may_set_itself_again) {
    Loop loop;
    int times = 0;
    Alarm* self = nullptr;
    Alarm alarm(loop, [&] { ++times < 3 ? self->set(loop.now()) : loop.stop(); });
    self = &alarm;
    alarm.set(Time{0});
    loop.run();
    EXPECT_EQ(times, 3);
}

TEST(Loop, an_alarm_may_end_another_that_is_due) {
    Loop loop;
    auto other = std::make_unique<Alarm>(loop, [] { FAIL() << "it was gone"; });
    Alarm alarm(loop, [&] { other.reset(); });
    alarm.set(Time{0});
    other->set(Time{1});
    loop.step({});
    EXPECT_EQ(other, nullptr);
}

TEST(Loop, a_descriptor_is_served_until_it_is_forgotten) {
    Loop loop;
    const Pipe pipe;
    int served = 0;
    loop.watch(pipe.reader.get(), [&] {
        pipe.drain();
        if (++served == 2) loop.forget(pipe.reader.get());
    });
    for (int i = 0; i < 3; ++i) pipe.fill();
    for (int i = 0; i < 5; ++i) loop.step({});
    EXPECT_EQ(served, 2);
}

TEST(Loop, who_is_forgotten_by_another_is_not_served) {
    Loop loop;
    const Pipe one, two;
    int served = 0;
    for (const Pipe* pipe : {&one, &two}) {
        pipe->fill();
        loop.watch(pipe->reader.get(), [&, pipe] {
            pipe->drain();
            ++served;
            loop.forget(pipe == &one ? two.reader.get() : one.reader.get());
        });
    }
    loop.step({});
    EXPECT_EQ(served, 1);
}

TEST(Signals, arrive_in_the_loop) {
    Loop loop;
    std::vector<int> arrived;
    const Signals signals(loop, {SIGUSR1, SIGUSR2}, [&](int number) {
        arrived.push_back(number);
        if (arrived.size() == 2) loop.stop();
    });
    Alarm alarm(loop, [&] {
        raise(SIGUSR2);
        raise(SIGUSR1);
    });
    alarm.set(Time{0});
    loop.run();
    EXPECT_THAT(arrived, ElementsAre(SIGUSR2, SIGUSR1));
}

}  // namespace loop_test
}  // namespace conclave::net
