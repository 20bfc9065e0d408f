#include "conclave/timed/daemon/daemon.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "conclave/core/date.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/timed/report/clock_check.hpp"
#include "tests/timed/loopback.hpp"

namespace conclave::timed {
namespace daemon_test {

using namespace std::chrono_literals;
using testing::HasSubstr;
using Lan = LoopbackLan;

TEST(Daemon, three_elect_one_master_and_their_clocks_agree) {
    Lan lan;
    lan.start("a", {{"offset", "50ms"}, {"drift", "20ppm"}});
    lan.start("b", {{"offset", "-50ms"}, {"drift", "-30ppm"}});
    lan.start("c", {{"offset", "10ms"}});
    ASSERT_TRUE(lan.wait([&] { return lan.all_follow_one(); }));
    EXPECT_TRUE(lan.wait([&] { return lan.spread() < 100us; })) << lan.spread().count();
    ASSERT_TRUE(lan.wait([&] { return is_good(lan.daemons[lan.master()]->status()); }));
    const DaemonStatus status = lan.daemons[lan.master()]->status();
    EXPECT_EQ(status.state, "master");
    EXPECT_EQ(status.mode, "own");
    EXPECT_EQ(status.members.size(), 2u);
    // Virtual clocks are corrected, the machine's is not touched: all run away together.
    EXPECT_LT(status.clock.bound->total(), 1ms);
}

TEST(Daemon, under_a_key_they_agree_as_well) {
    Lan lan;
    lan.keys.keys.push_back(wire::Key::random());
    lan.start("a", {{"offset", "30ms"}});
    lan.start("b");
    ASSERT_TRUE(lan.wait([&] { return lan.all_follow_one() && lan.spread() < 100us; }));
}

TEST(Daemon, a_lost_master_is_replaced_and_the_time_goes_on) {
    Lan lan;
    lan.start("a", {{"offset", "5ms"}});
    lan.start("b", {{"drift", "40ppm"}});
    lan.start("c");
    ASSERT_TRUE(lan.wait([&] { return lan.all_follow_one() && lan.spread() < 100us; }));
    const std::uint64_t term = lan.daemons.begin()->second->status().term;
    lan.daemons.erase(lan.master());
    ASSERT_TRUE(lan.wait([&] { return lan.all_follow_one(); }));
    EXPECT_GT(lan.daemons[lan.master()]->status().term, term);
    EXPECT_LT(lan.spread(), 1ms);
}

TEST(Daemon, who_must_not_be_master_waits_for_one) {
    Lan lan;
    lan.start("shy", {{"no-master", "true"}});
    lan.wait([] { return false; }, 1500ms);
    EXPECT_EQ(lan.daemons["shy"]->status().master, "");
    lan.start("bold", {{"offset", "80ms"}});
    ASSERT_TRUE(lan.wait([&] { return lan.all_follow_one(); }));
    EXPECT_EQ(lan.master(), "bold");
}

// Whichever of them comes first on the master's list.
TEST(Daemon, hands_over_to_one_that_may_be_master) {
    for (const std::string shy : {"b", "c"}) {
        const std::string bold = shy == "b" ? "c" : "b";
        Lan lan;
        lan.start("a");
        ASSERT_TRUE(lan.wait([&] { return lan.master() == "a"; }));
        lan.start(shy, {{"no-master", "true"}});
        EXPECT_NE(lan.daemons["a"]->hand_over(), "");
        lan.start(bold);
        ASSERT_TRUE(lan.wait([&] { return lan.all_follow_one(); }));
        lan.wait([] { return false; }, 2s);  // a deputy is named once a round
        ASSERT_EQ(lan.daemons["a"]->hand_over(), "");
        EXPECT_TRUE(lan.wait([&] { return lan.daemons[bold]->status().state == "master"; }, 1s));
        EXPECT_NE(lan.daemons[shy]->status().state, "master");
        EXPECT_TRUE(lan.wait([&] { return lan.all_follow_one() && lan.master() == bold; }, 5s));
    }
}

// At this scale a round of BSD timed takes 0.4 s.
TEST(Daemon, the_times_of_bsd_timed_are_kept_as_long_as_there_is_one) {
    Lan lan;
    lan.start("a", {{"time-scale", "600"}});
    lan.start("b", {{"time-scale", "600"}});
    ASSERT_TRUE(lan.wait([&] { return lan.all_follow_one(); }));
    ASSERT_TRUE(lan.all_keep_times_of("own"));
    lan.speak_as_bsd("127.77.0.1");
    const Time spoke = net::boot_time();
    EXPECT_TRUE(lan.wait([&] { return lan.all_keep_times_of("bsd"); }, 5s));
    EXPECT_TRUE(lan.wait([&] { return lan.all_keep_times_of("own"); }, 5s));
    EXPECT_GE(net::boot_time() - spoke, 3 * 400ms);
    EXPECT_TRUE(lan.wait([&] { return lan.all_follow_one(); }));
}

TEST(Daemon, a_time_before_that_of_not_before_is_not_obeyed) {
    Lan lan;
    const Time now = net::unix_time();
    lan.start("dead", {{"offset", "-20h"}});
    ASSERT_TRUE(lan.wait([&] { return lan.daemons["dead"]->status().has_time; }));
    lan.start("wary",
              {{"not-before", format_date(now)}, {"offset", "-30h"}, {"no-master", "true"}});
    const auto wary = [&] { return lan.daemons["wary"]->status(); };
    ASSERT_TRUE(lan.wait([&] { return !wary().remark.empty(); }));
    EXPECT_THAT(wary().remark, HasSubstr("refuses the time of dead: it is before"));
    EXPECT_FALSE(wary().has_time);
    EXPECT_GT(*wary().clock.offset_ns, -60'000'000'000);
}

TEST(Daemon, a_master_that_knows_better_moves_a_network_of_dead_batteries) {
    Lan lan;
    const std::string date = format_date(net::unix_time());
    lan.start("wary", {{"not-before", date}, {"offset", "-30h"}});
    lan.start("dead1", {{"offset", "-20h"}, {"no-master", "true"}});
    lan.start("dead2", {{"offset", "-20h"}, {"no-master", "true"}});
    ASSERT_TRUE(lan.wait([&] { return lan.all_follow_one() && lan.spread() < 1ms; }));
    EXPECT_GT(*lan.daemons["dead1"]->status().clock.offset_ns, -60'000'000'000);
}

TEST(Daemon, its_status_is_json_and_lines_that_prometheus_reads) {
    Lan lan;
    lan.start("a");
    lan.start("b");
    ASSERT_TRUE(lan.wait([&] { return lan.all_follow_one(); }));
    ASSERT_TRUE(lan.wait([&] { return is_good(lan.daemons[lan.master()]->status()); }));
    const DaemonStatus status = lan.daemons[lan.master()]->status();
    const auto json = nlohmann::json::parse(to_json(status));
    EXPECT_EQ(json["state"], "master");
    EXPECT_EQ(json["synchronised"], true);
    EXPECT_EQ(json["clock"]["kind"], "virtual");
    EXPECT_EQ(json["members"][0]["kind"], "own");
    EXPECT_TRUE(json["members"][0]["faulty"].is_null());
    EXPECT_THAT(to_metrics(status), HasSubstr("\nconclave_timed_synchronised 1\n"));
    EXPECT_THAT(to_metrics(status), HasSubstr("conclave_timed_member_offset_seconds{member=\""));
    EXPECT_THAT(to_text(status), HasSubstr("synchronised, off by at most"));
}

// A daemon that only looks does not correct its clock, and says how far off people see it.
TEST(Daemon, the_bound_has_the_distance_of_the_clock_that_people_see) {
    Lan lan;
    lan.start("a", {{"offset", "300ms"}});
    ASSERT_TRUE(lan.wait([&] { return lan.daemons["a"]->status().has_time; }));
    lan.start("looks", {{"clock", "none"}});
    const Daemon& looks = *lan.daemons["looks"];
    ASSERT_TRUE(lan.wait([&] { return looks.trust() == clock::Trust::synchronised; }));
    EXPECT_NEAR(static_cast<double>(looks.error_bound().visible.count()), 300e6, 5e6);
    const auto apart = looks.status().clock.bound->visible - looks.error_bound().visible;
    EXPECT_LT(std::chrono::abs(apart), 1ms);  // the clock goes on between the two
}

TEST(Daemon, there_is_no_bound_while_the_time_is_unknown) {
    Lan lan;
    lan.start("a");
    const auto status = [&] { return lan.daemons["a"]->status(); };
    ASSERT_TRUE(lan.wait([&] { return status().has_time; }));
    EXPECT_EQ(status().trust, clock::Trust::unknown) << "it is alone";
    EXPECT_FALSE(status().clock.bound);
    lan.start("b");
    EXPECT_TRUE(lan.wait([&] { return status().clock.bound.has_value(); }));
}

// Not even if nothing is heard and nothing is written for a while.
TEST(Daemon, programs_are_told_no_narrower_bound_than_people_now_and_later) {
    Lan lan;
    lan.start("a");
    ASSERT_TRUE(lan.wait([&] { return lan.daemons["a"]->status().has_time; }));
    lan.start("b", {{"no-master", "true"}});
    ASSERT_TRUE(lan.wait([&] {
        return is_good(lan.daemons["a"]->status()) && is_good(lan.daemons["b"]->status());
    }));
    std::map<std::string, page::Content> pages;
    for (const auto& [name, daemon] : lan.daemons) {
        const clock::ErrorBound bound = daemon->error_bound();
        pages[name] = daemon->page_content();
        EXPECT_EQ(bound.path == 0ns, name == "a") << "a is the master";
        EXPECT_GE(pages[name].error, bound.estimate + bound.path + bound.growth) << name;
    }
    for (int i = 0; i < 25; ++i) {
        std::this_thread::sleep_for(100ms);
        for (const auto& [name, daemon] : lan.daemons) {
            const clock::ErrorBound bound = daemon->error_bound();
            const TimeInterval told = interval_at(pages[name], {net::raw_time(), net::unix_time()});
            EXPECT_GE((told.latest - told.earliest) / 2, bound.estimate + bound.path + bound.growth)
                << name << " after " << (i + 1) * 100 << " ms";
        }
    }
}

TEST(Daemon, who_handed_over_says_so_until_it_is_measured) {
    Lan lan;
    lan.start("a");
    ASSERT_TRUE(lan.wait([&] { return lan.master() == "a"; }));
    lan.start("b");
    ASSERT_TRUE(lan.wait([&] { return is_good(lan.daemons["a"]->status()); }));
    ASSERT_EQ(lan.daemons["a"]->hand_over(), "");
    EXPECT_THAT(to_text(check(lan.daemons["a"]->status())),
                HasSubstr("unknown: the daemon says: handed the mastership over"));
    EXPECT_TRUE(lan.wait([&] { return is_good(lan.daemons["a"]->status()); }));
    EXPECT_EQ(lan.daemons["a"]->status().remark, "");
}

}  // namespace daemon_test
}  // namespace conclave::timed
