// Daemons with virtual clocks in one loop, over the loopback interface.
#include "conclave/timed/daemon.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "conclave/core/date.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/random.hpp"
#include "conclave/net/socket.hpp"

namespace conclave::timed {
namespace daemon_test {

using namespace std::chrono_literals;
using testing::HasSubstr;

class Lan {
public:
    void start(const std::string& name, std::vector<Given> more = {}) {
        std::vector<Given> given{{"clock", "virtual"},
                                 {"name", name},
                                 {"address", "127.77.0." + std::to_string(++hosts_)},
                                 {"broadcast", "127.255.255.255"},
                                 {"port", std::to_string(port_)},
                                 {"no-control", ""}};
        given.insert(given.end(), more.begin(), more.end());
        if (keys.empty())
            given.push_back({"insecure", ""});
        else
            given.push_back({"key", "unused"});
        auto daemon = std::make_unique<Daemon>(loop, make_config(given), keys);
        daemon->start();
        daemons[name] = std::move(daemon);
    }
    template <class Condition>
    bool wait(const Condition& condition, Duration most = 30s) {
        const Time end = net::boot_time() + most;
        while (!condition()) {
            if (net::boot_time() > end) return false;
            loop.step(20ms);
        }
        return true;
    }
    bool all_follow_one() const {
        std::string master;
        for (const auto& [name, daemon] : daemons) {
            const Status status = daemon->status();
            if (status.master.empty() || !status.has_time) return false;
            if (!daemons.contains(status.master)) return false;
            if (master.empty()) master = status.master;
            if (master != status.master) return false;
        }
        return true;
    }
    std::string master() const { return daemons.begin()->second->status().master; }
    Duration spread() const {
        std::int64_t low = INT64_MAX, high = INT64_MIN;
        for (const auto& [name, daemon] : daemons) {
            const std::int64_t offset = daemon->status().clock.offset_ns.value();
            low = std::min(low, offset);
            high = std::max(high, offset);
        }
        return Duration{high - low};
    }

    // What a BSD timed would say, to one of them.
    void speak_as_bsd(const std::string& address) {
        const auto port = static_cast<std::uint16_t>(port_);
        net::Socket old(*net::parse_address("127.77.0.99", port), net::Socket::Use::alone);
        const wire::TspDatagram slaveup{.type = wire::TspDatagram::Type::slaveup, .name = "old"};
        ASSERT_TRUE(old.send(*net::parse_address(address, port), wire::write_datagram(slaveup)));
    }
    bool all_keep_times_of(const std::string& mode) const {
        return std::all_of(daemons.begin(), daemons.end(),
                           [&](const auto& each) { return each.second->status().mode == mode; });
    }

    net::Loop loop;
    wire::Keys keys;
    std::map<std::string, std::unique_ptr<Daemon>> daemons;

private:
    std::uint64_t port_ = 20'000 + net::random_number() % 20'000;
    int hosts_ = 0;
};

TEST(Daemon, three_elect_one_master_and_their_clocks_agree) {
    Lan lan;
    lan.start("a", {{"offset", "50ms"}, {"drift", "20ppm"}});
    lan.start("b", {{"offset", "-50ms"}, {"drift", "-30ppm"}});
    lan.start("c", {{"offset", "10ms"}});
    ASSERT_TRUE(lan.wait([&] { return lan.all_follow_one(); }));
    EXPECT_TRUE(lan.wait([&] { return lan.spread() < 100us; })) << lan.spread().count();
    const Status status = lan.daemons[lan.master()]->status();
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
    lan.start("shy", {{"no-master", ""}});
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
        lan.start(shy, {{"no-master", ""}});
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
    lan.start("wary", {{"not-before", format_date(now)}, {"offset", "-30h"}, {"no-master", ""}});
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
    lan.start("dead1", {{"offset", "-20h"}, {"no-master", ""}});
    lan.start("dead2", {{"offset", "-20h"}, {"no-master", ""}});
    ASSERT_TRUE(lan.wait([&] { return lan.all_follow_one() && lan.spread() < 1ms; }));
    EXPECT_GT(*lan.daemons["dead1"]->status().clock.offset_ns, -60'000'000'000);
}

TEST(Daemon, its_status_is_json_and_lines_that_prometheus_reads) {
    Lan lan;
    lan.start("a");
    lan.start("b");
    ASSERT_TRUE(lan.wait([&] { return lan.all_follow_one(); }));
    ASSERT_TRUE(lan.wait([&] { return lan.daemons[lan.master()]->status().synchronised(); }));
    const Status status = lan.daemons[lan.master()]->status();
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

}  // namespace daemon_test
}  // namespace conclave::timed
