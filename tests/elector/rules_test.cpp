// The rules of docs/library.md on logs, fork, signals and destruction.
#include <sys/wait.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "tests/elector/group.hpp"

namespace conclave {
namespace rules_test {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::Contains;
using testing::HasSubstr;

using Rules = ElectorGroup;

TEST_F(Rules, the_log_is_silent_unless_it_is_asked_for) {
    testing::internal::CaptureStderr();
    std::mutex mutex;
    std::vector<std::pair<LogLevel, std::string>> lines;
    {
        Elector silent(settings_of("a", "a,b"));
        Elector talks(settings_of("b", "a,b"), {}, [&](LogLevel level, std::string_view line) {
            const std::lock_guard guard(mutex);
            lines.emplace_back(level, line);
        });
        ASSERT_TRUE(wait_for([&] { return !talks.leadership().leader.empty(); }));
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    const std::lock_guard guard(mutex);
    EXPECT_THAT(lines, Contains(testing::Pair(LogLevel::info, HasSubstr("listens on 127.0.0.1:"))));
    EXPECT_THAT(lines, Contains(testing::Pair(LogLevel::warning,
                                              HasSubstr("two members tolerate no failure"))));
}

// Violations of the rules in a child, as bits of its exit code.
int look_in_child(Elector& elector) {
    int wrong = 0;
    if (elector.leadership().leads) wrong |= 1;
    if (elector.campaign().leads) wrong |= 2;
    if (elector.resign().find("which was forked") == std::string::npos) wrong |= 4;
    if (elector.failure().find("which was forked") == std::string::npos) wrong |= 8;
    if (elector.fd() != -1 || !elector.participants().empty()) wrong |= 16;
    elector.take_news();
    return wrong;
}

TEST_F(Rules, after_fork_the_lease_stays_with_the_parent) {
    auto elector = std::make_unique<Elector>(settings_of("a", "a"));
    ASSERT_TRUE(elector->campaign({}, seconds(30)).leads);
    const std::uint64_t token = elector->leadership().token;
    for (int i = 0; i < 20; ++i) {  // at whatever the elector's thread was about
        const pid_t child = fork();
        if (child == 0) {
            const int wrong = look_in_child(*elector);
            elector.reset();
            _exit(wrong);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 0);
    }
    std::this_thread::sleep_for(2 * detect);
    EXPECT_TRUE(elector->leadership().leads);
    EXPECT_EQ(elector->leadership().token, token);
    EXPECT_EQ(elector->failure(), "");
}

// The masks of all threads but this one, as the kernel shows them.
std::vector<std::string> masks_of_other_threads() {
    std::vector<std::string> masks;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        if (task.path().filename() == std::to_string(gettid())) continue;
        std::ifstream status(task.path() / "status");
        for (std::string line; std::getline(status, line);)
            if (line.starts_with("SigBlk:")) masks.push_back(line.substr(8));
    }
    return masks;
}

TEST_F(Rules, signals_go_to_the_threads_of_the_program) {
    std::thread([] {}).join();  // with the first thread, a sanitizer starts one of its own
    const auto before = masks_of_other_threads();
    const Elector elector(settings_of("a"));
    auto masks = masks_of_other_threads();
    ASSERT_EQ(masks.size(), before.size() + 2);
    sigset_t usual;
    pthread_sigmask(SIG_SETMASK, nullptr, &usual);
    EXPECT_EQ(sigismember(&usual, SIGTERM), 0);  // this thread takes them as before
    const auto blocked = std::count_if(masks.begin(), masks.end(), [](const std::string& mask) {
        return (std::stoull(mask, nullptr, 16) >> (SIGTERM - 1) & 1) != 0;
    });
    EXPECT_GE(blocked, 2);
}

// How long the destructor of each may take: `detect`, and what a callback takes.
template <class Make>
Duration time_to_destroy(const Make& make) {
    auto elector = make();
    const Time began = net::boot_time();
    elector.reset();
    return net::boot_time() - began;
}

TEST_F(Rules, destruction_takes_at_most_a_detection_time_whatever_the_elector_does) {
    const Duration most = detect + milliseconds(200);  // a busy machine
    EXPECT_LE(time_to_destroy([&] { return std::make_unique<Elector>(settings_of("b")); }), most)
        << "just started";
    EXPECT_LE(time_to_destroy([&] {
                  auto elector = std::make_unique<Elector>(settings_of("a", "a"));
                  elector->campaign({}, seconds(30));
                  return elector;
              }),
              most)
        << "alone, and leads";
}

TEST_F(Rules, destruction_of_a_leader_stops_its_work_first_and_hands_over) {
    constexpr milliseconds slow(100);
    std::atomic<bool> stopped = false;
    auto a = std::make_unique<Elector>(settings_of("a", "a,b"), [&](const Leadership& now) {
        if (now.leads) return;
        std::this_thread::sleep_for(slow);
        stopped = true;
    });
    Elector b(settings_of("b", "a,b"));
    ASSERT_TRUE(let_lead(*a, b));
    stopped = false;
    const Time began = net::boot_time();
    a.reset();
    const Time gone = net::boot_time();
    EXPECT_TRUE(stopped);
    EXPECT_GE(gone - began, slow);
    EXPECT_LE(gone - began, detect + slow + milliseconds(200));
    // b has a thread of its own, which reads the release when it gets to run. It would miss a that
    // fell silent at 3/4 of the detection time after a renewal, and the last one is at most a
    // quarter old.
    EXPECT_TRUE(wait_for([&] { return b.leadership().leader.empty(); }));
    EXPECT_LT(net::boot_time() - gone, detect / 2) << "it was handed over, not left to time out";
}

// Nobody is left who could take over: it does not wait for one.
TEST_F(Rules, destruction_of_the_last_one_waits_for_nobody) {
    auto a = std::make_unique<Elector>(settings_of("a", "a,b"));
    auto b = std::make_unique<Elector>(settings_of("b", "a,b"));
    ASSERT_TRUE(wait_for([&] { return a->leadership().leads || b->leadership().leads; }));
    (a->leadership().leads ? b : a).reset();
    auto& leader = a ? a : b;
    const Time began = net::boot_time();
    leader.reset();
    EXPECT_LE(net::boot_time() - began, detect + milliseconds(200));
}

}  // namespace rules_test
}  // namespace conclave
