#include "conclave/agent/disk/state_file.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>

#include "conclave/agent/disk/lock_file.hpp"
#include "tests/support/tool.hpp"

namespace conclave::agent {
namespace state_file_test {

using testing::HasSubstr;
using tests::Folder;
using Why = StateFile::Refused::Why;

StateFile file_in(const Folder& folder) { return {StateFolder(folder.path()), "state", "jobs"}; }

State sample() {
    return {.group = "jobs",
            .name = "alpha",
            .id = 0x1122334455667788,
            .incarnation = 3,
            .roster = {.version = 1, .digest = 77, .members = {{"alpha", 1}, {"beta", 2}}},
            .highest = {.round = 12, .member = Id{2}, .nonce = 5},
            .used = {.round = 11, .member = Id{1}, .nonce = 4},
            .lease = std::chrono::seconds(2),
            .algorithm = "tempo",
            .stored = {std::byte{1}, std::byte{2}, std::byte{3}}};
}

std::string refusal(const StateFile::Answer& answer) {
    const auto* refused = std::get_if<StateFile::Refused>(&answer);
    return refused == nullptr ? "" : refused->sentence;
}
std::optional<Why> why(const StateFile::Answer& answer) {
    const auto* refused = std::get_if<StateFile::Refused>(&answer);
    return refused == nullptr ? std::nullopt : std::optional(refused->why);
}
std::string text_of(Input bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string hex_of(Input bytes) {
    std::string text;
    for (const std::byte byte : bytes)
        for (const int shift : {4, 0})
            text += "0123456789abcdef"[std::to_integer<unsigned>(byte) >> shift & 15];
    return text;
}

// What happens in another process, by its exit code.
int in_child(const std::function<int()>& act) {
    const pid_t child = fork();
    if (child == 0) _exit(act());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(StateFile, what_is_written_is_read) {
    const Folder folder;
    StateFile file = file_in(folder);
    EXPECT_TRUE(std::holds_alternative<StateFile::Missing>(file.read()));
    EXPECT_EQ(file.write(sample()), std::nullopt);
    StateFile again = file_in(folder);
    EXPECT_EQ(std::get<State>(again.read()), sample());
    State later = sample();
    later.incarnation = 4;
    EXPECT_EQ(again.write(later), std::nullopt);
    EXPECT_EQ(std::get<State>(file.read()), later);
    EXPECT_FALSE(std::filesystem::exists(folder / "state.new"));
}

TEST(StateFile, its_bytes_are_these_for_ever) {
    const Bytes bytes = write_state({.group = "g",
                                     .name = "n",
                                     .id = 1,
                                     .incarnation = 2,
                                     .roster = {3, 4, {{"n", 1}}},
                                     .highest = {5, Id{6}, 7},
                                     .used = {8, Id{9}, 10},
                                     .lease = Duration{11},
                                     .algorithm = "a",
                                     .stored = {std::byte{0xff}}});
    EXPECT_EQ(text_of(Input(bytes).first(15)), "conclave state\n");
    EXPECT_EQ(hex_of(Input(bytes).subspan(15)),
              "01000000650000000100000067010000006e0100000000000000020000000300"
              "0000040000000000000001000000010000006e01000000000000000500000000"
              "00000006000000070000000800000000000000090000000a0000000b00000000"
              "000000010000006101000000ff856d96cd99799bb0");
}

// Programs that do not know of changes refuse it: they would promise as if there were none.
TEST(StateFile, a_group_whose_members_changed_has_a_format_of_its_own) {
    const auto format_of = [](const State& state) {
        return std::to_integer<int>(write_state(state)[15]);
    };
    State state = sample();
    EXPECT_EQ(format_of(state), 1);
    state.stamped.members = state.stamped.before = {{Id{4}, 99}};
    state.stamped.titles = {{Id{4}, "d=10.0.0.4"}};
    state.stamped.last = 4;
    state.seal = {1, 55};
    EXPECT_EQ(format_of(state), 3);
    EXPECT_EQ(std::get<State>(read_state(write_state(state), "jobs", "s")), state);
    State removed = sample();
    removed.removed = true;
    EXPECT_EQ(format_of(removed), 3);
    EXPECT_EQ(std::get<State>(read_state(write_state(removed), "jobs", "s")), removed);
}

TEST(StateFile, a_torn_file_is_damaged_wherever_it_was_torn) {
    const Bytes whole = write_state(sample());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto answer = read_state(Input(whole).first(size), "jobs", "s");
        ASSERT_EQ(why(answer), Why::corrupt) << size;
    }
    Bytes zeros = whole;
    for (std::size_t size = 16; size < whole.size(); ++size) {
        std::fill(zeros.begin() + static_cast<std::ptrdiff_t>(size), zeros.end(), std::byte{0});
        if (zeros == whole) continue;
        ASSERT_EQ(why(read_state(zeros, "jobs", "s")), Why::corrupt) << size;
        zeros = whole;
    }
}

TEST(StateFile, a_changed_bit_is_noticed_wherever_it_is) {
    const Bytes whole = write_state(sample());
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (unsigned bit = 0; bit < 8; ++bit) {
            Bytes changed = whole;
            changed[at] ^= std::byte{1} << bit;
            ASSERT_TRUE(why(read_state(changed, "jobs", "s"))) << at;
        }
}

TEST(StateFile, missing_damaged_and_foreign_are_three_answers) {
    const Bytes whole = write_state(sample());
    EXPECT_EQ(why(read_state(whole, "other", "s")), Why::foreign);
    EXPECT_EQ(refusal(read_state(whole, "other", "s")),
              "state file s belongs to group 'jobs', not to 'other': choose another folder with "
              "--state");
    Bytes later = whole;
    later[15] = std::byte{9};
    EXPECT_THAT(refusal(read_state(later, "jobs", "s")), HasSubstr("a later Conclave, format 9"));
    const std::string letter = "Dear diary, today nobody was elected.";
    EXPECT_EQ(why(read_state(std::as_bytes(std::span(letter)), "jobs", "s")), Why::foreign);
    EXPECT_THAT(refusal(read_state(Input(whole).first(40), "jobs", "s")),
                HasSubstr("is damaged (it ends too early): move it away"));
}

TEST(StateFile, what_was_refused_is_never_overwritten) {
    const Folder folder;
    const std::string path = folder / "state";
    const std::string torn = text_of(Input(write_state(sample())).first(50));
    for (const std::string& content : {torn, std::string("a letter"), std::string()}) {
        tests::write_file(path, content);
        StateFile file = file_in(folder);
        EXPECT_THAT(file.write(sample()).value_or(""), HasSubstr("was not read as ours"));
        EXPECT_TRUE(why(file.read()));
        EXPECT_THAT(file.write(sample()).value_or(""), HasSubstr("is not overwritten"));
        EXPECT_EQ(tests::read_file(path), content);
    }
    std::filesystem::create_directory(folder / "folder");
    StateFile place(StateFolder(folder.path()), "folder", "jobs");
    const auto unread = place.read();
    EXPECT_EQ(why(unread), Why::foreign);
    EXPECT_THAT(refusal(unread), HasSubstr("is no regular file: move it away"));
    EXPECT_TRUE(place.write(sample()));
}

// Every length at which the disk may be full: the former state stands.
TEST(StateFile, on_a_full_disk_the_former_state_stands) {
    const Folder folder;
    StateFile file = file_in(folder);
    file.read();
    ASSERT_EQ(file.write(sample()), std::nullopt);
    State later = sample();
    later.incarnation = 4;
    const std::size_t size = write_state(later).size();
    for (std::size_t room = 0; room <= size; room += room + 16 > size ? size - room + 1 : 16) {
        const int code = in_child([&] {
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{room, room};
            if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
            const auto refused = file.write(later);
            return refused && refused->find("cannot be written") != std::string::npos ? 0 : 1;
        });
        ASSERT_EQ(code, room < size ? 0 : 1) << room;
        if (room < size) {
            ASSERT_EQ(std::get<State>(file.read()), sample()) << room;
        }
        EXPECT_FALSE(std::filesystem::exists(folder / "state.new"));
    }
}

TEST(StateFile, in_a_folder_that_cannot_be_written_the_former_state_stands) {
    const Folder folder;
    StateFile file = file_in(folder);
    file.read();
    ASSERT_EQ(file.write(sample()), std::nullopt);
    ASSERT_EQ(chmod((folder / "state").c_str(), 0644), 0);
    ASSERT_EQ(chmod((folder / "").c_str(), 0555), 0);
    const int code = in_child([&] {
        if (geteuid() == 0 && setuid(65534) != 0) return 2;  // root writes everywhere
        const auto refused = file.write(sample());
        return refused && refused->find("Permission denied") != std::string::npos ? 0 : 1;
    });
    EXPECT_EQ(code, 0);
    ASSERT_EQ(chmod((folder / "").c_str(), 0755), 0);
    EXPECT_EQ(std::get<State>(file.read()), sample());
}

TEST(StateFile, no_link_is_followed) {
    const Folder folder;
    const std::string precious = folder / "precious";
    tests::write_file(precious, "precious");
    StateFile file = file_in(folder);
    file.read();
    std::filesystem::create_symlink(precious, folder / "state.new");
    EXPECT_EQ(file.write(sample()), std::nullopt);
    EXPECT_EQ(tests::read_file(precious), "precious");
    EXPECT_FALSE(std::filesystem::is_symlink(folder / "state"));
    std::filesystem::remove(folder / "state");
    std::filesystem::create_symlink(precious, folder / "state");
    EXPECT_THAT(refusal(file.read()), HasSubstr("is a link, and links are not followed"));
}

TEST(StateFile, a_process_without_descriptors_left_writes_nothing_halfway) {
    const Folder folder;
    StateFile file = file_in(folder);
    file.read();
    ASSERT_EQ(file.write(sample()), std::nullopt);
    const int code = in_child([&] {
        const rlimit limit{3, 3};
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return 2;
        return file.write(sample()) ? 0 : 1;  // it cannot even begin
    });
    EXPECT_EQ(code, 0);
    EXPECT_EQ(std::get<State>(file.read()), sample());
}

RC_GTEST_PROP(StateFile, any_state_survives_the_way, ()) {
    State state;
    state.group = *rc::gen::arbitrary<std::string>();
    state.name = *rc::gen::arbitrary<std::string>();
    state.id = *rc::gen::arbitrary<std::uint64_t>();
    for (const auto& name : *rc::gen::arbitrary<std::vector<std::string>>())
        state.roster.members.push_back({name, name.size()});
    for (const auto byte : *rc::gen::arbitrary<std::vector<std::uint8_t>>())
        state.stored.push_back(static_cast<std::byte>(byte));
    const auto answer = read_state(write_state(state), state.group, "s");
    RC_ASSERT(std::holds_alternative<State>(answer));
    RC_ASSERT(std::get<State>(answer) == state);
}

TEST(LockFile, is_free_only_when_all_who_hold_it_are_gone) {
    const Folder folder;
    const StateFolder place(folder.path());
    auto first = take_lock(place, "lock");
    ASSERT_TRUE(std::holds_alternative<net::Descriptor>(first));
    EXPECT_TRUE(std::holds_alternative<LockBusy>(take_lock(place, "lock")));
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t successor = fork();
    if (successor == 0) {
        close(ends[1]);
        char byte = 0;
        _exit(read(ends[0], &byte, 1) == 0 ? 0 : 1);
    }
    first = LockBusy{};  // closes it here
    EXPECT_TRUE(std::holds_alternative<LockBusy>(take_lock(place, "lock")));
    close(ends[0]);
    close(ends[1]);
    waitpid(successor, nullptr, 0);
    EXPECT_TRUE(std::holds_alternative<net::Descriptor>(take_lock(place, "lock")));
}

TEST(LockFile, that_cannot_be_made_is_refused_with_a_sentence) {
    const Folder folder;
    const auto refused = take_lock(StateFolder(folder.path()), "no/such/lock");
    ASSERT_TRUE(std::holds_alternative<LockRefused>(refused));
    EXPECT_THAT(std::get<LockRefused>(refused).sentence, HasSubstr("cannot be opened"));
}

}  // namespace state_file_test
}  // namespace conclave::agent
