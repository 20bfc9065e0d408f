// What a daemon tells without being asked: to chrony, to systemd, to programs.
#include "conclave/timed/report/outlets.hpp"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstdlib>
#include <cstring>

#include "conclave/time_interval.hpp"
#include "conclave/timed/report/clock_check.hpp"
#include "tests/support/tool.hpp"
#include "tests/timed/loopback.hpp"

namespace conclave::timed {
namespace outlets_test {

using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using tests::Folder;
using Lan = LoopbackLan;

// As chronyd and systemd have it.
class Mailbox {
public:
    explicit Mailbox(const std::string& path)
        : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::memcpy(address.sun_path, path.data(), path.size());
        EXPECT_EQ(bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address),
                  0);
    }
    std::vector<std::string> take() const {
        std::vector<std::string> all;
        std::array<char, 1024> buffer{};
        for (ssize_t got = 0; (got = recv(socket_.get(), buffer.data(), buffer.size(), 0)) >= 0;)
            all.emplace_back(buffer.data(), static_cast<std::size_t>(got));
        return all;
    }

private:
    net::Descriptor socket_;
};

TEST(Outlets, chrony_is_fed_only_while_other_clocks_confirm_the_time) {
    const Folder folder;
    const Mailbox chrony(folder / "chrony");
    Lan lan;
    lan.start("a");
    DaemonConfig config;
    config.chrony_sock = folder / "chrony";
    Outlets outlets(lan.loop, config, *lan.daemons["a"]);
    outlets.start();
    lan.wait([&] { return lan.daemons["a"]->status().has_time; });
    lan.wait([] { return false; }, 1500ms);
    EXPECT_EQ(chrony.take().size(), 0u) << "it is alone";
    lan.start("b");
    EXPECT_TRUE(lan.wait([&] { return !chrony.take().empty(); }));
    lan.daemons.erase("b");
    const auto alone = [&] { return lan.daemons["a"]->trust() == clock::Trust::holdover; };
    ASSERT_TRUE(lan.wait(alone));
    chrony.take();
    lan.wait([] { return false; }, 1500ms);
    EXPECT_EQ(chrony.take().size(), 0u) << "in holdover";
}

TEST(Outlets, systemd_is_told_ready_when_the_clock_is_good_and_before_that_why_it_is_not) {
    const Folder folder;
    const Mailbox systemd(folder / "notify");
    setenv("NOTIFY_SOCKET", (folder / "notify").c_str(), 1);
    Lan lan;
    lan.start("a", {{"within", "1ns"}});
    lan.start("b");
    Outlets strict(lan.loop, {}, *lan.daemons["a"]);
    Outlets usual(lan.loop, {}, *lan.daemons["b"]);
    unsetenv("NOTIFY_SOCKET");
    lan.daemons["a"]->on_change = [&] { strict.tell_change(); };
    strict.start();
    ASSERT_TRUE(lan.wait([&] { return is_good(lan.daemons["b"]->status()); }));
    lan.wait([] { return false; }, 1500ms);
    std::vector<std::string> told = systemd.take();
    EXPECT_THAT(told, Not(Contains("READY=1"))) << "nobody is good within a nanosecond";
    EXPECT_THAT(told, Contains(HasSubstr("the time is unknown: ")));
    EXPECT_THAT(told, Contains(HasSubstr("more than 1ns")));
    usual.start();
    EXPECT_THAT(systemd.take(), Contains("READY=1"));
    usual.tell_change();
    EXPECT_THAT(systemd.take(), Not(Contains("READY=1"))) << "it is told once";
}

TEST(Outlets, the_page_is_written_as_soon_as_something_changes) {
    const Folder folder;
    Lan lan;
    lan.start("a");
    lan.start("b");
    DaemonConfig config;
    config.page = folder / "page";
    Outlets outlets(lan.loop, config, *lan.daemons["a"]);  // not started: it tells changes alone
    lan.daemons["a"]->on_change = [&] { outlets.tell_change(); };
    TimePage page(config.page);
    const auto confirmed = [&] { return lan.daemons["a"]->trust() == clock::Trust::synchronised; };
    ASSERT_TRUE(lan.wait(confirmed));
    EXPECT_TRUE(lan.wait([&] { return page.now().status == TimeStatus::synchronised; }, 1500ms));
}

}  // namespace outlets_test
}  // namespace conclave::timed
