// What the verbs say that ask a node, where the node does not answer.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <future>

#include "conclave/net/line_server.hpp"
#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace ask_test {

using testing::HasSubstr;

// A group's folder, with sockets of nodes that never answer or were killed.
struct Stopped {
    Stopped() { std::filesystem::create_directories(folder / "jobs"); }
    std::string socket(const std::string& name) const {
        return folder / ("jobs/" + name + ".sock");
    }
    void stop(const std::string& name) { servers.emplace_back(loop, socket(name), nullptr); }
    void kill(const std::string& name) {
        const net::LineServer server(loop, folder / "s", nullptr);
        std::filesystem::create_hard_link(folder / "s", socket(name));
    }
    std::string where() const { return " --group jobs --state '" + (folder / "") + "'"; }

    Folder folder;
    net::Loop loop;
    std::list<net::LineServer> servers;
};

TEST(Ask, a_stopped_agent_is_named_in_time_and_never_leads) {
    Stopped nodes;
    nodes.stop("a");
    auto leads = std::async([&] { return run_tool("is-leader" + nodes.where()); });
    const Ran status = run_tool("status" + nodes.where());
    EXPECT_EQ(status.code, 2);
    EXPECT_THAT(status.err, HasSubstr("the agent of group 'jobs' does not answer"));
    EXPECT_THAT(status.err, HasSubstr("is it stopped?"));
    EXPECT_EQ(leads.get().code, 1);
}

TEST(Ask, a_socket_that_a_killed_node_left_is_no_node) {
    Stopped nodes;
    nodes.kill("a");
    EXPECT_THAT(run_tool("status" + nodes.where()).err, HasSubstr("no node of this group runs"));
    nodes.stop("b");
    nodes.stop("c");
    const Ran both = run_tool("status" + nodes.where());
    EXPECT_EQ(both.code, 2);
    EXPECT_THAT(both.err, HasSubstr("choose from b, c\n"));
    EXPECT_THAT(run_tool("status --name a" + nodes.where()).err, HasSubstr("nobody listens on"));
    setenv("CONCLAVE_NAME", "a", 1);
    EXPECT_THAT(run_tool("status" + nodes.where()).err, HasSubstr("nobody listens on"));
    unsetenv("CONCLAVE_NAME");
}

TEST(Watch, its_count_is_a_number_of_lines) {
    for (const char* wrong : {"-1", "2x", "0", "''"}) {
        const Ran ran = run_tool(std::string("watch --group jobs --count ") + wrong);
        EXPECT_EQ(ran.code, 2);
        EXPECT_THAT(ran.err, HasSubstr("give a whole number from 1 to 1000000000")) << wrong;
    }
}

TEST(Bound, is_computed_without_a_node_for_a_detection_time) {
    const Ran five = run_tool("bound --detect 2s --expect 5");
    EXPECT_EQ(five.code, 0) << five.err;
    EXPECT_THAT(five.out, HasSubstr("3 of 5"));
    EXPECT_NE(five.out, run_tool("bound --detect 1s --expect 5").out);
    EXPECT_THAT(run_tool("bound --detect 2s --json").out, HasSubstr("\"members\":3"));
    EXPECT_THAT(run_tool("bound --detect 1ms").err,
                HasSubstr("--detect cannot be '1ms': give a duration of at least 40ms"));
    EXPECT_THAT(run_tool("bound --expect 5").err, HasSubstr("belong to --detect"));
}

}  // namespace ask_test
}  // namespace conclave::tests
