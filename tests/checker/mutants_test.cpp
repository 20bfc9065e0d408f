// The checker finds what is broken: a row of the table that does not apply, a process that compares
// the wrong way round, a message that is never sent; in every algorithm.
#include <gtest/gtest.h>

#include <map>
#include <ostream>

#include "conclave/simulator/engines.hpp"
#include "tests/checker/settled.hpp"

namespace conclave::checker {

static void PrintTo(const Engine& engine, std::ostream* out) { *out << engine.card->name; }

namespace {

// Systems in which the unbroken algorithm keeps its promises.
std::vector<Query> sound(std::string_view name) {
    std::vector<Query> list;
    if (name == "tempo") {
        list = {late(daemons(3, 20), {Id{2}, Id{3}}, 7)};
        list[0].budget.calls = 1;
    } else if (name == "nemeth") {
        list = {exchange(3, 16)};
        list[0].budget.crashes = 1;
    } else if (find_engine(name)->card->network == Network::full) {
        list = {in_step(name, 3)};
        list[0].tick = std::chrono::microseconds(500);  // a delay is half of what timeouts expect
        list[0].ticks_max = 100;
        if (name == "bully" || name == "consensus") list[0].settings = failing_bully(3).settings;
    } else {
        list = {all_call(name, 3), all_call(name, 3)};
        std::reverse(list[1].ring.begin(), list[1].ring.end());
        list.push_back(all_call(name, 3));
        list.back().initiators = {Id{1}};
    }
    for (Query& query : list) query.states_max = 20'000;
    return list;
}

// What a search tells of an algorithm: what is violated, or else what was never at stake.
std::string verdict_on(const Query& query) {
    const Verdict verdict = ask(query);
    if (verdict.answer == Verdict::Answer::violated) return verdict.property;
    std::string never;
    for (const std::string& name : verdict.untested) never += " " + name;
    return never;
}

// The systems, and what is known of the unbroken algorithm in each.
class Bench {
public:
    explicit Bench(std::string_view name) : systems_(sound(name)) {
        for (const Query& query : systems_) before_.push_back(verdict_on(query));
    }
    template <class Plant>
    bool finds(const Plant& plant) const {
        for (std::size_t i = 0; i < systems_.size(); ++i) {
            Query query = systems_[i];
            plant(query);
            if (verdict_on(query) != before_[i]) return true;
        }
        return false;
    }

private:
    std::vector<Query> systems_;
    std::vector<std::string> before_;
};

class Planted : public testing::TestWithParam<Engine> {};

TEST_P(Planted, the_unbroken_algorithm_is_sound) {
    for (const Query& query : sound(GetParam().card->name))
        EXPECT_NE(ask(query).answer, Verdict::Answer::violated) << ask(query).what;
}

// So many are found: messages that are never sent, rows that do not apply, and whether one that
// compares the wrong way round is. The others change nothing that is promised of these systems (a
// task without parts, an option that is off, a message that is only repeated), or take longer than
// the search looks; tests/mutation finds those by what they cost. Invitation promises nothing of
// single worlds before it is quiet, and it never is. Where no rank is compared, nobody can compare
// it the wrong way round.
const std::map<std::string_view, std::string> expected{
    {"archimedean", "3 of 3 messages, 0 of 0 rows"},
    {"bully", "2 of 6 messages, 0 of 0 rows, contrary"},
    {"chang-roberts", "2 of 2 messages, 0 of 0 rows, contrary"},
    {"consensus", "2 of 6 messages, 0 of 0 rows, contrary"},
    {"dolev-klawe-rodeh", "3 of 3 messages, 0 of 0 rows, contrary"},
    {"franklin", "2 of 2 messages, 0 of 0 rows, contrary"},
    {"hirschberg-sinclair", "3 of 3 messages, 0 of 0 rows, contrary"},
    {"invitation", "0 of 4 messages, 0 of 0 rows"},
    {"itai-rodeh", "2 of 4 messages, 0 of 0 rows"},
    {"le-lann", "1 of 1 messages, 0 of 0 rows"},
    {"multicast", "2 of 4 messages, 0 of 0 rows, contrary"},
    {"nemeth", "3 of 7 messages, 3 of 18 rows"},
    {"repaired-chang-roberts", "2 of 2 messages, 0 of 0 rows, contrary"},
    {"ring-basic", "2 of 2 messages, 0 of 0 rows, contrary"},
    {"ring-collect", "1 of 2 messages, 0 of 0 rows, contrary"},
    {"tempo", "4 of 13 messages, 7 of 54 rows"},
};

TEST_P(Planted, mutants_are_found) {
    const std::string_view name = GetParam().card->name;
    const simulator::Engine& engine = *simulator::find_engine(name);
    const Bench bench(name);
    std::size_t messages = 0, rows = 0;
    for (std::size_t i = 0; i < engine.messages.size(); ++i)
        messages += bench.finds([&](Query& query) { query.mute = std::uint64_t{1} << i; });
    for (std::size_t i = 0; i < engine.rows.size(); ++i)
        rows += bench.finds([&](Query& query) { query.rows_off = std::uint64_t{1} << i; });
    const bool contrary = bench.finds([&](Query& query) { query.contrary = Id{1}; });
    const std::string found = std::to_string(messages) + " of " +
                              std::to_string(engine.messages.size()) + " messages, " +
                              std::to_string(rows) + " of " + std::to_string(engine.rows.size()) +
                              " rows" + (contrary ? ", contrary" : "");
    EXPECT_EQ(found, expected.at(name));
}

INSTANTIATE_TEST_SUITE_P(Each, Planted, testing::ValuesIn(engines().begin(), engines().end()),
                         [](const auto& row) {
                             std::string name(row.param.card->name);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace conclave::checker
