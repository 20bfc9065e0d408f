// Electors of one group over the loopback interface, which nobody else meets.
#pragma once

#include <gmock/gmock.h>

#include <thread>

#include "conclave/elector.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/random.hpp"
#include "tests/support/tool.hpp"

namespace conclave {

template <class Condition>
bool wait_for(Condition condition) {
    const Time end = net::boot_time() + std::chrono::seconds(30);
    while (!condition() && net::boot_time() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return condition();
}

struct ElectorGroup : testing::Test {
    static constexpr std::chrono::milliseconds detect{300};

    Elector::Settings settings_of(const std::string& name,
                                  const std::string& members = "a,b,c") const {
        return {{"group", "library"},        {"name", name},
                {"members", members},        {"detect", "300ms"},
                {"state", folder / "state"}, {"meeting", "239.255.76.79:" + port}};
    }
    // Lets `other` resign until `a` leads.
    static bool let_lead(Elector& a, Elector& other) {
        return wait_for([&] {
            if (other.leadership().leads) other.resign("a");
            return a.leadership().leads;
        });
    }
    tests::Folder folder;
    std::string port = std::to_string(20'000 + net::random_number() % 20'000);
};

}  // namespace conclave
