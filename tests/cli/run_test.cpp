// The command line of a node, as far as it goes without starting one.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "conclave/agent/disk/lock_file.hpp"
#include "conclave/agent/settings/node_config.hpp"
#include "conclave/net/http_server.hpp"
#include "conclave/net/socket.hpp"
#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace run_test {

using testing::HasSubstr;

TEST(Run, a_flag_overrides_the_file_both_ways) {
    const Folder folder;
    write_file(folder / "yes.toml", "witness = true\n");
    write_file(folder / "no.toml", "witness = false\n");
    const auto shown = [&](const std::string& words) {
        return run_tool("run --group g --expect 3 --check-config --state '" + (folder / "s") +
                        "' " + words);
    };
    const std::string yes = "--config '" + (folder / "yes.toml") + "' ";
    const std::string no = "--config '" + (folder / "no.toml") + "' ";
    EXPECT_THAT(shown(yes).out, HasSubstr("\nwitness = true\n"));
    EXPECT_THAT(shown(yes + "--witness=false").out, HasSubstr("\nwitness = false\n"));
    EXPECT_THAT(shown(no + "--witness").out, HasSubstr("\nwitness = true\n"));
    EXPECT_EQ(shown(yes + "--witness --witness=false").err,
              "conclave: --witness is given twice: leave out one\n");
}

TEST(Run, an_option_for_the_roster_overrides_the_other_one_elsewhere) {
    const Folder folder;
    write_file(folder / "names.toml", "members = ['a', 'b']\n");
    write_file(folder / "count.toml", "expect = 3\n");
    const auto shown = [&](const std::string& words) {
        const Ran ran = run_tool("run --group g --name a --check-config --state '" +
                                 (folder / "s") + "' " + words);
        EXPECT_EQ(ran.err, "");
        return ran.out;
    };
    const std::string names = "--config '" + (folder / "names.toml") + "' ";
    const std::string count = "--config '" + (folder / "count.toml") + "' ";
    EXPECT_THAT(shown(names + "--expect 5"), HasSubstr("\nexpect = 5\n"));
    EXPECT_THAT(shown(count + "--members a,c"), HasSubstr("\nmembers = a,c\n"));
    setenv("CONCLAVE_MEMBERS", "a,b,c", 1);
    EXPECT_THAT(shown(count), HasSubstr("\nmembers = a,b,c\n"));
    EXPECT_THAT(shown("--expect 5"), HasSubstr("\nexpect = 5\n"));
    unsetenv("CONCLAVE_MEMBERS");
}

TEST(Run, a_flag_is_true_or_false) {
    for (const options::Row& word : agent::config_table().rows()) {
        if (word.kind != options::Kind::flag) continue;
        const std::string option = "--" + std::string(word.name);
        for (const std::string value : {"maybe", "2", "on", "-1"})
            EXPECT_EQ(refusal_of("run --group g --expect 3 --check-config " + option + "=" + value),
                      option + " cannot be '" + value + "': give true or false");
    }
    EXPECT_EQ(refusal_of("sim bully --same-for-all=maybe"),
              "--same-for-all cannot be 'maybe': give true or false");
    EXPECT_EQ(refusal_of("status --group g --json=foo"),
              "--json cannot be 'foo': give true or false");
}

TEST(Run, what_could_not_start_is_refused_by_the_check) {
    const Folder folder;
    const auto checked = [&](const std::string& words) {
        return run_tool("run --group g --name a --members a,b --check-config --state '" +
                        (folder / "s") + "' " + words);
    };
    EXPECT_EQ(checked("-- sleep 1").code, 0);
    EXPECT_EQ(checked("-- /bin/sh -c true").code, 0);
    const Ran command = checked("-- ./no-such-program");
    EXPECT_EQ(command.code, 2);
    EXPECT_THAT(command.err, HasSubstr("the command './no-such-program' is not there"));
    EXPECT_EQ(checked("-- no-such-program").code, 2);
    EXPECT_EQ(checked("-- /").code, 2);
    const Ran key = checked("--key '" + (folder / "missing.key") + "'");
    EXPECT_EQ(key.code, 2);
    EXPECT_EQ(key.err, "conclave: --key: key file " + (folder / "missing.key") +
                           " cannot be opened (No such file or directory): give one that conclave "
                           "keygen made and that this user may read\n");
    EXPECT_FALSE(std::filesystem::exists(folder / "s"));
    std::filesystem::create_directories(folder / "s/g");
    write_file(folder / "s/g/a.state", "rubbish");
    const Ran rubbish = checked("");
    EXPECT_EQ(rubbish.code, 122);
    EXPECT_THAT(rubbish.err, HasSubstr("a.state"));
    EXPECT_EQ(read_file(folder / "s/g/a.state"), "rubbish");
}

