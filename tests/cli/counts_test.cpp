// The message counts and times of the textbooks, through the real tool.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace counts_test {

nlohmann::json run_json(const std::string& line) {
    const Ran ran = run_tool("sim " + line + " --json");
    EXPECT_EQ(ran.code, 0) << line << "\n" << ran.err;
    return nlohmann::json::parse(lines_of(ran.out).back());
}

std::uint64_t messages(const std::string& line) { return run_json(line)["messages"]["total"]; }

constexpr std::array<std::uint64_t, 5> sizes{2, 3, 5, 8, 100};

TEST(ChangRobertsCounts, called_by_the_winner_takes_2n_messages) {
    for (const std::uint64_t n : sizes)
        EXPECT_EQ(messages("chang-roberts --initiators best --nodes " + std::to_string(n)), 2 * n);
}

TEST(ChangRobertsCounts, called_just_behind_the_winner_takes_3n_minus_1) {
    for (const std::uint64_t n : sizes)
        EXPECT_EQ(messages("chang-roberts --initiators last --nodes " + std::to_string(n)),
                  3 * n - 1);
}

TEST(ChangRobertsCounts, all_calling_take_from_3n_minus_1_to_quadratically_many) {
    for (const std::uint64_t n : sizes) {
        const std::string line = "chang-roberts --initiators all --nodes " + std::to_string(n);
        EXPECT_EQ(messages(line + " --order ascending"), 3 * n - 1);
        EXPECT_EQ(messages(line + " --order descending"), n * (n + 1) / 2 + n);
    }
}

TEST(ChangRobertsCounts, the_mean_over_random_rings_is_n_harmonic_plus_n) {
    for (const int n : {20, 100}) {
        double harmonic = 0;
        for (int i = 1; i <= n; ++i) harmonic += 1.0 / i;
        const double expected = n * harmonic + n;
        const auto summary = run_json("chang-roberts --initiators all --seeds 1..400 --nodes " +
                                      std::to_string(n))["summary"];
        EXPECT_EQ(summary["outcomes"]["agreed"], 400);
        EXPECT_LE(summary["messages"]["interval"][0], expected);
        EXPECT_GE(summary["messages"]["interval"][1], expected);
    }
}

TEST(BullyCounts, the_second_best_announces_itself_to_the_others_in_one_delay) {
    for (const int n : {3, 5, 8}) {
        const std::string size = std::to_string(n);
        const auto run = run_json("bully --nodes " + size + " --crash " + size + "@0s --delay 3ms" +
                                  " --set timeout=6ms --set patience=12ms --initiators " +
                                  std::to_string(n - 1));
        EXPECT_EQ(run["leader"], n - 1);
        EXPECT_EQ(run["messages"]["total"], n - 2);
        EXPECT_EQ(run["messages"]["by_type"]["Coordinator"], n - 2);
        EXPECT_EQ(run["turnaround_ns"], 3'000'000);
    }
}

TEST(BullyCounts, the_worst_makes_everybody_call_and_takes_four_delays) {
    for (const int n : {3, 5, 8}) {
        const std::string size = std::to_string(n);
        const auto run =
            run_json("bully --nodes " + size + " --crash " + size + "@0s --initiators 1");
        EXPECT_EQ(run["messages"]["by_type"]["Election"], n * (n - 1) / 2);
        EXPECT_EQ(run["turnaround_ns"], 4'000'000);
    }
}

}  // namespace counts_test
}  // namespace conclave::tests
