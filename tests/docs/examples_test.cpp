// Every verb's --help has examples, and they work.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/paths.hpp"
#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace examples_test {

// A node of the group that the examples speak of, alone in it, while they are tried.
class LonelyNode {
public:
    explicit LonelyNode(const std::string& state) : child_(fork()) {
        setenv("CONCLAVE_STATE", state.c_str(), 1);
        if (child_ == 0) {
            // Whoever else tries the examples on this machine does not meet it.
            const std::string meeting =
                "239.255.76.79:" + std::to_string(20'000 + getpid() % 20'000);
            execl(tool_path, tool_path, "run", "--group", "jobs", "--name", "a", "--members", "a",
                  "--detect", "200ms", "--meeting", meeting.c_str(), nullptr);
            _exit(127);
        }
        for (int i = 0; i < 1000 && run_tool("is-leader --group jobs").code != 0; ++i)
            usleep(10'000);
    }
    ~LonelyNode() {
        kill(child_, SIGTERM);
        waitpid(child_, nullptr, 0);
        unsetenv("CONCLAVE_STATE");
    }
    LonelyNode(const LonelyNode&) = delete;
    LonelyNode& operator=(const LonelyNode&) = delete;

private:
    pid_t child_;
};

// Where there are other members, or a time daemon: tests/cluster/members_test.py, and the tutorial
// on clocks. All rows of the ledger, one by one: tests/claims.
bool is_run_elsewhere(const std::string& example) {
    if (example == "claims --quick") return true;
    const bool asks_daemon = example.starts_with("timed ") && example[6] != '-';
    return example.starts_with("members ") ? example[8] != '-'
                                           : asks_daemon && !example.starts_with("timed sim ");
}

TEST(Examples, the_examples_of_every_verb_work) {
    const Folder folder;
    const LonelyNode node(folder / "state");
    ASSERT_EQ(run_tool("keygen " + (folder / "jobs.key")).code, 0);
    for (const std::string& verb : tool_verbs()) {
        if (verb == "lab") continue;  // it serves pages until it is stopped: tests/web does that
        const Ran help = run_tool(verb + " --help");
        EXPECT_EQ(help.code, 0) << verb;
        std::size_t examples = 0;
        for (const std::string& line : lines_of(help.out)) {
            if (!line.starts_with("  conclave ")) continue;
            ++examples;
            std::string example = line.substr(11);
            if (const auto at = example.find("--report "); at != std::string::npos)
                example = example.substr(0, at) + "--report " + (folder / "report");
            if (const auto at = example.find("jobs.key"); at != std::string::npos)
                example.replace(at, 8, folder / (verb == "keygen" ? "new.key" : "jobs.key"));
            if (is_run_elsewhere(example)) continue;
            const bool searches = verb == "check";  // for minutes, some of them
            if (searches) example += " --limit-states 20000";
            const Ran ran = run_tool(example);
            EXPECT_TRUE(ran.code == 0 || ran.code == 1 || (searches && ran.code == 3))
                << line << "\n"
                << ran.err;
            EXPECT_NE(ran.out, "") << line;
        }
        EXPECT_GT(examples, 0u) << verb;
    }
}

}  // namespace examples_test
}  // namespace conclave::tests