TEST(Run, the_check_finds_a_state_folder_that_the_run_could_not_make) {
    const Folder folder;
    write_file(folder / "file", "");
    std::filesystem::create_symlink(folder / "nowhere", folder / "link");
    for (const std::string& state : {std::string("/proc/1/foo"), std::string("/sys/foo"),
                                     folder / "file", folder / "file/deep/er", folder / "link"}) {
        const std::string line = "run --group g --name a --members a,b --state '" + state + "' ";
        const Ran checked = run_tool(line + "--check-config -- true");
        EXPECT_EQ(checked.code, 122) << state;
        EXPECT_THAT(checked.err, HasSubstr("--state: the folder " + state + "/g cannot be made ("));
        EXPECT_THAT(refusal_of(line + "-- true", 122), HasSubstr(state + "/g cannot be made ("));
    }
    const Ran fine = run_tool("run --group g --name a --members a,b --check-config --state '" +
                              (folder / "new/and/deep") + "'");
    EXPECT_EQ(fine.code, 0) << fine.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "new"));
}

TEST(Run, a_port_that_is_taken_is_refused_with_its_option) {
    const Folder folder;
    net::Loop loop;
    const net::Address home = *net::parse_address("127.0.0.1");
    const net::HttpServer server(loop, home, {});
    const net::Socket socket(home, net::Socket::Use::alone);
    const std::string line = "agent --group g --name a --state '" + (folder / "s") + "' ";
    const std::string http = net::text(server.local()), own = net::text(socket.local());
    EXPECT_EQ(refusal_of(line + "--expect 2 --http " + http, 125),
              "--http " + http +
                  " cannot be had (Address already in use): give an address of this machine and a "
                  "port that is free");
    EXPECT_EQ(refusal_of(line + "--members a=" + own, 125),
              "cannot bind " + own +
                  ": Address already in use: give this node an address of this machine in "
                  "--members, and a port that is free, there or by --port");
}

// A service manager never repeats code 2: that is for what stays wrong until somebody mends it.
TEST(Run, what_may_pass_by_itself_is_not_code_2) {
    const Folder folder;
    const std::string line =
        "agent --group g --name a --expect 2 --detect 200ms --state '" + folder.path() + "' ";
    std::filesystem::create_directory(folder / "g");
    {
        const auto lock = agent::take_lock(agent::StateFolder(folder / "g"), "a.lock");
        EXPECT_THAT(refusal_of(line, 121), HasSubstr("runs on this machine already"));
    }
    std::filesystem::create_directory(folder / "g/a.state.new");  // it cannot be replaced
    write_file(folder / "g/a.state.new/full", "");
    EXPECT_THAT(refusal_of(line, 122), HasSubstr("a.state cannot be opened (File exists)"));
    std::filesystem::remove_all(folder / "g/a.state.new");
    std::filesystem::remove(folder / "g/a.tree");
    std::filesystem::create_directory(folder / "g/a.tree");
    EXPECT_THAT(refusal_of(line, 122), HasSubstr("a.tree cannot be opened (Is a directory)"));
    setenv("CONCLAVE_GUARDIAN", "/none", 1);
    const Ran unguarded = run_tool("run --group h --name a --members a --detect 200ms --state '" +
                                   folder.path() + "' -- true");
    unsetenv("CONCLAVE_GUARDIAN");
    EXPECT_EQ(unguarded.code, 2) << unguarded.err;  // before it has joined: it is not installed
    EXPECT_THAT(unguarded.err, HasSubstr("the guardian /none is not there"));
}

TEST(Agent, a_command_is_for_run) {
    const Ran ran = run_tool("agent --group g --expect 3 -- ./job");
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr("conclave agent takes no command behind --: conclave run does"));
}

}  // namespace run_test
}  // namespace conclave::tests
