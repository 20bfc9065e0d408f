#include "conclave/agent/launch.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "conclave/net/clock.hpp"
#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace launch_test {

using namespace std::chrono_literals;
using tests::Folder;

Config config_in(const Folder& folder) {
    return {.group = "g",
            .name = "a",
            .members = {{"a", {}}, {"b", {}}},
            .insecure = true,
            .state = folder.path(),
            .detect = 200ms};
}

// 0: it could be launched.
int refusal_code(const Config& config) {
    try {
        prepare_launch(config);
        return 0;
    } catch (const ConfigRefusal& refused) {
        return refused.code;
    }
}

// Whatever somebody has put there.
TEST(Launch, nothing_is_touched_in_a_folder_that_is_refused) {
    const Folder folder;
    const std::string place = folder / "g", precious = folder / "precious";
    std::filesystem::create_directory(place);
    tests::write_file(precious, "gold");
    std::filesystem::create_hard_link(precious, place + "/a.lock");
    EXPECT_EQ(refusal_code(config_in(folder)), exit_code::state);  // its second name
    ASSERT_EQ(chmod(place.c_str(), 0777), 0);
    EXPECT_EQ(refusal_code(config_in(folder)), exit_code::state);
    EXPECT_EQ(tests::read_file(precious), "gold");
    EXPECT_FALSE(std::filesystem::exists(place + "/a.tree"));
    EXPECT_FALSE(std::filesystem::exists(place + "/a.state"));
}

TEST(Launch, a_roster_that_cannot_be_stored_ends_the_node_as_a_failing_disk_does) {
    Party party({{"expect", "2"}}, "");
    const Node& first = party.invite("a");
    const std::string beside = first.config().state + "/party/a.state.new";
    std::filesystem::create_directories(beside + "/full");  // the file cannot be replaced
    party.invite("b");
    EXPECT_TRUE(party.wait_for([&] { return party.ended("a") != -1; }));
    EXPECT_EQ(party.ended("a"), exit_code::state);
}

TEST(Launch, a_lost_record_is_waited_for_as_long_as_the_former_lease_may_last) {
    const Folder folder;
    const Config config = config_in(folder);
    {
        Launch first = prepare_launch(config);
        EXPECT_TRUE(first.former.gone());
        first.state.used = {.round = 1, .member = Id{1}, .nonce = 1};
        first.state.lease = 30s;
        ASSERT_EQ(first.file->write(first.state), std::nullopt);
    }
    EXPECT_TRUE(prepare_launch(config).former.gone());  // its record says that there was nothing
    std::filesystem::remove(folder / "g/a.tree");
    const Time began = net::boot_time();
    EXPECT_GE(prepare_launch(config).former.until(), began + 30s);
    EXPECT_GE(prepare_launch(config).former.until(), began + 30s);
}

}  // namespace launch_test
}  // namespace conclave::agent
