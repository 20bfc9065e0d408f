// Gusella & Zatti's way of keeping time: every round the master asks everybody a few times, takes
// the mean of the clocks that agree, and tells each the difference.
#pragma once

#include "conclave/simulator/time/time_stage.hpp"

namespace conclave::simulator {

class TimePaper : protected TimeStage {
protected:
    using TimeStage::TimeStage;
    ~TimePaper() = default;

    // Asks, and half a second later tells.
    void begin_round(TimeNode& node) {
        using namespace std::chrono_literals;
        constexpr std::uint32_t quick_probes = 8;  // of which it takes the quickest
        plan(scenario_.probe, What::decide, node.id, nobody, node.reign);
        node.round.clear();
        outcome_.slave_seconds += node.slaves.size();
        const Time begun = now_;
        for (std::uint32_t i = 0; i < quick_probes; ++i, now_ += 20ms)
            for (const Id slave : node.slaves)
                launch({node.id, slave, node.reign, {raw(node)}, {}, {}, {}, false});
        now_ = begun;
        plan(500ms + 4 * scenario_.path, What::adjust, node.id, nobody, node.reign);
    }
    void learn_shown(TimeNode& node, const TimePacket& packet) {
        const Duration mine = node.plain.offset(packet.exchange.returned);
        clock::Exchange seen = packet.exchange;
        seen.asked += mine;
        seen.returned += mine;
        seen.received += packet.plain;
        seen.answered += packet.plain;
        ++outcome_.estimates;
        node.round.learn(packet.slave, clock::sample_of(seen));
    }
    void adjust(TimeNode& node, std::uint32_t reign) {
        if (!node.master || node.reign != reign) return;
        std::vector<clock::TempoRound::Difference> slaves;
        make_up(node, node.round.decide(scenario_.interval, slaves));
        for (const auto& [slave, by] : slaves)
            post({node.id, slave, node.reign, {}, {}, {}, by, false}, node.id, slave, What::obey);
    }
    void make_up(TimeNode& node, Duration by) {
        const Time here = raw(node);
        const clock::Line line{here, node.plain.offset(here) + by, {}};
        if (node.plain_set) {
            const auto did = node.plain.steer(here, line);
            if (did == clock::Servo::Did::stepped) note_step(node, true, by);
        } else {
            node.plain.set(line);
            tell("node " + text(node.id) + " is set and ready");
        }
        node.plain_set = true;
    }
};

}  // namespace conclave::simulator
