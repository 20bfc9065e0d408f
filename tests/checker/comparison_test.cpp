// Two threads, other hashes, whole states, fewer steps and turned rings must change nothing that
// matters: every algorithm is searched in all these ways, and the answers and counts compared.
#include <gtest/gtest.h>

#include "conclave/checker/lease_search.hpp"
#include "tests/checker/settled.hpp"

namespace conclave::checker {

namespace comparison_test {

struct System {
    std::string name;
    Query query;
};

// Small enough to be searched many times over. Those that have no end are cut off after a level,
// which is the same level however it is searched.
std::vector<System> systems(const Card& card) {
    std::vector<System> list{{"calm", all_call(card.name, 3)},
                             {"faulty", all_call(card.name, 2)},
                             {"in step", timed(all_call(card.name, 3), 6)}};
    Budget& budget = list[1].query.budget;
    budget.crashes = budget.losses = budget.duplicates = 1;
    list[1].query.detector = true;
    list[2].query.delay_min = 1;
    list[2].query.budget.crashes = 1;
    for (System& system : list) {
        system.query.states_max = 1000;
        system.query.choices_max = 2;  // else random timers give millions of first worlds
    }
    return list;
}

struct Count {
    Verdict::Answer answer;
    std::uint64_t states, transitions, depth;
    std::string property;
    bool operator==(const Count&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Count& c) {
    return out << int(c.answer) << " " << c.property << ", " << c.states << " states, "
               << c.transitions << " transitions, depth " << c.depth;
}

Count count(Query query, bool reduce, bool rotate) {
    query.reduce = reduce;
    query.rotate = rotate;
    const Verdict verdict = ask(query);
    const Searched& done = verdict.searched;
    // Where the search ended early, two threads may have seen more of the last level than one.
    if (verdict.answer == Verdict::Answer::violated) return {verdict.answer, 0, 0, done.depth, ""};
    // A reduced search discards messages to dead nodes at once, so that a world may be quiet before
    // time ends: less is vacuous there.
    const bool unharmed = verdict.answer != Verdict::Answer::unknown;
    const auto answer = unharmed ? Verdict::Answer::holds : verdict.answer;
    return {answer, done.states, done.transitions, done.depth, verdict.property};
}

void expect_same_however_hashed(const Query& query, bool reduce, bool rotate) {
    const Count one = count(query, reduce, rotate);
    Query other = query;
    other.threads = 2;
    EXPECT_EQ(count(other, reduce, rotate), one) << "two threads";
    other.exact = true;
    EXPECT_EQ(count(other, reduce, rotate), one) << "whole states, two threads";
    // Which of several nodes takes the reduced step on a ring that may be turned follows from its
    // fingerprint, so there another hash counts other states; all other counts are the same.
    for (const std::uint64_t salt : {1u, 2u}) {
        if (reduce && rotate) continue;
        other = query;
        other.salt = salt;
        EXPECT_EQ(count(other, reduce, rotate), one) << "salt " << salt;
    }
}

class Comparison : public testing::TestWithParam<Engine> {};

TEST_P(Comparison, of_threads_salts_and_whole_states_finds_no_difference) {
    for (const auto& [name, query] : systems(*GetParam().card)) {
        SCOPED_TRACE(name);
        expect_same_however_hashed(query, false, false);
        expect_same_however_hashed(query, true, true);
    }
}

TEST_P(Comparison, of_reduced_and_full_searches_gives_the_same_answer) {
    for (const auto& [name, query] : systems(*GetParam().card)) {
        SCOPED_TRACE(name);
        const Count full = count(query, false, false);
        for (const auto& [reduce, rotate] : {std::pair{true, false}, {false, true}, {true, true}}) {
            const Count less = count(query, reduce, rotate);
            if (full.answer == Verdict::Answer::unknown) continue;  // cut off in another place
            EXPECT_EQ(less.answer, full.answer) << reduce << rotate;
            EXPECT_LE(less.states, full.states) << reduce << rotate;
        }
    }
}

// Property by property, for a search for all of them ends with the first that is violated.
TEST_P(Comparison, of_reduced_and_full_searches_agrees_on_each_property) {
    for (const std::string_view property :
         {"one-leader", "one-leader-quiet", "leader", "agreement", "informed", "best"})
        for (auto& [name, query] : systems(*GetParam().card)) {
            query.properties = {std::string(property)};
            const Count full = count(query, false, false);
            if (full.answer == Verdict::Answer::unknown) continue;
            EXPECT_EQ(count(query, true, true).answer, full.answer) << name << ", " << property;
        }
}

INSTANTIATE_TEST_SUITE_P(Each, Comparison, testing::ValuesIn(engines().begin(), engines().end()),
                         [](const auto& row) {
                             std::string name(row.param.card->name);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

// Counts are compared only where the answer is that all is well: so it must be, here.
std::vector<System> sound_systems() {
    return {{"bully, two fail", failing_bully(4)},
            {"nemeth", exchange(3, 13)},
            {"ring", worst_ring(5)},
            {"ring in step", in_step("dolev-klawe-rodeh", 3)},
            {"lease", lease_query()}};
}

TEST(Comparison, of_systems_that_hold_finds_the_same_counts) {
    for (const auto& [name, query] : sound_systems()) {
        SCOPED_TRACE(name);
        EXPECT_EQ(ask(query).answer, Verdict::Answer::holds);
        expect_same_however_hashed(query, false, false);
        expect_same_however_hashed(query, true, true);
        const Count full = count(query, false, false), less = count(query, true, true);
        EXPECT_EQ(less.answer, full.answer);
        EXPECT_LE(less.states, full.states);
    }
}

TEST(Symmetry, folds_the_rotations_of_an_anonymous_ring) {
    Query query = all_call("itai-rodeh", 3);
    query.settings = {{"names", "2"}};
    query.states_max = 3000;
    query.reduce = false;
    query.rotate = false;
    const Verdict plain = ask(query);
    query.rotate = true;
    const Verdict folded = ask(query);
    EXPECT_GT(folded.searched.depth, plain.searched.depth);  // as many states reach farther
}

TEST(Symmetry, is_not_assumed_where_roles_differ) {
    Query query = all_call("itai-rodeh", 3);
    query.initiators = {Id{1}};
    query.reduce = false;
    const std::uint64_t turned = ask(query).searched.states;
    query.rotate = false;
    EXPECT_EQ(ask(query).searched.states, turned);
}

TEST(Symmetry, makes_no_difference_where_names_are_compared) {
    Query query = worst_ring(5);
    const std::uint64_t turned = ask(query).searched.states;
    query.rotate = false;
    EXPECT_EQ(ask(query).searched.states, turned);
}

TEST(Reduction, forgets_what_is_under_way_to_the_dead) {
    Query query = timed(all_call("bully", 3), 8);
    query.budget.crashes = 1;
    query.properties = {"best"};
    const std::uint64_t reduced = ask(query).searched.states;
    query.reduce = false;
    EXPECT_LT(reduced, ask(query).searched.states);
}

}  // namespace comparison_test
}  // namespace conclave::checker
