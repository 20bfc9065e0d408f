#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "conclave/simulator/cluster/cluster.hpp"
#include "conclave/simulator/simulation_engines.hpp"
#include "conclave/simulator/world/draws.hpp"
#include "conclave/simulator/world/next_event.hpp"
#include "conclave/simulator/world/wheel.hpp"
#include "conclave/simulator/world/world.hpp"
#include "tests/simulator/random_scenario.hpp"

namespace conclave::simulator {
namespace engine_test {

using namespace std::chrono_literals;
using testing::ElementsAre;

// Sets a timer into the past.
struct Hasty {
    static constexpr Card card{"hasty", "-",       conclave::Network::full, Links::any,
                               "none",  "nothing", {false, false, false}};
    struct Word {};
    struct Overdue {};
    using Turn = conclave::Turn<Types<Word>, Types<Overdue>>;

    Time rang{};
    bool operator==(const Hasty&) const = default;

    void on(Call, Turn& turn) { turn.set<Overdue>(-1s); }
    void on(Overdue, Turn& turn) { rang = turn.now; }
    void on(Word, Turn&) {}
};

TEST(Engines, call_no_two_messages_or_timers_the_same) {
    for (const std::string_view name : {"cluster-bully", "cluster-tempo", "lease"})
        for (auto names : {find_engine(name)->messages, find_engine(name)->timers}) {
            std::sort(names.begin(), names.end());
            EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end()) << name;
        }
    EXPECT_THAT(find_engine("cluster-bully")->messages,
                testing::IsSupersetOf({"Ask", "lease-Ask"}));
}

TEST(Engines, let_a_run_be_watched_without_changing_it) {
    std::vector<Engine> all(engines().begin(), engines().end());
    all.insert(all.end(), cluster_engines().begin(), cluster_engines().end());
    for (const Engine& engine : all) {
        Scenario scenario;
        scenario.algorithm = engine.card->name;
        scenario.until = 300ms;
        scenario.storm = 200ms;
        Decisions decisions(scenario.seed);
        const auto world = engine.open_world(scenario, decisions, nullptr);
        for (Time now{}; now <= *scenario.until; now += 7ms) world->run_until(now);
        world->run_until(*scenario.until);
        EXPECT_EQ(to_json(world->finish()), to_json(engine.simulate(scenario, {})))
            << engine.card->name;
    }
}

// ---------------------------------------------------------------- queues

TEST(Queue, gives_first_what_came_first) {
    Queue<int> queue;
    int pushed = 0, popped = 0;
    for (std::uint64_t i = 0; i < 10'000; ++i) {
        for (std::uint64_t n = below(150, mix(i)); n != 0; --n) queue.push() = pushed++;
        for (std::uint64_t n = below(160, mix(~i)); n != 0 && !queue.empty(); --n) {
            ASSERT_EQ(queue.front(), popped++);
            queue.pop();
        }
    }
    EXPECT_GT(popped, 500'000);
}

TEST(Queue, is_empty_after_its_last_item_and_holds_more_later) {
    Queue<int> queue;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 64; ++i) queue.push() = i;  // exactly a chunk
        for (int i = 0; i < 64; ++i, queue.pop()) ASSERT_EQ(queue.front(), i);
        EXPECT_TRUE(queue.empty());
    }
}

TEST(Queue, holds_still_what_is_in_front) {
    Queue<int> queue;
    queue.push() = 7;
    const int& front = queue.front();
    for (int i = 0; i < 1000; ++i) queue.push() = i;
    EXPECT_EQ(&front, &queue.front());
    EXPECT_EQ(front, 7);
}

