// Breaks an algorithm in every way that the simulator can, one way at a time, and asks whether any
// of its promises notices: each row of its table switched off, each message left out or sent twice,
// each timer never set or never stopped, nobody ever followed, nothing ever stored.
//
//     TEST(Mutants, of_bully_are_killed) {
//         const Promises promises{
//             {"the best of five is elected", [](const Simulate& simulate) {
//                  Scenario scenario;                      // small: it runs once for each mutant,
//                  scenario.until = 50ms;                  // and ends, whatever the mutant does
//                  return simulate(scenario).leader == Id{5};
//              }},
//             {"an election of five takes 14 messages", ...},
//         };
//         expect_killed("bully", promises, {{"double Answer", "a second answer changes nothing"}});
//     }
//
// A mutant that keeps every promise fails the test, unless it is on the list of the equivalent ones
// with the reason. So does one on that list that is killed, or that does not exist.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::mutation {

using simulator::Engine;
using simulator::Mutation;
using simulator::Outcome;
using simulator::Scenario;

// Simulates the algorithm as the mutant at hand has it; check its outcome.
struct Simulate {
    const Engine* engine;
    Mutation mutation;
    Outcome operator()(Scenario scenario) const {
        scenario.algorithm = engine->card->name;
        scenario.mutation = mutation;
        return engine->simulate(scenario, {});
    }
};

struct Promise {
    std::string sentence;
    std::function<bool(const Simulate&)> kept;
};
using Promises = std::vector<Promise>;

struct Equivalent {
    std::string mutant, reason;
};

struct Mutant {
    std::string name;
    Mutation mutation;
};

// "row 3: ...", "drop Vote", "double Vote", "never set Patience", "never stop Patience",
// "drop follow", "drop store".
inline std::vector<Mutant> mutants_of(const Engine& engine) {
    using What = Mutation::What;
    std::vector<Mutant> list;
    for (std::size_t i = 0; i < engine.rows.size(); ++i)
        list.push_back({"row " + std::to_string(i) + ": " + engine.rows[i],
                        {.rows_off = std::uint64_t{1} << i}});
    const auto add = [&](const std::string& how, What what, const auto& names) {
        for (std::size_t i = 0; i < names.size(); ++i)
            list.push_back({how + std::string(names[i]),
                            {.what = what, .which = static_cast<std::uint8_t>(i)}});
    };
    add("drop ", What::drop_send, engine.messages);
    add("double ", What::double_send, engine.messages);
    add("never set ", What::drop_set, engine.timers);
    add("never stop ", What::drop_stop, engine.timers);
    list.push_back({"drop follow", {.what = What::drop_follow}});
    if (engine.stores) list.push_back({"drop store", {.what = What::drop_store}});
    return list;
}

// The first promise that the mutant breaks; null: it survives.
inline const Promise* killer_of(const Simulate& simulate, const Promises& promises) {
    for (const Promise& promise : promises)
        if (!promise.kept(simulate)) return &promise;
    return nullptr;
}

// The complaints; none: all is well. Apart from expect_killed so that it can itself be tested.
inline std::vector<std::string> judge_mutants(const Engine& engine, const Promises& promises,
                                              std::vector<Equivalent> equivalents) {
    if (const Promise* broken = killer_of({&engine, {}}, promises))
        return {"unbroken, it does not keep the promise: " + broken->sentence};
    std::vector<std::string> complaints;
    for (const Mutant& mutant : mutants_of(engine)) {
        const auto named = [&](const Equivalent& e) { return e.mutant == mutant.name; };
        const bool listed = std::erase_if(equivalents, named) != 0;
        const Promise* killer = killer_of({&engine, mutant.mutation}, promises);
        if (killer == nullptr && !listed)
            complaints.push_back("survives: " + mutant.name);
        else if (killer != nullptr && listed)
            complaints.push_back("not equivalent: " + mutant.name +
                                 ", which breaks the promise: " + killer->sentence);
    }
    for (const Equivalent& left : equivalents)
        complaints.push_back("there is no mutant '" + left.mutant + "' (" + left.reason + ")");
    return complaints;
}

inline void expect_killed(std::string_view algorithm, const Promises& promises,
                          const std::vector<Equivalent>& equivalents = {}) {
    const Engine* engine = simulator::find_engine(algorithm);
    ASSERT_NE(engine, nullptr) << algorithm;
    for (const std::string& complaint : judge_mutants(*engine, promises, equivalents))
        ADD_FAILURE() << algorithm << ": " << complaint;
}

}  // namespace conclave::mutation
