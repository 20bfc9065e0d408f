// Every row of the ledger notices some error that is planted into the runs and searches behind it.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "conclave/claims/measuring.hpp"
#include "conclave/claims/row_readings.hpp"

namespace conclave::claims {

static void PrintTo(const Claim& claim, std::ostream* out) { *out << claim.id; }

namespace planted_soak {

using What = simulator::Mutation::What;

// Nobody says whom it follows, or a message is not sent, or sent twice, or a timer is not set.
std::vector<Planted> errors() {
    std::vector<Planted> list;
    for (const std::uint8_t which : std::initializer_list<std::uint8_t>{0, 1, 2, 4})
        list.push_back({{.what = What::drop_send, .which = which}, std::uint64_t{1} << which});
    list.push_back({{.what = What::drop_follow}, 0});
    for (const std::uint8_t which : std::initializer_list<std::uint8_t>{0, 1, 2})
        list.push_back({{.what = What::double_send, .which = which}, 0});
    for (const std::uint8_t which : std::initializer_list<std::uint8_t>{0, 1, 2, 3, 4})
        list.push_back({{.what = What::drop_set, .which = which}, 0});
    return list;
}

// In a process of its own: an error may keep an experiment from ever coming to an end, or throw.
bool fails_with(const Claim& claim, const Planted& error) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(300);
        plant(error);
        const Settings reading = readings_for(claim).front();
        bool failed = false;
        try {
            failed =
                claim.run({.quick = true, .threads = 1, .reading = reading}).status == Status::fail;
        } catch (const std::exception&) {  // the experiment found nothing to measure
            failed = true;
        }
        _exit(failed ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

// They look at other code than the simulated algorithms: tests/wire breaks the layout of T20,
// tests/clock and tests/simulator the clocks of T11 to T14, tests/election the table of N1.
constexpr std::array<std::string_view, 6> elsewhere{"T11", "T12", "T13", "T14", "T20", "N1"};

class Planting : public testing::TestWithParam<Claim> {};

TEST_P(Planting, of_some_error_makes_the_row_fail) {
    const Claim& claim = GetParam();
    if (std::find(elsewhere.begin(), elsewhere.end(), claim.id) != elsewhere.end()) return;
    const std::vector<Planted> list = errors();
    EXPECT_TRUE(std::any_of(list.begin(), list.end(), [&](const Planted& error) {
        return fails_with(claim, error);
    })) << claim.id;
}

INSTANTIATE_TEST_SUITE_P(Each, Planting, testing::ValuesIn(all_claims()),
                         [](const auto& row) { return std::string(row.param.id); });

}  // namespace planted_soak
}  // namespace conclave::claims
