#include "conclave/timed/daemon/sending.hpp"

#include <gmock/gmock.h>

#include "conclave/net/clock.hpp"

namespace conclave::timed {
namespace sending_test {

using namespace std::chrono_literals;
using Type = wire::TspDatagram::Type;
using testing::ElementsAre;

struct Sender {
    net::Loop loop;
    std::vector<Time> sent;
    std::vector<std::uint16_t> numbers;
    std::vector<bool> ended;
    Sending sending;

    explicit Sender(std::uint16_t first = 100)
        : sending(
              loop, first,
              [this](const Sending::Order& order) {
                  sent.push_back(net::boot_time());
                  numbers.push_back(order.datagram.sequence);
              },
              [this](const Sending::Ended& end) { ended.push_back(end.answered); }) {
        sending.set_first_wait(8ms);
    }
    void say(Id to, Type type = Type::adjtime) {
        sending.post({.to = to, .datagram = {.type = type}});
    }
    void run_until_ended(std::size_t count = 1) {
        const Time end = net::boot_time() + 10s;
        while (ended.size() < count && net::boot_time() < end) loop.step(50ms);
    }
};

TEST(Sending, repeats_five_times_with_doubling_waits_and_gives_up) {
    Sender sender;
    const Time begun = net::boot_time();
    sender.say(Id{2});
    sender.run_until_ended();
    EXPECT_THAT(sender.ended, ElementsAre(false));
    EXPECT_THAT(sender.numbers, ElementsAre(101, 101, 101, 101, 101));
    Duration wait = 8ms;
    for (std::size_t i = 1; i < sender.sent.size(); ++i, wait *= 2)
        EXPECT_GE(sender.sent[i] - sender.sent[i - 1], wait) << i;
    EXPECT_GE(net::boot_time() - begun, 31 * 8ms);  // 6.2 s at BSD's pace
}

TEST(Sending, ends_with_the_acknowledgement) {
    Sender sender;
    sender.say(Id{2});
    EXPECT_TRUE(sender.sending.acknowledge(Type::ack, Id{2}, 101));
    EXPECT_THAT(sender.ended, ElementsAre(true));
    sender.loop.step(30ms);
    EXPECT_EQ(sender.sent.size(), 1u);
}

TEST(Sending, believes_only_the_right_type_name_and_number) {
    Sender sender;
    sender.say(Id{2});
    EXPECT_FALSE(sender.sending.acknowledge(Type::ack, Id{3}, 101));
    EXPECT_FALSE(sender.sending.acknowledge(Type::ack, Id{2}, 100));
    EXPECT_FALSE(sender.sending.acknowledge(Type::masterack, Id{2}, 101));
    EXPECT_THAT(sender.ended, ElementsAre());
}

TEST(Sending, anybody_may_answer_a_broadcast) {
    Sender sender;
    sender.sending.post(
        {.to = everyone, .datagram = {.type = Type::masterreq}, .wanted = Type::masterack});
    EXPECT_TRUE(sender.sending.acknowledge(Type::masterack, Id{9}, 101));
}

TEST(Sending, numbers_count_up_and_leave_out_zero) {
    Sender sender(0xfffe);
    sender.say(Id{2});
    sender.say(Id{3});
    sender.say(Id{4});
    EXPECT_THAT(sender.numbers, ElementsAre(0xffff, 1, 2));
}

TEST(Sending, a_delayed_answer_is_not_sent_before_its_time) {
    Sender sender;
    const Time begun = net::boot_time();
    sender.sending.post({.to = Id{2}, .datagram = {.type = Type::accept}, .delay = 20ms});
    EXPECT_TRUE(sender.sent.empty());
    EXPECT_FALSE(sender.sending.acknowledge(Type::ack, Id{2}, 101));
    while (sender.sent.empty() && net::boot_time() < begun + 10s) sender.loop.step(50ms);
    EXPECT_GE(net::boot_time() - begun, 20ms);
}

TEST(Sending, what_is_no_longer_wanted_is_forgotten) {
    Sender sender;
    sender.say(Id{2});
    sender.say(Id{3}, Type::quit);
    sender.sending.forget(Type::adjtime);
    sender.sending.forget_same(Id{3}, Type::quit);
    sender.loop.step(30ms);
    EXPECT_EQ(sender.sent.size(), 2u);
    EXPECT_TRUE(sender.ended.empty());
}

}  // namespace sending_test
}  // namespace conclave::timed
