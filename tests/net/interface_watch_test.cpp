#include "conclave/net/interface_watch.hpp"

#include <gtest/gtest.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstring>
#include <thread>

#include "conclave/net/interfaces.hpp"

namespace conclave::net {
namespace interface_watch_test {

using std::chrono::milliseconds;

void set_loopback(bool up) {
    const Descriptor any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ifreq request{};
    std::strcpy(request.ifr_name, "lo");
    request.ifr_flags = up ? IFF_UP : 0;
    ASSERT_EQ(ioctl(any.get(), SIOCSIFFLAGS, &request), 0);
}

bool run_until(Loop& loop, const int& told, int count) {
    for (int i = 0; i < 100 && told < count; ++i) loop.step(milliseconds(100));
    return told >= count;
}

void drain(Loop& loop) {
    for (int i = 0; i < 10; ++i) loop.step(milliseconds(10));
}

void watch_a_loopback_come_and_go() {
    Loop loop;
    int told = 0;
    bool seen = false;
    const InterfaceWatch watch(loop, [&] {
        ++told;
        seen = !list_interfaces().empty();
    });
    drain(loop);
    EXPECT_EQ(told, 0) << "nothing has changed";
    set_loopback(true);
    ASSERT_TRUE(run_until(loop, told, 1));
    drain(loop);
    EXPECT_TRUE(seen);
    const int before = told;
    set_loopback(false);
    ASSERT_TRUE(run_until(loop, told, before + 1));
    drain(loop);
    EXPECT_FALSE(seen);
}

// In a network of its own, which a thread can have if the machine lets it.
TEST(InterfaceWatch, tells_of_an_interface_that_comes_up_and_of_one_that_goes_down) {
    bool possible = false;
    std::thread([&] {
        possible = unshare(CLONE_NEWNET) == 0;
        if (possible) watch_a_loopback_come_and_go();
    }).join();
    if (!possible) GTEST_SKIP() << "a network namespace needs root";
}

}  // namespace interface_watch_test
}  // namespace conclave::net
