#include "conclave/clock/master.hpp"

#include <gtest/gtest.h>

#include "tests/clock/noise.hpp"

namespace conclave::clock {
namespace master_test {

using namespace std::chrono_literals;

// A master and its slaves with clocks of constant rates, over a path of 50 us both ways.
class Network {
public:
    struct Slave {
        Id id;
        Line raw;  // its clock minus the master's
        Keeper keeper{};
    };

    Network() { enthrone(); }
    void enthrone() { master.emplace(Id{1}, raw(), keeper); }
    void add(std::uint32_t id, Duration offset, Rate rate) {
        slaves.push_back({Id{id}, {now, offset, rate}});
    }
    // The master's own clock may jump: all slaves then seem to.
    Time raw() const { return now + jump; }

    void run(Duration time) {
        for (const Time end = now + time; now < end; now += 1s) {
            for (Slave& slave : slaves) probe(slave);
            master->decide(raw(), keeper);
            if (master->founded() && !master->must_resign())
                keeper.lead(raw(), master->own_correction(raw()));
        }
    }
    void probe(Slave& slave) {
        for (int i = 0; i < 8; ++i) {
            const Duration offset = slave.raw(now) - jump;
            const Time here = raw() + i * 100ms;
            const Exchange exchange =
                exchange_at(here, offset + over(slave.raw.rate, i * 100ms), 50us, 50us);
            if (const auto correction = master->correction_for(slave.id, here))
                slave.keeper.hear(exchange.received, *correction);
            master->learn(slave.id, exchange, slave.keeper.report(exchange.received));
        }
    }
    // What a slave's user sees against what the master's user sees.
    Duration apart(const Slave& slave) const {
        return slave.keeper.read(now + slave.raw(now)) - keeper.read(raw());
    }

    Time now{};
    Duration jump{};
    Keeper keeper;
    std::optional<Master> master;
    std::vector<Slave> slaves;
};

TEST(Master, without_a_past_takes_the_mean_of_the_clocks_that_agree) {
    Network network;
    network.add(2, 30ms, ppm(10));
    network.add(3, 60ms, ppm(-20));
    network.add(4, 2h, ppm(5));
    network.run(10s);
    ASSERT_TRUE(network.master->founded());
    EXPECT_LT(magnitude(network.keeper.servo().offset(10s) - 30ms), 1ms);
    for (const auto& slave : network.slaves) EXPECT_LT(magnitude(network.apart(slave)), 5us);
}

TEST(Master, with_a_past_goes_on_with_the_line_that_it_followed) {
    Network network;
    network.keeper.hear(0s, {{4, Id{9}}, {0s, 7ms, ppm(12)}, 1us, ppb(10), 5});
    network.enthrone();
    EXPECT_TRUE(network.master->founded());
    EXPECT_EQ(network.master->term(), (Term{5, Id{1}}));
    EXPECT_EQ(network.master->network(), (Line{0s, 7ms, ppm(12)}));
}

TEST(Master, joining_and_leaving_move_neither_phase_nor_rate) {
    Network network;
    network.add(2, 1ms, ppm(10));
    network.add(3, 2ms, ppm(-20));
    network.run(120s);
    const Line before = network.master->network();
    network.add(4, 3ms, ppm(400));
    network.run(120s);
    network.slaves.erase(network.slaves.begin());
    network.master->strike_off(Id{2});
    network.run(60s);
    const Line after = network.master->network();
    EXPECT_LT(magnitude(after.rate - before.rate), ppb(2));
    EXPECT_LT(magnitude(before(after.at) - after.offset), 1us);
}

TEST(Master, a_slave_that_breaks_is_not_heard_and_itself_corrected) {
    Network network;
    for (std::uint32_t id = 2; id <= 5; ++id) network.add(id, 1ms, ppm(id));
    network.run(100s);
    const Line before = network.master->network();
    Line& broken = network.slaves[0].raw;
    broken = {network.now, broken(network.now), broken.rate + ppm(500)};
    network.run(3s);
    EXPECT_EQ(network.master->find(Id{2})->fault, Fault::moved);
    EXPECT_FALSE(network.master->must_resign());
    network.run(60s);
    const Line after = network.master->network();
    EXPECT_LT(magnitude(before(after.at) - after.offset), 1us);
    EXPECT_LT(magnitude(network.apart(network.slaves[0])), 10us);
}

TEST(Master, resigns_when_most_slaves_seem_to_have_moved_at_once) {
    Network network;
    for (std::uint32_t id = 2; id <= 5; ++id) network.add(id, 1ms, ppm(id));
    network.run(60s);
    network.jump = 20ms;
    network.run(2s);
    EXPECT_TRUE(network.master->must_resign());
    EXPECT_EQ(network.master->correction_for(Id{2}, network.raw()), std::nullopt);
}

TEST(Master, resigns_when_most_slaves_complain) {
    Network network;
    for (std::uint32_t id = 2; id <= 4; ++id) network.add(id, 1ms, ppm(id));
    network.run(20s);
    Report complaint = network.slaves[0].keeper.report(network.now);
    complaint.complains = true;
    const auto complain = [&](std::size_t i) {
        const Exchange exchange =
            exchange_at(network.raw(), network.slaves[i].raw(network.now), 50us, 50us);
        network.master->learn(network.slaves[i].id, exchange, complaint);
        network.master->decide(network.raw(), network.keeper);
    };
    complain(0);
    EXPECT_FALSE(network.master->must_resign());
    complain(1);
    EXPECT_TRUE(network.master->must_resign());
}

TEST(Master, takes_over_the_time_of_a_side_with_more_clocks_and_not_of_one_with_fewer) {
    for (const std::uint32_t clocks : {9u, 2u}) {
        Network network;
        for (std::uint32_t id = 2; id <= 4; ++id) network.add(id, 1ms, ppm(id));
        network.run(60s);
        const Line before = network.master->network();
        network.add(7, 0ms, ppm(7));
        network.slaves.back().keeper.hear(
            network.now,
            {{8, Id{9}}, {network.now, before(network.now) + 300us, {}}, 1us, {}, clocks});
        network.run(30s);
        const Line after = network.master->network();
        const Duration moved = after.offset - before(after.at);
        EXPECT_NEAR(static_cast<double>(moved.count()), clocks == 9 ? 300'000 : 0, 8'000) << clocks;
        EXPECT_GT(network.master->term().number, 8u);
        for (const auto& slave : network.slaves)
            EXPECT_LT(magnitude(network.apart(slave)), 10us) << clocks;
    }
}

TEST(Master, a_date_change_takes_everybody_along_at_once) {
    Network network;
    network.add(2, 30ms, ppm(10));
    network.add(3, -20ms, ppm(-20));
    network.run(20s);
    const Time before = network.keeper.read(network.raw());
    network.master->change_date(network.raw(), -1h);
    network.run(2s);
    EXPECT_LT(magnitude(network.keeper.read(network.raw()) - before + 1h - 2s), 1ms);
    for (const auto& slave : network.slaves) EXPECT_LT(magnitude(network.apart(slave)), 10us);
    EXPECT_FALSE(network.master->must_resign());
    network.enthrone();  // the next master counts on
    EXPECT_EQ(network.master->date_changes(), 1u);
}

}  // namespace master_test
}  // namespace conclave::clock
