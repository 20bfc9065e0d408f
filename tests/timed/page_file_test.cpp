#include "conclave/timed/report/page_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "conclave/net/failure.hpp"
#include "tests/support/tool.hpp"

namespace conclave::timed {
namespace page_file_test {

namespace fs = std::filesystem;

class PageFiles : public testing::Test {
protected:
    tests::Folder folder_;
    std::string path_ = folder_ / "timed.page";
};

ino_t inode(const std::string& path) {
    struct stat found{};
    return stat(path.c_str(), &found) == 0 ? found.st_ino : 0;
}

TEST_F(PageFiles, everybody_reads_it_and_nobody_else_writes_it) {
    const mode_t before = umask(0);
    const PageFile page(path_);
    umask(before);
    struct stat found{};
    ASSERT_EQ(stat(path_.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 07777, 0644u);
    EXPECT_EQ(found.st_size, static_cast<off_t>(sizeof(page::PageLayout)));
    EXPECT_FALSE(fs::exists(path_ + ".new"));
}

TEST_F(PageFiles, a_daemon_that_starts_puts_a_new_one_in_its_place) {
    const PageFile first(path_);
    const ino_t old = inode(path_);
    const PageFile second(path_);
    EXPECT_NE(inode(path_), old);
}

TEST_F(PageFiles, a_link_in_its_place_is_not_followed) {
    const fs::path precious = folder_ / "precious";
    std::ofstream(precious) << "keep";
    fs::create_symlink(precious, path_ + ".new");
    fs::create_symlink(precious, path_);
    const PageFile page(path_);
    EXPECT_EQ(fs::file_size(precious), 4u);
    EXPECT_FALSE(fs::is_symlink(path_));
}

TEST_F(PageFiles, a_place_that_cannot_be_written_is_refused_with_its_name) {
    try {
        const PageFile page(folder_ / "missing/timed.page");
        ADD_FAILURE() << "it was made";
    } catch (const net::Failure& failure) {
        EXPECT_NE(std::string(failure.what()).find("give another --page"), std::string::npos);
    }
}

}  // namespace page_file_test
}  // namespace conclave::timed
