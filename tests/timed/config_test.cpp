#include "conclave/timed/daemon_config.hpp"

#include <gmock/gmock.h>

namespace conclave::timed {
namespace config_test {

using namespace std::chrono_literals;
using testing::HasSubstr;

// An option of the command line; without a value, a flag.
struct Given : options::Given {
    Given(const std::string& name, const std::string& value)
        : options::Given{name, value.empty() ? "true" : value, "--" + name} {}
};

std::vector<Given> usual() {
    return {{"clock", "virtual"},
            {"insecure", "true"},
            {"address", "127.0.0.1"},
            {"broadcast", "127.255.255.255"},
            {"name", "n1"}};
}

// In place of the usual ones of that name.
DaemonConfig with(std::vector<Given> more) {
    std::vector<Given> all = usual();
    for (const Given& each : more)
        std::erase_if(all, [&](const Given& old) { return old.name == each.name; });
    all.insert(all.end(), more.begin(), more.end());
    return make_config({all.begin(), all.end()});
}

std::string refusal_of_all(const std::vector<Given>& given) {
    try {
        with(given);
    } catch (const DaemonConfigRefusal& refusal) {
        return refusal.sentence;
    }
    return "taken";
}
std::string refusal_of(const Given& given) { return refusal_of_all({given}); }

TEST(TimedConfig, is_what_was_given) {
    const DaemonConfig config = with({{"offset", "-50ms"},
                                      {"drift", "20ppm"},
                                      {"trust", "bsd1"},
                                      {"trust", "10.0.0.0/24"},
                                      {"trust", "10.1.0.7"},
                                      {"no-master", "true"},
                                      {"step", "128ms:3:forward"},
                                      {"slew-limit", "100000ppm"},
                                      {"round", "500ms"}});
    EXPECT_EQ(config.offset, -50ms);
    EXPECT_EQ(config.drift, clock::ppm(20));
    ASSERT_EQ(config.trusted.size(), 3u);
    EXPECT_EQ(config.trusted[0].name, "bsd1");
    EXPECT_EQ(config.trusted[1].bits, 24);
    EXPECT_EQ(config.trusted[2].bits, 32);
    EXPECT_FALSE(config.eligible);
    EXPECT_EQ(config.step,
              (clock::StepPolicy{.beyond = 128ms, .corrections = 3, .backwards = false}));
    EXPECT_EQ(config.slew_limit, clock::ppm(100'000));
    EXPECT_EQ(config.round, 500ms);
    EXPECT_EQ(config.port, 525);
}

TEST(TimedConfig, a_daemon_that_only_looks_is_never_master) {
    EXPECT_FALSE(with({{"clock", "none"}}).eligible);
}

TEST(TimedConfig, refuses_with_the_field_the_value_and_what_would_be_right) {
    EXPECT_EQ(refusal_of({"port", "0"}),
              "--port cannot be '0': give a whole number from 1 to 65535");
    EXPECT_THAT(refusal_of({"trust", "10.0.0.0/33"}), HasSubstr("10.0.0.0/24"));
    EXPECT_THAT(refusal_of({"step", "soon"}), HasSubstr("first or never"));
    EXPECT_THAT(refusal_of({"slew-limit", "100001ppm"}), HasSubstr("1ppm to 100000ppm"));
    EXPECT_THAT(refusal_of({"mode", "both"}), HasSubstr("choose from auto, own, bsd"));
    EXPECT_THAT(refusal_of({"drift", "5000ppm"}), HasSubstr("4000ppm"));
    EXPECT_THAT(refusal_of({"offset", "far"}), HasSubstr("give a duration from 0s to"));
    EXPECT_THAT(refusal_of({"address", "::1"}), HasSubstr("IPv4"));
    EXPECT_THAT(refusal_of({"time-scale", "0"}), HasSubstr("from 1 to 1000"));
    EXPECT_THAT(refusal_of({"name", "two words"}), HasSubstr("no blanks"));
    EXPECT_EQ(refusal_of({"key", "k"}), "--insecure and --key exclude each other: leave out one");
    EXPECT_THAT(refusal_of({"within", "0s"}), HasSubstr("at least 1ns"));
    EXPECT_THAT(refusal_of({"members", "0"}), HasSubstr("from 1 to 1000000"));
}

TEST(TimedConfig, a_number_is_a_number) {
    for (const std::string no : {"nan", "-nan", "inf", "-inf"}) {
        EXPECT_THAT(refusal_of({"drift", no}), HasSubstr("--drift cannot be '" + no + "'"));
        EXPECT_THAT(refusal_of({"time-scale", no}), HasSubstr("from 1 to 1000"));
    }
}

TEST(TimedConfig, an_option_is_given_once_but_for_trust) {
    EXPECT_EQ(refusal_of_all({{"round", "1s"}, {"round", "2s"}}),
              "--round is given twice: leave out one");
    EXPECT_EQ(refusal_of_all({{"trust", "a"}, {"trust", "b"}}), "taken");
}

TEST(TimedConfig, options_that_contradict_each_other_are_refused) {
    EXPECT_EQ(refusal_of_all({{"no-control", "true"}, {"control", "c"}}),
              "--no-control and --control exclude each other: leave out one");
    EXPECT_THAT(refusal_of_all({{"clock", "none"}, {"drift", "0"}}), HasSubstr("--clock virtual"));
}

TEST(TimedConfig, what_is_good_enough_may_be_said) {
    EXPECT_EQ(with({}).wanted.within, 1ms);
    EXPECT_EQ(with({}).wanted.members, 2u);
    const Wanted wanted = with({{"within", "20ms"}, {"members", "3"}}).wanted;
    EXPECT_EQ(wanted.within, 20ms);
    EXPECT_EQ(wanted.members, 3u);
}

TEST(TimedConfig, daemon_and_verbs_meet_at_one_place_whatever_the_state_folder_is) {
    const DaemonConfig config = with({{"state", "/var/lib/conclave"}});
    EXPECT_EQ(config.control, default_control());
    EXPECT_EQ(config.page, page_beside(default_control()));
    EXPECT_EQ(page_beside("/run/conclave/timed.sock"), "/run/conclave/timed.page");
    EXPECT_EQ(with({{"no-control", "true"}}).page, "");
    EXPECT_EQ(with({{"no-control", "true"}, {"page", "p"}}).page, "p");
}

TEST(TimedConfig, daemons_with_different_sockets_have_different_pages) {
    EXPECT_EQ(with({{"control", "/tmp/n1.sock"}}).page, "/tmp/n1.page");
    EXPECT_EQ(with({{"control", "/tmp/n2.sock"}}).page, "/tmp/n2.page");
    EXPECT_EQ(with({{"control", "/tmp/n2"}}).page, "/tmp/n2.page");
}

TEST(TimedConfig, chrony_and_this_daemon_do_not_both_correct_the_clock) {
    EXPECT_EQ(with({{"clock", "none"}, {"chrony-sock", "/run/chrony.sock"}}).chrony_sock,
              "/run/chrony.sock");
    try {
        with({{"clock", "system"}, {"chrony-sock", "/run/chrony.sock"}});
        ADD_FAILURE() << "both were taken";
    } catch (const DaemonConfigRefusal& refusal) {
        EXPECT_THAT(refusal.sentence, HasSubstr("--clock none"));
    }
}

TEST(TimedConfig, a_date_is_one_of_the_calendar) {
    EXPECT_EQ(with({{"not-before", "2026-01-01"}}).not_before, 1'767'225'600s);
    EXPECT_THAT(refusal_of({"not-before", "yesterday"}), HasSubstr("such as 2026-01-01"));
    EXPECT_EQ(with({{"not-before", "2099-12-31"}}).not_before, 4'102'358'400s);
    EXPECT_THAT(refusal_of({"not-before", "2100-01-01"}), HasSubstr("from 1970 to 2099"));
}

TEST(TimedConfig, says_what_would_be_done) {
    const std::string text = describe(with({{"mode", "bsd"}}));
    EXPECT_THAT(text, HasSubstr("address = 127.0.0.1\n"));
    EXPECT_THAT(text, HasSubstr("mode = bsd\n"));
    EXPECT_THAT(text, HasSubstr("insecure = true\n"));
    EXPECT_THAT(text, HasSubstr("key = (none)\n"));
}

}  // namespace config_test
}  // namespace conclave::timed