// Pushes and pops the same at random from both; `delay` says how far ahead of the present.
template <class Delay>
void expect_the_order_of_the_heap(std::uint64_t seed, const Delay& delay) {
    Wheel<int> wheel;
    Heap<int> heap;
    int number = 0;
    Time now{};
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        const bool growing = (i / 2'000) % 2 == 0;
        for (std::uint64_t n = below(growing ? 4 : 2, mix(seed + i)); n != 0; --n) {
            const Time time = now + Duration{delay(mix(mix(seed + i) + n))};
            heap.push({time, static_cast<std::uint64_t>(++number), number});
            wheel.push(time) = number;
        }
        ASSERT_EQ(wheel.next_time(), heap.next_time());
        if (heap.empty() || below(8, mix(~(seed + i))) == 0) continue;
        now = heap.next_time();
        ASSERT_EQ(wheel.pop(), heap.pop().what) << "of seed " << seed << " at " << i;
    }
}

TEST(Wheel, gives_the_order_of_the_heap) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const auto up_to = [&](std::uint64_t most) {
            expect_the_order_of_the_heap(seed, [=](std::uint64_t bits) {
                return static_cast<std::int64_t>(below(most, bits));
            });
        };
        up_to(1);  // all at once
        up_to(2);
        up_to(100);
        up_to(5'000);
        up_to(10'000'000);
        up_to(std::uint64_t{1} << 52);
        expect_the_order_of_the_heap(seed, [](std::uint64_t bits) {
            return draw_delay({Delay::Shape::exponential, 1ms, {}}, bits);
        });
        expect_the_order_of_the_heap(seed, [](std::uint64_t bits) {  // now, soon, or much later
            return std::array<std::int64_t, 4>{0, 1, 1'000, 1'000'000'000}[bits >> 62];
        });
    }
}

TEST(Wheel, takes_what_is_due_before_all_that_waits) {
    Wheel<int> wheel;
    wheel.push(1s) = 1;
    EXPECT_EQ(wheel.next_time(), 1s);
    wheel.push(1ms) = 2;
    wheel.push(1ms) = 3;
    EXPECT_EQ(wheel.pop(), 2);
    wheel.push(1ms) = 4;
    wheel.push(2ms) = 5;
    std::vector<int> rest;
    while (wheel.next_time() != never) rest.push_back(wheel.pop());
    EXPECT_THAT(rest, ElementsAre(3, 4, 5, 1));
}

TEST(Wheel, can_wait_for_centuries) {
    Wheel<int> wheel;
    wheel.push(never - 1ns) = 2;
    wheel.push(never - 2ns) = 1;
    wheel.push(0ns) = 0;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(wheel.pop(), i);
    EXPECT_EQ(wheel.next_time(), never);
}

TEST(Heap, gives_equal_times_in_the_order_of_their_numbers) {
    Heap<int> heap;
    heap.push({2ms, 1, 1});
    heap.push({1ms, 2, 2});
    heap.push({1ms, 4, 4});
    heap.push({1ms, 3, 3});
    std::vector<int> order;
    while (!heap.empty()) order.push_back(heap.pop().what);
    EXPECT_THAT(order, ElementsAre(2, 3, 4, 1));
}

// ---------------------------------------------------------------- whole runs

// A traced run uses the heap, all others the queue or the wheel.
TEST(Engines, run_alike_whether_anybody_watches_or_not) {
    for (const Engine& engine : engines())
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const Scenario scenario = tests::random_scenario(seed, engine.card->name);
            trace::Trace trace;
            const Outcome watched = engine.simulate(scenario, {.trace = &trace});
            const Outcome alone = engine.simulate(scenario, {});
            ASSERT_EQ(watched.digest, alone.digest) << engine.card->name << ", seed " << seed;
            ASSERT_EQ(to_json(watched), to_json(alone)) << engine.card->name << ", seed " << seed;
        }
}

