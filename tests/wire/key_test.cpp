#include "conclave/wire/group_key.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

#include "tests/support/tool.hpp"

namespace conclave::wire {
namespace key_test {

using testing::HasSubstr;
using tests::Folder;

const std::string one_line(64, 'a'), other_line(64, 'b'), third_line(64, 'c');

std::string refusal(const std::variant<Keys, KeyRefusal>& read) {
    const auto* refused = std::get_if<KeyRefusal>(&read);
    return refused == nullptr ? "" : refused->sentence;
}
std::string refusal(const std::string& text) { return refusal(parse_keys(text, "k")); }

TEST(KeyFile, is_made_for_its_owner_alone_and_reads_back) {
    const Folder folder;
    umask(0);
    const auto made = make_key_file(folder / "key");
    ASSERT_TRUE(std::holds_alternative<Key>(made));
    struct stat found{};
    ASSERT_EQ(stat((folder / "key").c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 07777, 0600u);
    const auto read = read_keys(folder / "key");
    ASSERT_EQ(refusal(read), "");
    ASSERT_EQ(std::get<Keys>(read).keys.size(), 1u);
    EXPECT_EQ(std::get<Keys>(read).keys[0].secret(), std::get<Key>(made).secret());
}

TEST(KeyFile, is_never_overwritten) {
    const Folder folder;
    const std::string path = folder / "key";
    tests::write_file(path, "precious");
    const auto made = make_key_file(path);
    EXPECT_THAT(std::get<KeyRefusal>(made).sentence, HasSubstr("exists already"));
    EXPECT_EQ(tests::read_file(path), "precious");
}

TEST(KeyFile, is_refused_when_others_can_read_or_write_it) {
    const Folder folder;
    const std::string path = folder / "key";
    ASSERT_TRUE(std::holds_alternative<Key>(make_key_file(path)));
    for (const mode_t mode : {0640u, 0604u, 0620u, 0602u, 0601u}) {
        ASSERT_EQ(chmod(path.c_str(), mode), 0);
        EXPECT_EQ(refusal(read_keys(path)),
                  "key file " + path + " can be read or written by others: chmod 600 " + path);
    }
    ASSERT_EQ(chmod(path.c_str(), 0400), 0);
    EXPECT_EQ(refusal(read_keys(path)), "");
}

TEST(KeyFile, is_refused_when_it_belongs_to_somebody_else) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
    const Folder folder;
    ASSERT_TRUE(std::holds_alternative<Key>(make_key_file(folder / "key")));
    ASSERT_EQ(chown((folder / "key").c_str(), 12345, 0), 0);
    EXPECT_THAT(refusal(read_keys(folder / "key")), HasSubstr("belongs to user 12345"));
}

TEST(KeyFile, that_is_missing_or_no_file_is_refused) {
    const Folder folder;
    EXPECT_THAT(refusal(read_keys(folder / "none")), HasSubstr("No such file"));
    EXPECT_THAT(refusal(read_keys(folder / "")), HasSubstr("is no plain file"));
    const auto made = make_key_file(folder / "no/such/place");
    EXPECT_THAT(std::get<KeyRefusal>(made).sentence, HasSubstr("cannot be made"));
}

TEST(KeyFile, holds_one_key_or_two) {
    EXPECT_EQ(std::get<Keys>(parse_keys(one_line, "k")).keys.size(), 1u);
    EXPECT_EQ(refusal("# why\n\n" + one_line + "\n" + other_line + "\n"), "");
    EXPECT_EQ(refusal("# why\n"), "key file k holds no key: make one with conclave keygen FILE");
    EXPECT_THAT(refusal(one_line + "\n" + other_line + "\n" + third_line),
                HasSubstr("line 3 is a third key"));
    EXPECT_THAT(refusal(one_line + "\n" + one_line), HasSubstr("line 2 repeats a key"));
}

TEST(KeyFile, a_line_is_64_digits_and_nothing_else) {
    for (const std::string& wrong :
         {one_line.substr(1), one_line + "a", one_line.substr(1) + "x", " " + one_line,
          one_line.substr(1) + ":", std::string("hunter2")})
        EXPECT_THAT(refusal(wrong), HasSubstr("line 1 is no key")) << wrong;
}

TEST(Key, two_keys_are_never_the_same) {
    std::set<Key::Secret> secrets;
    std::set<std::uint64_t> numbers;
    for (int i = 0; i < 100; ++i) {
        secrets.insert(Key::random().secret());
        numbers.insert(random_number());
    }
    EXPECT_EQ(secrets.size(), 100u);
    EXPECT_EQ(numbers.size(), 100u);
}

TEST(Key, is_wiped_when_it_ends) {
    alignas(Key) std::array<std::byte, sizeof(Key)> place{};
    Key* key = new (place.data()) Key(Key::random());
    const auto count_zeros = [&] {
        return std::count(place.begin(), place.begin() + Key::size, std::byte{0});
    };
    EXPECT_LT(count_zeros(), 16);
    key->~Key();
    EXPECT_EQ(count_zeros(), 32);
}

}  // namespace key_test
}  // namespace conclave::wire
