// One key per user, for groups of one machine that were given none.
#include "conclave/agent/settings/own_key.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "tests/support/tool.hpp"

namespace conclave::agent {
namespace own_key_test {

using testing::EndsWith;
using testing::HasSubstr;

Config here() { return make_config({{"group", "g", ""}, {"expect", "1", ""}}, {}); }

// Runs as a user without rights whose home this is: what the user `root` shares with the machine is
// left alone. The answer is what `body` says.
std::string as_user(const std::string& home, const std::function<std::string()>& body) {
    std::array<int, 2> pipe{};
    EXPECT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
        setenv("HOME", home.c_str(), 1);
        unsetenv("XDG_STATE_HOME");
        if (geteuid() == 0 && setuid(65534) != 0) _exit(1);
        std::string said;
        try {
            said = body();
        } catch (const ConfigRefusal& refusal) {
            said = refusal.sentence;
        }
        [[maybe_unused]] const ssize_t sent = write(pipe[1], said.data(), said.size());
        _exit(0);
    }
    close(pipe[1]);
    std::string said(4096, '\0');
    const ssize_t got = read(pipe[0], said.data(), said.size());
    said.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    close(pipe[0]);
    waitpid(child, nullptr, 0);
    return said;
}

std::string hint_of_key(bool make = true) {
    const wire::Keys keys = read_group_keys(here(), make);
    return keys.empty() ? "none" : std::to_string(keys.keys.front().hint());
}

class OwnKey : public testing::Test {
protected:
    OwnKey() { EXPECT_EQ(chmod(folder_.path().c_str(), 0777), 0); }
    std::string home() const { return folder_.path(); }
    std::string file() const { return folder_ / ".local/state/conclave/loopback.key"; }
    conclave::tests::Folder folder_;
};

TEST_F(OwnKey, is_made_on_first_use_for_its_user_alone_and_stays) {
    EXPECT_EQ(as_user(home(), [] { return hint_of_key(false); }), "none");  // --check-config
    const std::string first = as_user(home(), [] { return hint_of_key(); });
    EXPECT_NE(first, "none");
    EXPECT_EQ(as_user(home(), [] { return hint_of_key(); }), first);
    EXPECT_EQ(as_user(home(), [] { return hint_of_key(false); }), first);
    struct stat found{};
    ASSERT_EQ(stat(file().c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 07777, 0600u);
}

TEST_F(OwnKey, nodes_that_start_at_once_agree_on_it) {
    std::set<std::string> hints;
    std::array<int, 2> gate{};
    ASSERT_EQ(pipe(gate.data()), 0);
    std::vector<std::pair<pid_t, std::string>> children;
    for (int i = 0; i < 16; ++i) {
        const std::string said = folder_ / std::to_string(i);
        const pid_t child = fork();
        if (child == 0) {
            char any = 0;
            close(gate[1]);
            [[maybe_unused]] const ssize_t got = read(gate[0], &any, 1);  // until all are there
            conclave::tests::write_file(said, as_user(home(), [] { return hint_of_key(); }));
            _exit(0);
        }
        children.emplace_back(child, said);
    }
    close(gate[0]);
    close(gate[1]);
    for (const auto& [child, said] : children) {
        waitpid(child, nullptr, 0);
        hints.insert(conclave::tests::read_file(said));
    }
    EXPECT_EQ(hints.size(), 1u) << testing::PrintToString(hints);
}

TEST_F(OwnKey, that_others_can_read_is_refused) {
    as_user(home(), [] { return hint_of_key(); });
    ASSERT_EQ(chmod(file().c_str(), 0644), 0);
    EXPECT_THAT(as_user(home(), [] { return hint_of_key(); }),
                HasSubstr("can be read or written by others: chmod 600"));
}

TEST_F(OwnKey, that_cannot_be_made_is_refused_with_a_remedy) {
    EXPECT_THAT(as_user("/proc", [] { return hint_of_key(); }), EndsWith("--key FILE"));
}

TEST_F(OwnKey, is_not_used_where_a_file_or_insecurity_was_asked_for) {
    Config config = here();
    EXPECT_TRUE(uses_own_key(config));
    EXPECT_THAT(key_remark(config), HasSubstr("loopback.key (of this user"));
    config.insecure = true;
    EXPECT_FALSE(uses_own_key(config));
    EXPECT_TRUE(read_group_keys(config, true).empty());
    config.insecure = false;
    config.key = "jobs.key";
    EXPECT_FALSE(uses_own_key(config));
    EXPECT_EQ(key_remark(config), "jobs.key");
}

}  // namespace own_key_test
}  // namespace conclave::agent