TEST(Engines, use_the_queue_without_giving_it_away) {
    for (const Engine& engine : engines())
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            Scenario scenario = tests::random_scenario(seed, engine.card->name);
            scenario.delay = {};
            scenario.links.clear();
            scenario.reordering = {};
            scenario.pauses.clear();
            if (seed % 2 == 0) scenario.loss = scenario.duplication = {};
            if (seed % 4 == 0) scenario.partitions.clear(), scenario.cuts.clear();
            trace::Trace trace;
            const Outcome watched = engine.simulate(scenario, {.trace = &trace});
            const Outcome alone = engine.simulate(scenario, {});
            ASSERT_EQ(watched.digest, alone.digest) << engine.card->name << ", seed " << seed;
            ASSERT_EQ(to_json(watched), to_json(alone)) << engine.card->name << ", seed " << seed;
        }
}

Scenario all_call(std::uint32_t nodes) {
    Scenario scenario;
    scenario.nodes = nodes;
    scenario.initiators.who = Initiators::Who::all;
    return scenario;
}

Outcome run(const Scenario& scenario) {
    return find_engine("chang-roberts")->simulate(scenario, {});
}

// The same with every compiler, whatever it optimises.
TEST(Engines, give_the_digests_they_have_always_given) {
    Scenario scenario = all_call(1000);
    EXPECT_EQ(run(scenario).digest, 9224989521709486440u);
    scenario.loss = scenario.duplication = {std::uint64_t{1} << 22};
    EXPECT_EQ(run(scenario).digest, 11552111193130536653u);
    scenario.loss = scenario.duplication = {};
    scenario.delay = {Delay::Shape::exponential, 1ms, {}};
    EXPECT_EQ(run(scenario).digest, 9769137567329456805u);
}

TEST(Engines, give_another_digest_for_another_seed) {
    Scenario scenario = all_call(100);
    const std::uint64_t one = run(scenario).digest;
    scenario.seed = 2;
    EXPECT_NE(run(scenario).digest, one);
}

TEST(Engines, count_messages_and_bits) {
    Scenario scenario = all_call(100);
    scenario.order.how = Order::How::descending;  // the worst: N(N+1)/2 + N messages
    const Outcome outcome = run(scenario);
    EXPECT_EQ(outcome.messages, 100u * 101 / 2 + 100);
    EXPECT_EQ(outcome.delivered, outcome.messages);
    EXPECT_EQ(outcome.copies, outcome.messages);
    EXPECT_EQ(outcome.bits, outcome.messages * 8 * (1 + sizeof(Rank)));
    EXPECT_EQ(outcome.ended, 200ms);
    EXPECT_EQ(outcome.turnaround, 200ms);
}

TEST(Engines, agree_on_the_count_whatever_the_delay) {
    Scenario scenario = all_call(2'000);
    const std::uint64_t messages = run(scenario).messages;
    scenario.delay = {Delay::Shape::exponential, 1ms, {}};
    EXPECT_EQ(run(scenario).messages, messages);
    scenario.delay = {Delay::Shape::uniform, 0ms, 10ms};
    EXPECT_EQ(run(scenario).messages, messages);
}

TEST(Engines, hold_back_what_partitions_cut_off) {
    Scenario scenario = all_call(4);
    scenario.partitions.push_back({{{Id{1}, Id{2}}, {Id{3}, Id{4}}}, {}});
    const Outcome outcome = run(scenario);
    EXPECT_EQ(outcome.end, Outcome::End::leaderless);
    EXPECT_LT(outcome.delivered, outcome.copies);
}

TEST(World, lets_a_timer_that_is_set_into_the_past_ring_at_once) {
    Scenario scenario;
    scenario.nodes = 1;
    scenario.initiators.who = Initiators::Who::none;
    scenario.calls.push_back({Id{1}, 10ms});
    Decisions decisions(1);
    World<Hasty> world(scenario, {}, decisions);
    world.run_until(1s);
    EXPECT_EQ(world.now(), 10ms);
    EXPECT_EQ(world.node(Id{1}).rang, 10ms);
}

}  // namespace engine_test
}  // namespace conclave::simulator
