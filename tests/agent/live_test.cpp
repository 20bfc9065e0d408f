// What the live page shows beside the status: other members' views, their disagreements, measured
// failovers; and how it is served.
#include <nlohmann/json.hpp>

#include "conclave/agent/report/failovers.hpp"
#include "conclave/agent/report/http.hpp"
#include "conclave/agent/report/live_page.hpp"
#include "conclave/agent/report/metrics.hpp"
#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace live_test {

using member::Cause, member::Change;
using nlohmann::json;
using std::chrono::milliseconds, std::chrono::seconds;
using testing::Contains, testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

constexpr Id a{1}, b{2};
constexpr Time zero{};

Duration worst_of(const Failovers& failovers, std::size_t which) {
    const FailoverStatus status = failovers.list({})[which];
    return status.count == 0 ? Duration{-1} : status.worst_ns;
}

TEST(Failovers, count_from_the_last_word_of_the_former_leader) {
    Failovers failovers;
    failovers.note({nobody, a}, zero, zero);  // the first leader follows nobody
    failovers.note({a, nobody, Cause::silent}, seconds(1), seconds(2));
    failovers.note({nobody, b}, seconds(3), seconds(3));
    EXPECT_EQ(worst_of(failovers, 0), milliseconds(2000));
    EXPECT_EQ(worst_of(failovers, 1), Duration{-1});
    EXPECT_EQ(worst_of(failovers, 2), Duration{-1});
}

TEST(Failovers, are_told_apart_by_what_ended_the_term_and_keep_the_worst) {
    Failovers failovers;
    const auto replace = [&](Cause cause, Duration gap) {
        failovers.note({a, nobody, cause}, zero, zero);
        failovers.note({nobody, b}, zero, gap);
    };
    replace(Cause::died, milliseconds(30));
    replace(Cause::died, milliseconds(20));
    replace(Cause::left, milliseconds(7));
    replace(Cause::unknown, milliseconds(9));  // given back, as followers hear it
    EXPECT_EQ(worst_of(failovers, 0), Duration{-1});
    EXPECT_EQ(worst_of(failovers, 1), milliseconds(30));
    EXPECT_EQ(failovers.list({})[1].last_ns, milliseconds(20));
    EXPECT_EQ(failovers.list({})[1].count, 2u);
    EXPECT_EQ(worst_of(failovers, 2), milliseconds(9));
}

TEST(Failovers, a_leader_that_was_only_suspected_was_not_replaced) {
    Failovers failovers;
    failovers.note({a, nobody, Cause::silent}, zero, seconds(1));
    failovers.note({nobody, a}, seconds(2), seconds(2));
    EXPECT_EQ(worst_of(failovers, 0), Duration{-1});
}

TEST(Failovers, a_node_that_hears_no_majority_measures_nothing) {
    for (const bool connected : {true, false}) {
        Failovers failovers;
        failovers.note({a, nobody, Cause::silent}, zero, seconds(1));
        failovers.look(seconds(2), seconds(1), false);  // too early to tell
        failovers.look(seconds(3), seconds(1), connected);
        failovers.note({nobody, b}, seconds(9), seconds(9));
        EXPECT_EQ(worst_of(failovers, 0), connected ? Duration{seconds(9)} : Duration{-1});
    }
}

TEST(Questions, an_answer_is_missed_only_when_there_was_time_for_it) {
    Questions questions;
    EXPECT_EQ(questions.answered(seconds(1), milliseconds(50)), never);
    questions.note(seconds(1));
    EXPECT_EQ(questions.answered(seconds(1) + milliseconds(40), milliseconds(50)), never);
    EXPECT_EQ(questions.answered(seconds(1) + milliseconds(60), milliseconds(50)), seconds(1));
    questions.note(seconds(2));
    EXPECT_EQ(questions.answered(seconds(2) + milliseconds(40), milliseconds(50)), seconds(1));
    questions.note(seconds(2) + milliseconds(30));  // somebody else asks, too
    EXPECT_EQ(questions.answered(seconds(2) + milliseconds(40), milliseconds(50)), seconds(1));
}

Statement view(const std::string& name, const std::string& leader, std::vector<std::string> hears) {
    return {.name = name,
            .answered = true,
            .leader = leader,
            .hears = std::move(hears),
            .members = {"a", "b", "c"},
            .uptime_ns = seconds(60)};
}
std::vector<std::string> found(const std::vector<Statement>& views) {
    return disagreements_of(views, seconds(1));
}

