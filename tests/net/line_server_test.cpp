#include "conclave/net/line_server.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "conclave/net/clock.hpp"
#include "tests/support/tool.hpp"

namespace conclave::net {
namespace line_server_test {

using std::chrono::milliseconds, std::chrono::seconds;
using testing::ElementsAre;

LineServer::Answer echo(const std::string& line, const LineServer::Asker&) {
    return {line + "\n" + line, line == "watch"};
}

struct Heard {
    Asking asking = Asking::nobody;
    std::vector<std::string> lines{};
};
Heard ask(const std::string& path, const std::string& line, std::size_t most = 2) {
    Heard heard;
    heard.asking = ask_line(
        path, line,
        [&](const std::string& each) {
            heard.lines.push_back(each);
            return heard.lines.size() < most;
        },
        milliseconds(50));
    return heard;
}

TEST(LineServer, every_line_of_the_answer_is_heard) {
    const conclave::tests::Folder folder;
    Loop loop;
    const LineServer server(loop, folder / "s", &echo);
    Heard heard;
    std::thread asker([&] { heard = ask(folder / "s", "status", 9); });
    const Time end = boot_time() + seconds(1);
    while (boot_time() < end && heard.lines.size() < 2) loop.step(milliseconds(5));
    asker.join();
    EXPECT_EQ(heard.asking, Asking::answered);
    EXPECT_THAT(heard.lines, ElementsAre("status", "status"));
}

TEST(LineServer, who_listens_and_does_not_answer_is_waited_for_no_longer_than_asked) {
    const conclave::tests::Folder folder;
    Loop loop;  // never runs, as in a process that is stopped
    const LineServer server(loop, folder / "s", &echo);
    const Time before = boot_time();
    EXPECT_EQ(ask(folder / "s", "status").asking, Asking::silent);
    EXPECT_GE(boot_time() - before, milliseconds(50));
    for (int full = 0; full < 40; ++full)  // the line of callers fills up
        EXPECT_EQ(ask_line(folder / "s", "status", {}, milliseconds(1)), Asking::silent);
    EXPECT_LT(boot_time() - before, seconds(5));
    EXPECT_TRUE(is_listening(folder / "s"));
}

TEST(LineServer, a_line_is_not_obeyed_when_its_caller_has_gone) {
    const conclave::tests::Folder folder;
    Loop loop;  // does not run yet, as in a process that is stopped
    std::vector<std::string> obeyed;
    const LineServer server(loop, folder / "s", [&](const std::string& line, const auto&) {
        obeyed.push_back(line);
        return LineServer::Answer{"done"};
    });
    EXPECT_EQ(ask(folder / "s", "late").asking, Asking::silent);
    std::thread asker([&] { ask(folder / "s", "in time", 1); });
    std::this_thread::sleep_for(milliseconds(10));
    const Time end = boot_time() + seconds(1);
    while (boot_time() < end && obeyed.empty()) loop.step(milliseconds(5));
    asker.join();
    EXPECT_THAT(obeyed, ElementsAre("in time"));
}

// As `echo status | nc -U` does.
TEST(LineServer, a_caller_that_ended_its_own_side_is_answered) {
    const conclave::tests::Folder folder;
    Loop loop;
    const LineServer server(loop, folder / "s", &echo);
    const std::string ask = "import socket; s = socket.socket(socket.AF_UNIX); s.connect('" +
                            (folder / "s") +
                            "'); s.send(b'status\\n'); s.shutdown(socket.SHUT_WR); "
                            "exit(0 if s.recv(99) else 1)";
    std::atomic<int> code = -1;
    std::thread asker([&] { code = std::system(("python3 -c \"" + ask + "\"").c_str()); });
    const Time end = boot_time() + seconds(10);
    while (boot_time() < end && code == -1) loop.step(milliseconds(5));
    asker.join();
    EXPECT_EQ(code, 0);
}

TEST(LineServer, between_the_lines_of_a_watch_any_time_may_pass) {
    const conclave::tests::Folder folder;
    Loop loop;
    LineServer server(loop, folder / "s", &echo);
    Heard heard;
    std::thread asker([&] { heard = ask(folder / "s", "watch", 3); });
    while (!server.watched()) loop.step(milliseconds(5));
    std::this_thread::sleep_for(milliseconds(200));  // four times its patience
    server.tell_watchers("news");
    asker.join();
    EXPECT_EQ(heard.asking, Asking::answered);
    EXPECT_THAT(heard.lines, ElementsAre("watch", "watch", "news"));
}

TEST(LineServer, a_socket_that_was_left_behind_is_nobodys) {
    const conclave::tests::Folder folder;
    Loop loop;
    {
        const LineServer server(loop, folder / "s", &echo);
        std::filesystem::create_hard_link(folder / "s", folder / "left");
    }
    EXPECT_EQ(ask(folder / "left", "status").asking, Asking::nobody);
    EXPECT_FALSE(is_listening(folder / "left"));
    EXPECT_EQ(ask(folder / "none", "status").asking, Asking::nobody);
}

TEST(LineServer, who_ends_before_it_answers_has_not_answered) {
    const conclave::tests::Folder folder;
    Loop loop;
    auto server = std::make_unique<LineServer>(loop, folder / "s", &echo);
    Asking asking = Asking::answered;
    std::thread asker([&] { asking = ask_line(folder / "s", "status", {}, seconds(20)); });
    std::this_thread::sleep_for(milliseconds(20));
    server.reset();
    asker.join();
    EXPECT_EQ(asking, Asking::nobody);
}

// Asks as a user without rights, who was let in by the mode of the file.
Heard ask_as_nobody(Loop& loop, const std::string& path, const std::string& line) {
    Heard heard;
    std::atomic<bool> over = false;
    std::thread asker([&] {
        // Of this thread alone: the C library's seteuid would change all.
        if (geteuid() == 0) syscall(SYS_setresuid, -1, 65534, -1);
        heard = ask(path, line, 1);
        over = true;
    });
    while (!over) loop.step(milliseconds(5));
    asker.join();
    return heard;
}

TEST(LineServer, says_who_asks) {
    if (geteuid() != 0) GTEST_SKIP() << "another user needs root";
    const conclave::tests::Folder folder;
    ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
    Loop loop;
    std::vector<LineServer::Asker> askers;
    const LineServer server(loop, folder / "s",
                            [&](const std::string&, const LineServer::Asker& asker) {
                                askers.push_back(asker);
                                return LineServer::Answer{asker.may_steer() ? "yes" : "no"};
                            });
    ASSERT_EQ(chmod((folder / "s").c_str(), 0777), 0);
    EXPECT_THAT(ask_as_nobody(loop, folder / "s", "may I?").lines, ElementsAre("no"));
    ASSERT_EQ(askers.size(), 1u);
    EXPECT_EQ(askers.front().user, 65534u);
    EXPECT_TRUE(LineServer::Asker{geteuid()}.may_steer());
    EXPECT_FALSE(LineServer::Asker{}.may_steer());
}

TEST(LineServer, another_users_is_told_from_nobodys) {
    const conclave::tests::Folder folder;
    Loop loop;
    const LineServer server(loop, folder / "s", &echo);
    ASSERT_EQ(chmod((folder / "s").c_str(), 0), 0);
    const bool root = geteuid() == 0;
    ASSERT_EQ(root ? seteuid(65534) : 0, 0);
    const Asking asking = ask(folder / "s", "status").asking;
    const bool listens = is_listening(folder / "s");
    ASSERT_EQ(root ? seteuid(0) : 0, 0);
    EXPECT_EQ(asking, Asking::forbidden);
    EXPECT_TRUE(listens);
}

}  // namespace line_server_test
}  // namespace conclave::net
