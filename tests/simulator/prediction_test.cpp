// The number of messages that a card states holds in every run that it speaks of.
#include <gtest/gtest.h>

#include "conclave/simulator/scenario/validate.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::simulator {
namespace prediction_test {

Outcome run(const Engine& engine, std::uint32_t nodes, std::string_view initiators,
            std::uint64_t seed, bool best_is_down) {
    std::vector<options::Given> said{{"algorithm", std::string(engine.card->name), {}},
                                     {"nodes", std::to_string(nodes), {}},
                                     {"initiators", std::string(initiators), {}},
                                     {"seed", std::to_string(seed), {}}};
    if (best_is_down) said.push_back({"crash", std::to_string(nodes) + "@0s", {}});
    Scenario scenario;
    EXPECT_EQ(tell_sound(scenario, said), "");
    return engine.simulate(scenario, {});
}

TEST(Prediction, every_run_takes_as_many_messages_as_its_card_states) {
    std::size_t stated = 0;
    for (const Engine& engine : engines()) {
        if (engine.card->predict == nullptr) continue;
        for (std::uint32_t nodes = 2; nodes <= 17; ++nodes)
            for (const bool all : {false, true})
                for (const bool down : {false, true}) {
                    const Census census{nodes, all ? nodes : 1, down ? 1u : 0u};
                    const Prediction predicted = engine.card->predict(census);
                    if (!predicted.stated()) continue;
                    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
                        const std::string one = std::to_string(1 + seed % (nodes - census.down));
                        const Outcome outcome = run(engine, nodes, all ? "all" : one, seed, down);
                        ++stated;
                        EXPECT_GE(outcome.messages, predicted.least)
                            << engine.card->name << " " << nodes << " " << all << " " << seed;
                        EXPECT_LE(outcome.messages, predicted.most)
                            << engine.card->name << " " << nodes << " " << all << " " << seed;
                    }
                }
    }
    EXPECT_GT(stated, 2000u);
}

TEST(Prediction, the_ends_of_chang_roberts_are_reached) {
    const Engine& engine = *find_engine("chang-roberts");
    const auto messages = [&](std::string_view order, std::string_view initiators) {
        Scenario scenario;
        EXPECT_EQ(
            tell_sound(scenario,
                       std::vector<options::Given>{{"algorithm", "chang-roberts", {}},
                                                   {"nodes", "9", {}},
                                                   {"order", std::string(order), {}},
                                                   {"initiators", std::string(initiators), {}}}),
            "");
        return engine.simulate(scenario, {}).messages;
    };
    const Prediction one = engine.card->predict({9, 1, 0}), all = engine.card->predict({9, 9, 0});
    EXPECT_EQ(messages("ascending", "9"), one.least);
    EXPECT_EQ(messages("ascending", "1"), one.most);
    EXPECT_EQ(messages("ascending", "all"), all.least);
    EXPECT_EQ(messages("descending", "all"), all.most);
}

}  // namespace prediction_test
}  // namespace conclave::simulator