TEST(Disagreements, there_are_none_where_all_that_answer_say_the_same) {
    EXPECT_THAT(found({view("a", "a", {"b"}), view("b", "a", {"a"}), Statement{.name = "c"}}),
                IsEmpty());
}

TEST(Disagreements, say_who_names_which_leader) {
    EXPECT_THAT(
        found({view("a", "a", {"b", "c"}), view("b", "a", {"a", "c"}), view("c", "", {"a", "b"})}),
        ElementsAre("members disagree about the leader: a, b say 'a'; c says nobody: a failover is "
                    "under way, or the network between them is cut"));
}

TEST(Disagreements, say_who_counts_whom_as_a_member) {
    Statement newer = view("b", "a", {"a"});
    newer.members = {"a", "b"};
    EXPECT_THAT(found({view("a", "a", {"b"}), newer}),
                ElementsAre(HasSubstr("who is a member: b says a, b; a says a, b, c: a change")));
}

TEST(Disagreements, name_the_direction_that_is_blocked) {
    auto views =
        std::vector{view("a", "a", {"b", "c"}), view("b", "a", {"a", "c"}), view("c", "a", {"b"})};
    EXPECT_THAT(found(views), ElementsAre("'c' does not hear 'a', which is up: the way from 'a' to "
                                          "'c' is blocked"));
    views[2].uptime_ns = seconds(2);  // it has just come
    EXPECT_THAT(found(views), IsEmpty());
    views[2].uptime_ns = seconds(60);
    EXPECT_THAT(disagreements_of(views, milliseconds(300)), IsEmpty());  // nobody asks that often
    views[0].answered = false;
    EXPECT_THAT(found(views), IsEmpty());
}

TEST(LivePage, is_one_file_of_at_most_15_KB_that_fetches_nothing_from_elsewhere) {
    const std::string page(live_page());
    EXPECT_LE(page.size(), 15'000u);
    EXPECT_THAT(page, testing::StartsWith("<!doctype html>"));
    EXPECT_THAT(page, testing::Not(HasSubstr("://")));
    EXPECT_THAT(page, testing::Not(HasSubstr("innerHTML")));  // no text of a node is read as HTML
}

TEST(LivePage, and_what_feeds_it_are_served) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    const Node& node = party.leading();
    EXPECT_EQ(http_answer(node, "/").body, live_page());
    EXPECT_EQ(http_answer(node, "/").type, "text/html; charset=utf-8");
    EXPECT_EQ(json::parse(http_answer(node, "/why").body)["leader"], party.leader());
    const json doctor = json::parse(http_answer(node, "/doctor").body);
    EXPECT_EQ(doctor["asked_ago_ns"], -1);
    EXPECT_TRUE(doctor["findings"].is_array());
    EXPECT_EQ(http_answer(node, "/index.html").code, 404);
}

TEST(LivePage, events_and_metrics_show_one_value) {
    Party party(Words{{"detect", "400ms"}});
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    EXPECT_EQ(party.leading().resign(""), "");
    ASSERT_TRUE(party.wait_for_leader());
    Node& node = party.node(party.follower());
    node.question_peers();
    ASSERT_TRUE(party.wait_for([&] {
        const auto views = node.overview().views;
        return std::all_of(views.begin(), views.end(), [](const auto& v) { return v.answered; });
    }));
    const Overview overview = node.overview();
    EXPECT_THAT(overview.disagreements, IsEmpty());
    const json event = json::parse(events_json(overview));
    EXPECT_EQ(event["leader"], party.leader());
    EXPECT_EQ(event["views"].size(), 3u);
    for (const json& each : event["views"]) EXPECT_EQ(each["leader"], party.leader());
    const std::string metrics = to_metrics(overview);
    for (const FailoverStatus& each : overview.failovers) {
        const std::string label = ",case=\"" + each.cause + "\"} ";
        EXPECT_EQ(metrics.find("conclave_failover_seconds{group=\"party\",node=\"" +
                               overview.status.node + "\"" + label) != metrics.npos,
                  each.count != 0);
    }
}

}  // namespace live_test
}  // namespace conclave::agent
