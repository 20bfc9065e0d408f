#include "conclave/agent/disk/state_folder.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "conclave/agent/settings/node_config.hpp"
#include "tests/support/tool.hpp"

namespace conclave::agent {
namespace state_folder_test {

using testing::HasSubstr;
using tests::Folder;

std::string refusal(const std::string& path) {
    try {
        const StateFolder folder(path);
        return {};
    } catch (const ConfigRefusal& refused) {
        EXPECT_EQ(refused.code, exit_code::state);
        return refused.sentence;
    }
}

TEST(StateFolder, that_others_can_write_to_or_own_is_refused) {
    const Folder folder;
    ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
    EXPECT_THAT(refusal(folder.path()), HasSubstr("can be written by other users: chmod go-w "));
    ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
    EXPECT_THAT(refusal(folder / "none"), HasSubstr("cannot be opened (No such file"));
    if (geteuid() != 0) return;  // only root can give files away
    ASSERT_EQ(chown(folder.path().c_str(), 65534, 65534), 0);
    EXPECT_THAT(refusal(folder.path()), HasSubstr("belongs to another user (65534)"));
}

TEST(StateFolder, a_file_in_it_is_regular_our_own_and_has_one_name) {
    const Folder folder;
    const StateFolder place(folder.path());
    const auto problem = [&](const std::string& name) { return place.open(name, O_RDWR).problem; };
    EXPECT_EQ(place.open("none", O_RDONLY).error, ENOENT);
    tests::write_file(folder / "file", "gold");
    EXPECT_EQ(problem("file"), "");
    std::filesystem::create_symlink(folder / "file", folder / "link");
    EXPECT_THAT(problem("link"), HasSubstr("is a link, and links are not followed"));
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(problem("pipe"), HasSubstr("is no regular file"));
    std::filesystem::create_hard_link(folder / "file", folder / "second");
    EXPECT_THAT(problem("file"), HasSubstr("has a second name"));
    std::filesystem::remove(folder / "second");
    if (geteuid() != 0) return;
    ASSERT_EQ(chown((folder / "file").c_str(), 65534, 65534), 0);
    EXPECT_THAT(problem("file"), HasSubstr("belongs to another user (65534)"));
}

}  // namespace state_folder_test
}  // namespace conclave::agent
