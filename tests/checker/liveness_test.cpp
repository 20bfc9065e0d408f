// Runs that never come to a leader: they end without one, or go in circles for ever.
#include <gtest/gtest.h>

#include "conclave/checker/search/liveness.hpp"
#include "conclave/checker/world/event.hpp"
#include "tests/checker/asking.hpp"

namespace conclave::checker {
namespace liveness_test {

using namespace std::chrono_literals;

Query eventually(Query query) {
    query.properties = {"eventually"};
    return query;
}

// A world is one number; who takes a step is told by its node.
class Toy final : public Space {
public:
    struct Way {
        std::uint32_t from, to;
        std::uint8_t who;
        bool fault = false;
    };
    Toy(std::vector<Way> ways, std::uint32_t led) : ways_(std::move(ways)), led_(led) {}

    std::size_t width() const override { return 1; }
    bool first(Successors& out, const GoesOn&) override {
        out.clear();
        add(out, 0, {});
        return true;
    }
    void expand(const std::uint32_t* world, std::uint64_t, bool, Successors& out) override {
        out.clear();
        for (const Way& way : ways_)
            if (way.from == *world)
                add(out, way.to,
                    {.what = static_cast<std::uint8_t>(What::timer),
                     .node = way.who,
                     .fault = way.fault});
    }
    bool two_leaders(const std::uint32_t*) const override { return false; }
    View view(const std::uint32_t* world) const override {
        View view;
        view.alive = {Id{1}};
        view.followed = {*world == led_ ? Id{1} : nobody};
        return view;
    }
    bool waits(const std::uint32_t* world) const override { return *world != led_; }
    std::uint64_t rows_fired() const override { return 0; }
    bool clock_read() const override { return false; }
    std::string world_text(const std::uint32_t* world) const override {
        return std::to_string(*world);
    }
    std::string step_text(const Step&) const override { return {}; }
    bool symmetric() const override { return false; }
    std::uint64_t stand_in(const std::uint32_t* world, std::uint32_t*) override { return *world; }

private:
    static void add(Successors& out, std::uint32_t world, const Step& step) {
        if (!step.fault) out.quiet = false;
        out.changes.push_back({0, world});
        out.ends.push_back(static_cast<std::uint32_t>(out.changes.size()));
        out.prints.push_back(world + 1);
        out.steps.push_back(step);
        out.broken.emplace_back();
    }
    std::vector<Way> ways_;
    std::uint32_t led_;
};

// 0 leads to a circle of 1 and 2; who of `ways` else can go where decides.
Lasso lasso_of(std::vector<Toy::Way> ways) {
    ways.insert(ways.end(), {{0, 1, 0}, {1, 2, 0}, {2, 1, 0}, {9, 9, 0}});
    Toy toy(std::move(ways), 9);
    return find_lasso({}, toy, {});
}

TEST(Liveness, a_circle_is_told_with_the_way_to_it) {
    const Lasso lasso = lasso_of({});
    ASSERT_TRUE(lasso.found);
    EXPECT_EQ(lasso.circle, 2u);
    EXPECT_EQ(lasso.steps.size(), 3u);  // one to get there
    EXPECT_EQ(lasso.worlds.front(), std::vector<std::uint32_t>{0});
    EXPECT_EQ(lasso.worlds[1], lasso.worlds.back());  // where the circle closes
}

TEST(Liveness, a_circle_that_starves_somebody_who_could_always_act_is_not_fair) {
    EXPECT_FALSE(lasso_of({{1, 9, 1}, {2, 9, 1}}).found);
    EXPECT_TRUE(lasso_of({{1, 9, 1}}).found);  // in 2 it could not
}

TEST(Liveness, who_acts_within_the_circle_is_not_starved) {
    const Lasso lasso = lasso_of({{1, 9, 1}, {2, 9, 1}, {2, 2, 1}});
    ASSERT_TRUE(lasso.found);
    EXPECT_EQ(lasso.circle, 3u);  // the step at 2 is in it
}

TEST(Liveness, no_fault_is_owed) {
    EXPECT_TRUE(lasso_of({{1, 9, 1, true}, {2, 9, 1, true}}).found);
}

TEST(Liveness, no_fault_strikes_for_ever) {
    Toy toy({{0, 1, 0}, {1, 0, 1, true}, {1, 9, 0}}, 9);
    const Lasso lasso = find_lasso({}, toy, {});
    EXPECT_FALSE(lasso.found);
    EXPECT_TRUE(lasso.tested);
}

TEST(Liveness, every_run_of_a_sound_ring_comes_to_a_leader) {
    for (const std::string_view name : {"chang-roberts", "franklin", "le-lann", "ring-collect"}) {
        const Verdict verdict = ask(eventually(all_call(name, 3)));
        EXPECT_EQ(verdict.answer, Verdict::Answer::holds) << name;
        EXPECT_TRUE(verdict.untested.empty()) << name;
    }
}

TEST(Liveness, a_run_that_ends_without_a_leader_is_told) {
    Query query = eventually(all_call("chang-roberts", 3));
    query.budget.losses = 1;
    const Verdict verdict = ask(query);
    EXPECT_EQ(verdict.property, "eventually");
    EXPECT_EQ(verdict.what, "the run ends without a leader");
    EXPECT_EQ(verdict.circle, 0u);
    EXPECT_FALSE(verdict.story.trace.records.empty());
}

// One message that arrives twice makes all of them passive, and a name goes round for ever.
TEST(Liveness, a_circle_of_a_real_algorithm_is_told_as_prefix_and_circle) {
    for (const std::uint32_t nodes : {2u, 3u}) {
        Query query = eventually(all_call("dolev-klawe-rodeh", nodes));
        EXPECT_EQ(ask(query).answer, Verdict::Answer::holds);
        query.budget.duplicates = 1;
        const Verdict verdict = ask(query);
        EXPECT_EQ(verdict.property, "eventually");
        EXPECT_EQ(verdict.circle, nodes);  // once round
        std::vector<std::string> arrivals;
        for (const trace::Record& record : verdict.story.trace.records)
            if (record.kind == trace::Kind::arrive) arrivals.push_back(record.text);
        ASSERT_GT(arrivals.size(), nodes);
        for (std::size_t i = arrivals.size() - nodes; i < arrivals.size(); ++i)
            EXPECT_EQ(arrivals[i], arrivals.back());  // the same name all the way round
    }
}

TEST(Liveness, heeds_the_limits_on_an_endless_system) {
    Query query = eventually(all_call("nemeth", 3));  // clocks that only grow
    query.time_max = 300ms;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(ask(query).answer, Verdict::Answer::unknown);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 60s);  // on however busy a machine
    query.time_max = {};
    query.states_max = 1000;
    EXPECT_EQ(ask(query).answer, Verdict::Answer::unknown);
}

TEST(Liveness, had_no_chance_to_fail_where_every_run_is_cut_off) {
    const Verdict verdict = ask(eventually(timed(all_call("nemeth", 2), 2)));
    EXPECT_EQ(verdict.answer, Verdict::Answer::vacuous);
    EXPECT_EQ(verdict.untested, std::vector<std::string>{"eventually"});
}

}  // namespace liveness_test
}  // namespace conclave::checker
