#include "conclave/agent/settings/node_config.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "conclave/agent/launch.hpp"
#include "conclave/net/interfaces.hpp"
#include "tests/support/tool.hpp"

namespace conclave::agent {
namespace config_test {

using options::Given, options::Place;
using std::chrono::milliseconds;
using testing::HasSubstr;
using Givens = std::vector<Given>;

Given option(const std::string& name, const std::string& value) {
    return {name, value, "--" + name};
}

Config config_of(Givens more) {
    for (const Given& usual : {option("group", "g"), option("name", "a")})
        if (std::none_of(more.begin(), more.end(),
                         [&](const Given& given) { return given.name == usual.name; }))
            more.push_back(usual);
    return make_config(more, {});
}

std::string refusal_of(const Givens& more) {
    try {
        config_of(more);
        return "accepted";
    } catch (const ConfigRefusal& refusal) {
        return refusal.sentence;
    }
}

TEST(Config, a_node_needs_a_roster) {
    EXPECT_THAT(refusal_of({}), HasSubstr("--expect and --members are both missing"));
    EXPECT_THAT(refusal_of({option("expect", "3"), option("members", "a,b")}),
                HasSubstr("cannot both be given"));
}

TEST(Config, a_roster_in_an_option_wins_over_the_environment_and_that_over_the_file) {
    constexpr std::array sources{Place::file, Place::environment, Place::line};
    for (const Place said : sources)
        for (const Place more : sources) {
            if (more <= said) continue;
            const Given expect{"expect", "3", "", more}, members{"members", "a,b", "", more};
            const Config counted = config_of({{"members", "a,b", "", said}, expect});
            EXPECT_EQ(counted.expect, 3u);
            EXPECT_TRUE(counted.members.empty());
            const Config named = config_of({{"expect", "3", "", said}, members});
            EXPECT_EQ(named.expect, 0u);
            EXPECT_EQ(named.members.size(), 2u);
        }
    for (const Place said : sources)
        EXPECT_THAT(refusal_of({{"expect", "3", "", said}, {"members", "a,b", "", said}}),
                    HasSubstr("cannot both be given"));
}

TEST(Config, the_command_line_overrides_the_environment_whatever_comes_first) {
    const Given variable{"expect", "3", "CONCLAVE_EXPECT", Place::environment};
    EXPECT_EQ(config_of({variable, option("expect", "5")}).expect, 5u);
    EXPECT_EQ(config_of({option("expect", "5"), variable}).expect, 5u);
    EXPECT_EQ(refusal_of({option("expect", "3"), option("expect", "5")}),
              "--expect is given twice: leave out one");
}

TEST(Config, the_heartbeat_follows_from_the_detection_time_and_not_the_other_way_round) {
    const auto times = [](Givens given) {
        given.push_back(option("expect", "3"));
        const Config config = config_of(given);
        return std::pair{config.heartbeat, config.detect};
    };
    EXPECT_EQ(times({}), (std::pair<Duration, Duration>{milliseconds(250), milliseconds(1000)}));
    EXPECT_EQ(times({option("detect", "400ms")}).first, milliseconds(100));
    EXPECT_EQ(times({option("heartbeat", "100ms")}).second, milliseconds(1000));
    EXPECT_THAT(refusal_of({option("expect", "3"), option("heartbeat", "2s")}),
                HasSubstr("--heartbeat 2s is too long for --detect 1s: give at most half of it"));
    EXPECT_THAT(
        refusal_of({option("expect", "3"), option("heartbeat", "1s"), option("detect", "1500ms")}),
        HasSubstr("--heartbeat 1s is too long for --detect 1.5s"));
    EXPECT_THAT(refusal_of({option("expect", "3"), option("detect", "1s"), option("grace", "1s")}),
                HasSubstr("--grace 1s is too long"));
}

TEST(Config, members_have_distinct_names_and_all_or_no_addresses) {
    const Config config = config_of({option("members", "a=10.0.0.1,b=10.0.0.2:99")});
    ASSERT_EQ(config.members.size(), 2u);
    EXPECT_EQ(net::text(*config.members[0].address), "10.0.0.1:7675");
    EXPECT_EQ(net::text(*config.members[1].address), "10.0.0.2:99");
    EXPECT_TRUE(config.by_address());
    const auto refused = [](const char* members) {
        return refusal_of({option("members", members)});
    };
    EXPECT_THAT(refused("b,c"), HasSubstr("does not name this node, 'a'"));
    EXPECT_THAT(refused("a,b,b"), HasSubstr("names 'b' twice"));
    std::string many = "a";
    for (int i = 100; i < 150; ++i) many += "," + std::string(40, 'n') + std::to_string(i);
    EXPECT_THAT(refused(many.c_str()), HasSubstr("a datagram has room for 1800"));
    many = "a";
    for (int i = 100; i < 164; ++i) many += ",n" + std::to_string(i);
    EXPECT_THAT(refused(many.c_str()), HasSubstr("at most 64 members, and these are 65"));
    EXPECT_THAT(refused("a=10.0.0.1,b"), HasSubstr("some addresses, but not all"));
    EXPECT_THAT(refused("a=here,b"), HasSubstr("some addresses, but not all"));
    for (const char* bad : {"a=1.2.3", "a=-x", "a=x:", "a=x:99999", "a=x:0", "a=a b", "a="})
        EXPECT_THAT(refused(bad), HasSubstr("has no IP address or host name")) << bad;
    EXPECT_THAT(refused("a=here,b=here"), HasSubstr("gives here:7675 to 'a' and to 'b'"));
    EXPECT_THAT(refused("a,,b"), HasSubstr("is no name"));
}

TEST(Config, members_have_addresses_of_their_own_and_of_one_kind) {
    const auto refused = [](const char* members) {
        return refusal_of({option("members", members)});
    };
    EXPECT_EQ(refused("a=127.0.0.1:5001,b=127.0.0.1:5001"),
              "--members gives 127.0.0.1:5001 to 'a' and to 'b': every member needs an address of "
              "its own");
    EXPECT_THAT(refused("a=::1,b=[::1]:7675"), HasSubstr("gives [::1]:7675 to 'a' and to 'b'"));
    EXPECT_EQ(refused("a=10.0.0.1,b=[::1]:7001"),
              "--members gives 'a' and 'b' addresses of IPv4 and of IPv6: give all members the one "
              "or the other");
    EXPECT_EQ(refused("a=127.0.0.1:5001,b=127.0.0.1:5002"), "accepted");
}

TEST(Config, wrong_values_are_refused_with_field_value_and_remedy) {
    for (const auto& [name, value, remedy] : std::vector<std::array<std::string, 3>>{
             {"expect", "0", "from 1 to 64"},
             {"expect", "three", "whole number"},
             {"priority", "-1", "from 0 to"},
             {"detect", "1ms", "at least 40ms"},
             {"detect", "soon", "a duration"},
             {"algorithm", "franklin", "bully, invitation, multicast, nemeth, tempo"},
             {"restart", "maybe", "on-failure"},
             {"when-done", "go", "choose from stay, leave"},
             {"contain", "jail", "pid, user, group"},
             {"meeting", "10.0.0.1", "multicast"},
             {"witness", "perhaps", "true or false"},
             {"grace", "0s", "at least 10ms"},
             {"group", "a/b", "is no name"}}) {
        const std::string sentence = refusal_of({option(name, value)});
        EXPECT_THAT(sentence, HasSubstr("--" + name + " cannot be '" + value + "'"));
        EXPECT_THAT(sentence, HasSubstr(remedy));
    }
}

TEST(Config, the_file_speaks_the_same_words) {
    const tests::Folder folder;
    const std::string path = folder / "node.toml";
    tests::write_file(
        path, "group = 'g'\nname = 'a'\nmembers = ['a', 'b']\nwitness = true\npriority = 7\n");
    const Config config = make_config(read_config_file(path), {});
    EXPECT_EQ(config.members.size(), 2u);
    EXPECT_TRUE(config.witness);
    EXPECT_EQ(config.priority, 7u);
    tests::write_file(path, "group = 'g'\nwitnes = true\n");
    try {
        make_config(read_config_file(path), {});
        FAIL() << "an unknown word was taken";
    } catch (const ConfigRefusal& refusal) {
        EXPECT_EQ(refusal.sentence,
                  path + ":2:1: there is no option witnes: did you mean witness?");
    }
    tests::write_file(path, "group =\n");
    EXPECT_THROW(read_config_file(path), ConfigRefusal);
}

TEST(Config, what_a_file_cannot_say_is_refused_as_it_was_written) {
    const tests::Folder folder;
    const std::string path = folder / "node.toml";
    const auto refused = [](const std::string& file) -> std::string {
        try {
            make_config(read_config_file(file), {});
        } catch (const ConfigRefusal& refusal) {
            return refusal.sentence;
        }
        return "accepted";
    };
    tests::write_file(path, "group = 'g'\ndetect = 1.5\n");
    EXPECT_EQ(refused(path), path + ":2:10: detect cannot be '1.5': the unit is missing: 1.5s?");
    tests::write_file(path, "[node]\ngroup = 'g'\n");
    EXPECT_THAT(refused(path), HasSubstr(path + ":1:2: node cannot be a table"));
    tests::write_file(path, "group = 'g'\nspeed = 7\n");
    EXPECT_EQ(refused(path),
              path + ":2:1: there is no option speed: conclave run --help lists what there is");
    tests::write_file(path, "group = 'g'\nname = \n");
    EXPECT_THAT(refused(path), HasSubstr(path + ":2:8: this is not TOML: "));
    EXPECT_EQ(refused(folder / "missing"),
              "--config '" + (folder / "missing") + "' cannot be read: there is no such file");
}

TEST(Config, an_interface_must_be_there) {
    EXPECT_EQ(config_of({option("expect", "3"), option("interface", "lo")}).interface, "lo");
    const std::string refused = refusal_of({option("expect", "3"), option("interface", "nosuch")});
    EXPECT_THAT(refused, HasSubstr("--interface nosuch is not there: choose from "));
    EXPECT_THAT(refused, HasSubstr("lo"));
}

TEST(Config, an_interface_to_other_machines_needs_a_key) {
    const auto all = net::list_interfaces();
    const auto far =
        std::find_if(all.begin(), all.end(), [](const net::Interface& i) { return !i.loopback; });
    if (far == all.end()) GTEST_SKIP() << "this machine has only its loopback";
    Givens given{option("expect", "3"), option("interface", far->name)};
    EXPECT_THAT(refusal_of(given), HasSubstr("--interface " + far->name +
                                             " leads to other machines, and --key is missing"));
    given.push_back(option("insecure", "true"));
    EXPECT_EQ(refusal_of(given), "accepted");
}

TEST(Config, multicast_of_ipv6_needs_other_machines) {
    const Givens given{option("expect", "3"), option("meeting", "[ff02::7676]")};
    EXPECT_THAT(refusal_of(given), HasSubstr("--members a=[::1]:7001"));
    Givens with = given;
    with.push_back(option("insecure", "true"));
    EXPECT_EQ(refusal_of(with), "accepted");
    with.push_back(option("interface", "lo"));
    EXPECT_THAT(refusal_of(with), HasSubstr("--interface lo reaches only this one: choose"));
    EXPECT_EQ(refusal_of({option("members", "a=[::1]:7001,b=[::1]:7002")}), "accepted");
}

TEST(Config, members_may_be_named_by_host) {
    const Config config = config_of({option("members", "a=node-1.example,b=node2:7001")});
    EXPECT_TRUE(config.by_address());
    EXPECT_EQ(config.family(), net::Family::ipv4);
    EXPECT_EQ(config.members[0].host, "node-1.example");
    EXPECT_EQ(config.members[0].port, usual_port);
    EXPECT_EQ(config.members[1].port, 7001);
    EXPECT_THAT(describe(config), HasSubstr("\nmembers = a=node-1.example:7675,b=node2:7001\n"));
}

TEST(Config, a_clean_up_needs_a_command_and_leaves_it_time) {
    const auto refused = [](std::vector<Given> given, std::vector<std::string> command) {
        given.push_back(option("group", "g"));
        given.push_back(option("name", "a"));
        given.push_back(option("members", "a"));
        given.push_back(option("detect", "1s"));
        try {
            return describe(make_config(given, std::move(command)));
        } catch (const ConfigRefusal& refusal) {
            return refusal.sentence;
        }
    };
    EXPECT_THAT(refused({option("on-stopped", "true")}, {"x"}),
                HasSubstr("\non-stopped-timeout = 125ms\n"));
    EXPECT_THAT(refused({option("on-stopped", "true")}, {}), HasSubstr("there is none"));
    EXPECT_THAT(refused({option("on-stopped-timeout", "1s")}, {"x"}), HasSubstr("is missing"));
    EXPECT_THAT(
        refused({option("on-stopped", "true"), option("on-stopped-timeout", "251ms")}, {"x"}),
        HasSubstr("--on-stopped-timeout 251ms is too long for --detect 1s: give at most a "
                  "quarter, 250ms"));
    EXPECT_THAT(refused({option("on-stopped", std::string(1024, 'x'))}, {"x"}),
                HasSubstr("has 1024 bytes, and at most 1023"));
}

TEST(Config, every_setting_is_shown_as_it_would_be_given) {
    const Config config = config_of({option("members", "a=[::1]:7001,b=fd00::2"),
                                     option("witness", "true"), option("restart", "on-failure"),
                                     option("http", "127.0.0.1:80"), option("watchdog", "3s")});
    const std::string shown = describe(config);
    Givens again;
    for (const std::string& line : tests::lines_of(shown)) {
        if (line.starts_with("#")) continue;
        const auto equals = line.find(" = ");
        const std::string name = line.substr(0, equals), value = line.substr(equals + 3);
        if (name != "command" && !value.starts_with("(")) again.push_back(option(name, value));
    }
    EXPECT_EQ(describe(make_config(again, {})), shown);
    for (const options::Row& row : config_table().rows())
        EXPECT_THAT("\n" + shown, HasSubstr("\n" + std::string(row.name) + " = "));
    EXPECT_THAT(shown, HasSubstr("\nwitness = true\n"));
    EXPECT_THAT(shown, HasSubstr("\nrestart = on-failure\n"));
    EXPECT_THAT(describe(config_of({option("expect", "3")})), HasSubstr("\nexpect = 3\n"));
}

TEST(Config, the_environment_speaks_them_too) {
    setenv("CONCLAVE_STOP_TIMEOUT", "3s", 1);
    Givens given = options::read_environment(config_table().rows());
    unsetenv("CONCLAVE_STOP_TIMEOUT");
    ASSERT_EQ(given.size(), 1u);
    EXPECT_EQ(given[0].name, "stop-timeout");
    EXPECT_EQ(given[0].where, "CONCLAVE_STOP_TIMEOUT");
}

class LaunchIn : public testing::Test {
protected:
    std::string launch(const std::string& word, const std::string& value) {
        try {
            const Config config =
                config_of({option("state", folder / "s"), option(word, value),
                           option("stop-timeout", "1ms"), option("detect", "40ms")});
            Launch launched = prepare_launch(config);
            incarnation = launched.state.incarnation;
            launched.state.roster = {1, 2, {{"a", 0}, {"b", 0}}};
            EXPECT_FALSE(launched.file->write(launched.state));
            if (value == "2") held = std::move(launched.lock);
            return "ready";
        } catch (const ConfigRefusal& refusal) {
            return refusal.sentence;
        }
    }
    tests::Folder folder;
    std::uint32_t incarnation = 0;
    net::Descriptor held;
};

TEST_F(LaunchIn, every_life_has_its_number_and_the_roster_stays) {
    EXPECT_EQ(launch("members", "a,b"), "ready");
    EXPECT_EQ(incarnation, 1u);
    EXPECT_EQ(launch("members", "b,a"), "ready");
    EXPECT_EQ(incarnation, 2u);
    EXPECT_THAT(launch("members", "a,b,c"),
                HasSubstr("contradicts the members of group 'g', a, b (in"));
    EXPECT_THAT(launch("expect", "3"), HasSubstr("--expect 3 contradicts the members"));
    EXPECT_EQ(launch("expect", "2"), "ready");
    EXPECT_THAT(launch("members", "a,b"), HasSubstr("runs on this machine already"));
}

TEST_F(LaunchIn, a_check_finds_another_roster_and_is_no_life) {
    EXPECT_EQ(launch("members", "a,b"), "ready");
    const auto checked = [&](const std::string& members) -> std::string {
        try {
            check_launch(config_of({option("state", folder / "s"), option("members", members)}));
        } catch (const ConfigRefusal& refusal) {
            return refusal.sentence;
        }
        return "ready";
    };
    EXPECT_EQ(checked("b,a"), "ready");
    EXPECT_THAT(checked("a,b,c"), HasSubstr("contradicts the members of group 'g', a, b (in"));
    EXPECT_EQ(launch("members", "a,b"), "ready");
    EXPECT_EQ(incarnation, 2u);
}

TEST_F(LaunchIn, other_machines_need_a_key) {
    EXPECT_THAT(launch("members", "a=10.0.0.1,b=10.0.0.2"), HasSubstr("--key is missing"));
    EXPECT_EQ(launch("members", "a=127.0.0.1:1,b=127.0.0.1:2"), "ready");
}

TEST_F(LaunchIn, a_damaged_memory_is_refused) {
    EXPECT_EQ(launch("members", "a,b"), "ready");
    tests::write_file(folder / "s/g/a.state", "rubbish");
    EXPECT_THAT(launch("members", "a,b"), HasSubstr("a.state"));
}

TEST_F(LaunchIn, the_memory_of_another_node_is_refused) {
    EXPECT_EQ(launch("members", "a,b"), "ready");
    std::filesystem::rename(folder / "s/g/a.state", folder / "s/g/b.state");
    try {
        check_launch(config_of(
            {option("state", folder / "s"), option("members", "a,b"), option("name", "b")}));
        FAIL() << "it was taken";
    } catch (const ConfigRefusal& refusal) {
        EXPECT_EQ(refusal.sentence,
                  "state file " + (folder / "s/g/b.state") +
                      " belongs to node 'a', not to 'b': choose another folder with --state, or "
                      "give this node its own --name a");
    }
}

}  // namespace config_test
}  // namespace conclave::agent
