// States are written beside the loop, in order, and the last one is what the file holds.
#include "conclave/agent/disk/state_writer.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/support/tool.hpp"

namespace conclave::agent {
namespace state_writer_test {

using std::chrono::milliseconds;

struct Desk {
    explicit Desk(const std::string& place)
        : file(StateFolder(place), "n.state", "g"), answer(file.read()) {}
    std::uint64_t write(std::uint32_t incarnation) {
        return writer.write({.group = "g", .name = "n", .id = 7, .incarnation = incarnation});
    }
    bool wait_for(std::uint64_t number) {
        for (int i = 0; i < 5000 && (done.empty() || done.back() < number); ++i)
            loop.step(milliseconds(1));
        return !done.empty() && done.back() == number;
    }

    net::Loop loop;
    StateFile file;
    StateFile::Answer answer;
    std::vector<std::uint64_t> done;
    std::vector<std::string> problems;
    StateWriter writer{loop, file, [this](std::uint64_t number, const std::string& problem) {
                           done.push_back(number);
                           if (!problem.empty()) problems.push_back(problem);
                       }};
};

std::uint32_t stored_in(const std::string& place) {
    StateFile file(StateFolder(place), "n.state", "g");
    const auto answer = file.read();
    const auto* state = std::get_if<State>(&answer);
    return state != nullptr ? state->incarnation : 0;
}

TEST(StateWriter, nobody_waits_for_a_write_and_the_last_one_is_in_the_file) {
    const conclave::tests::Folder folder;
    Desk desk(folder.path());
    std::uint64_t last = 0;
    for (std::uint32_t i = 1; i <= 200; ++i) last = desk.write(i);
    EXPECT_EQ(last, 200u);
    EXPECT_TRUE(desk.done.empty());  // it is told in the loop, never from within
    ASSERT_TRUE(desk.wait_for(last));
    EXPECT_EQ(stored_in(folder.path()), 200u);
    EXPECT_TRUE(std::is_sorted(desk.done.begin(), desk.done.end()));
    EXPECT_LT(desk.done.size(), 200u);  // what waited when a later one came was not written
}

TEST(StateWriter, the_same_state_again_is_the_same_write_until_it_is_done) {
    const conclave::tests::Folder folder;
    Desk desk(folder.path());
    const std::uint64_t first = desk.write(1);
    EXPECT_EQ(desk.write(1), first);
    ASSERT_TRUE(desk.wait_for(first));
    EXPECT_GT(desk.write(1), first);  // by then the disk may have lost it
}

TEST(StateWriter, a_write_that_fails_is_told_with_a_sentence_and_a_later_one_succeeds) {
    const conclave::tests::Folder folder;
    Desk desk(folder.path());
    std::filesystem::create_directory(folder / "n.state.new");  // which nobody can unlink
    ASSERT_TRUE(desk.wait_for(desk.write(1)));
    ASSERT_EQ(desk.problems.size(), 1u);
    EXPECT_THAT(desk.problems.front(), testing::HasSubstr("n.state"));
    std::filesystem::remove(folder / "n.state.new");
    ASSERT_TRUE(desk.wait_for(desk.write(1)));
    EXPECT_EQ(desk.problems.size(), 1u);
    EXPECT_EQ(stored_in(folder.path()), 1u);
}

TEST(StateWriter, whoever_ends_waits_for_the_write_that_has_begun) {
    const conclave::tests::Folder folder;
    for (std::uint32_t i = 1; i <= 20; ++i) {
        Desk desk(folder.path());
        desk.write(i);
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "n.state.new"));
    EXPECT_LE(stored_in(folder.path()), 20u);
}

}  // namespace state_writer_test
}  // namespace conclave::agent
