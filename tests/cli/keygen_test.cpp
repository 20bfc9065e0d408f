#include <gmock/gmock.h>

#include <filesystem>

#include "conclave/wire/group_key.hpp"
#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace keygen_test {

using testing::HasSubstr;

TEST(Keygen, makes_a_key_that_only_its_owner_reads) {
    const Folder folder;
    const std::string path = folder / "jobs.key";
    const Ran ran = run_tool("keygen '" + path + "'");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr(path));
    EXPECT_TRUE(std::holds_alternative<wire::Keys>(wire::read_keys(path)));
}

TEST(Keygen, refuses_what_exists_and_what_cannot_be_made) {
    const Folder folder;
    const std::string path = folder / "jobs.key";
    EXPECT_EQ(run_tool("keygen '" + path + "'").code, 0);
    const std::string before = read_file(path);
    const Ran again = run_tool("keygen '" + path + "'");
    EXPECT_EQ(again.code, 2);
    EXPECT_THAT(again.err, HasSubstr("exists already: choose another name"));
    EXPECT_EQ(read_file(path), before);
    EXPECT_THAT(
        run_tool("keygen '" + (folder / "no/such") + "'").err,
        HasSubstr("cannot be made (No such file or directory): choose a folder that is there"));
    EXPECT_THAT(run_tool("keygen").err, HasSubstr("FILE is missing"));
}

}  // namespace keygen_test
}  // namespace conclave::tests
