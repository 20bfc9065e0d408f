// A master and its slaves, as tests of the master need them.
#pragma once

#include "conclave/clock/master.hpp"
#include "tests/clock/noise.hpp"

namespace conclave::clock {

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
    void enthrone() { master.emplace(Id{1}, raw(), keeper, settings); }
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
                keeper.lead(raw(), master->own_correction(raw()), master->backed());
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
    // The same, but for what the slave is told: so many samples.
    void measure(const Slave& slave, int samples) {
        for (int i = 0; i < samples; ++i) {
            const Time here = raw() + i * 100ms;
            const Exchange exchange =
                exchange_at(here, slave.raw(now + i * 100ms) - jump, 50us, 50us);
            master->learn(slave.id, exchange, slave.keeper.report(exchange.received));
        }
    }
    // What a slave's user sees against what the master's user sees.
    Duration apart(const Slave& slave) const {
        return slave.keeper.read(now + slave.raw(now)) - keeper.read(raw());
    }

    Time now{};
    Duration jump{};
    MasterSettings settings{};
    Keeper keeper;
    std::optional<Master> master;
    std::vector<Slave> slaves;
};

}  // namespace conclave::clock
