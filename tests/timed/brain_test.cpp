// When a slave stands for election, and what it does before.
#include "conclave/timed/daemon/tempo_host.hpp"

#include <gtest/gtest.h>

#include <set>

namespace conclave::timed {
namespace brain_test {

using namespace std::chrono_literals;

constexpr Id master{9};

struct Recorder final : TempoHost::Stage {
    explicit Recorder(net::Loop& its_loop) : loop(its_loop) {}
    void send(Id, const TempoHost::Message& message) override {
        if (std::holds_alternative<Tsp::Election>(message)) stood = loop.time();
    }
    void turned() override {}
    bool may_lead() const override { return eligible; }
    void plead() override { pleas.push_back(loop.time()); }
    bool ask(Id) override {
        if (can_ask && asked++ == 0) first_asked = loop.time();
        return can_ask;
    }

    net::Loop& loop;
    Time stood = never, first_asked = never;
    std::uint32_t asked = 0;
    std::vector<Time> pleas;
    bool eligible = true, can_ask = true;
};

Timing quick_timing(Duration range = {}) {
    Timing timing = own_timing(1s);
    timing.election.r = 10ms;
    timing.election.R = range;
    timing.ask = 1ms;
    return timing;
}

// A slave of the master above.
struct Slave {
    Slave(net::Loop& loop, std::uint64_t seed) : stage(loop), brain(loop, Id{2}, seed, stage) {
        brain.set_timing(own_timing(1s));
        brain.start();
        brain.hear(master, Tsp::Masterup{});
    }
    Recorder stage;
    TempoHost brain;
};

void run(net::Loop& loop, Duration time) {
    for (const Time end = loop.time() + time; loop.time() < end;) loop.step(end - loop.time());
}

TEST(TempoHost, a_slave_asks_its_master_thirty_times_before_it_stands) {
    net::Loop loop;
    Slave slave(loop, 1);
    slave.brain.set_timing(quick_timing());
    run(loop, 400ms);
    EXPECT_EQ(slave.stage.asked, 30u);
    EXPECT_NE(slave.stage.stood, never);
}

TEST(TempoHost, a_master_that_answers_is_not_replaced) {
    net::Loop loop;
    Slave slave(loop, 1);
    slave.brain.set_timing(quick_timing(20ms));
    for (int i = 0; i < 20; ++i) {
        run(loop, 20ms);
        if (slave.stage.asked != 0) slave.brain.hear(master, Tsp::Sync{});
    }
    EXPECT_GT(slave.stage.asked, 0u);
    EXPECT_EQ(slave.stage.stood, never);
}

TEST(TempoHost, one_that_must_not_lead_calls_for_a_master_instead) {
    net::Loop loop;
    Slave slave(loop, 1);
    slave.stage.eligible = slave.stage.can_ask = false;
    slave.brain.set_timing(quick_timing());
    run(loop, 100ms);
    EXPECT_GE(slave.stage.pleas.size(), 2u);
    EXPECT_EQ(slave.stage.stood, never);
}

// How many of these waits differ from all others, to 5 ms.
std::size_t different(const std::vector<Duration>& waits) {
    std::set<std::int64_t> sizes;
    for (const Duration wait : waits) sizes.insert(wait / 5ms);
    return sizes.size();
}

// Two that stood in the same moment would stand in the same moment for ever.
TEST(TempoHost, election_timers_are_drawn_anew_each_time) {
    for (const Timing& timing : {quick_timing(200ms), bsd_timing(5000)}) {
        net::Loop loop;
        Slave slave(loop, 1);
        slave.brain.set_timing(timing);
        std::vector<Duration> waits;
        for (int i = 0; i < 8; ++i) {
            slave.stage.asked = 0;
            slave.brain.hear(master, Tsp::Sync{});
            const Time heard = loop.time();
            while (slave.stage.asked == 0 && loop.time() < heard + 5s) run(loop, 1ms);
            waits.push_back(slave.stage.first_asked - heard);
        }
        EXPECT_GE(different(waits), 4u);
    }
}

TEST(TempoHost, one_that_must_not_lead_calls_for_a_master_at_times_that_are_drawn) {
    net::Loop loop;
    Slave slave(loop, 1);
    slave.stage.eligible = slave.stage.can_ask = false;
    slave.brain.set_timing(quick_timing(200ms));
    while (slave.stage.pleas.size() < 9) run(loop, 10ms);
    std::vector<Duration> waits;
    for (std::size_t i = 1; i < 9; ++i)
        waits.push_back(slave.stage.pleas[i] - slave.stage.pleas[i - 1]);
    EXPECT_GE(different(waits), 4u);
}

TEST(TempoHost, when_the_times_change_election_timers_are_drawn_anew) {
    net::Loop loop;
    std::vector<std::unique_ptr<Slave>> slaves;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        slaves.push_back(std::make_unique<Slave>(loop, seed));
        slaves.back()->stage.can_ask = false;
    }
    for (const auto& slave : slaves) slave->brain.set_timing(quick_timing(300ms));
    run(loop, 400ms);
    std::set<std::int64_t> moments;  // to 10 ms
    for (const auto& slave : slaves) moments.insert(slave->stage.stood / 10ms);
    EXPECT_FALSE(moments.contains(never / 10ms)) << "all stand";
    EXPECT_GE(moments.size(), 5u) << "and not in the same moment";
}

}  // namespace brain_test
}  // namespace conclave::timed
