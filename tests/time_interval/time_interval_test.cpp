#include "conclave/time_interval.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <bit>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "conclave/page/boot.hpp"
#include "tests/support/tool.hpp"

namespace conclave {
namespace time_interval_test {

using namespace std::chrono_literals;
using testing::HasSubstr;

Time clock_now(clockid_t which) {
    timespec now{};
    clock_gettime(which, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// Written so long ago, by a network that is 5 s ahead of this machine.
page::Content content(Duration age = {}) {
    const page::Clocks now{clock_now(CLOCK_MONOTONIC_RAW) - age, clock_now(CLOCK_REALTIME) - age};
    return {.at = now,
            .slack = clock::ppm(120'000),
            .source = page::Source::real,
            .offset = 5s,
            .error = 1ms,
            .status = TimeStatus::synchronised};
}

class Pages : public testing::Test {
protected:
    // As a daemon that starts.
    void put(const page::Content& given, page::BootId boot = page::boot_id()) const {
        page::PageLayout page;
        page::prepare(page, boot);
        page::write(page, given);
        std::ofstream file(path_ + ".new", std::ios::binary);
        file.write(reinterpret_cast<const char*>(&page), sizeof page);
        file.close();
        std::filesystem::rename(path_ + ".new", path_);
    }
    tests::Folder folder_;
    std::string path_ = folder_ / "timed.page";
};

TEST_F(Pages, give_an_interval_around_the_networks_time) {
    put(content());
    TimePage page(path_);
    const Time before = clock_now(CLOCK_REALTIME) + 5s;
    const TimeInterval now = page.now();
    const Time after = clock_now(CLOCK_REALTIME) + 5s;
    EXPECT_EQ(now.status, TimeStatus::synchronised) << page.problem();
    EXPECT_LE(now.earliest, after);
    EXPECT_GE(now.latest, before);
    EXPECT_LT(now.latest - now.earliest, 3ms);
    EXPECT_EQ(page.problem(), "");
}

TEST_F(Pages, that_are_not_there_are_no_mistake_and_are_found_when_they_come) {
    TimePage page(path_);
    EXPECT_EQ(page.now(), TimeInterval{});
    EXPECT_THAT(page.problem(), HasSubstr("is conclave timed running?"));
    put(content());
    EXPECT_EQ(page.now(), TimeInterval{}) << "it looks once a second, not at every call";
    std::this_thread::sleep_for(1100ms);
    EXPECT_EQ(page.now().status, TimeStatus::synchronised) << page.problem();
}

TEST_F(Pages, of_a_daemon_that_was_started_anew_are_found) {
    put(content(10s));
    TimePage page(path_);
    EXPECT_EQ(page.now().status, TimeStatus::holdover);
    put(content());
    std::this_thread::sleep_for(1100ms);
    EXPECT_EQ(page.now().status, TimeStatus::synchronised) << page.problem();
}

TEST_F(Pages, of_a_daemon_that_is_gone_too_long_are_unknown) {
    put(content(61s));
    TimePage page(path_);
    EXPECT_EQ(page.now(), TimeInterval{});
    EXPECT_THAT(page.problem(), HasSubstr("for a minute"));
}

TEST_F(Pages, written_before_this_machine_slept_are_unknown) {
    page::Content asleep = content();
    asleep.at.real -= 1h;
    put(asleep);
    TimePage page(path_);
    EXPECT_EQ(page.now(), TimeInterval{});
    EXPECT_THAT(page.problem(), HasSubstr("slept"));
}

TEST_F(Pages, of_another_boot_are_refused) {
    put(content(), {1, 2});
    TimePage page(path_);
    EXPECT_EQ(page.now(), TimeInterval{});
    EXPECT_THAT(page.problem(), HasSubstr("before this machine was started"));
}

TEST_F(Pages, that_are_something_else_are_refused) {
    const auto refused = [&] {
        TimePage page(path_);
        const bool unknown = page.now() == TimeInterval{};
        return unknown && page.problem().find("no page of a time daemon") != std::string::npos;
    };
    std::ofstream(path_) << "short";
    EXPECT_TRUE(refused());
    std::ofstream(path_) << std::string(4096, 'x');
    EXPECT_TRUE(refused());
    std::filesystem::remove(path_);
    std::filesystem::create_directory(path_);
    EXPECT_TRUE(refused());
    std::filesystem::remove(path_);
    ASSERT_EQ(mkfifo(path_.c_str(), S_IRUSR | S_IWUSR), 0);
    EXPECT_TRUE(refused());
}

}  // namespace time_interval_test
}  // namespace conclave
