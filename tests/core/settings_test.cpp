#include "conclave/core/settings.hpp"

#include <gtest/gtest.h>

#include "conclave/core/types.hpp"

namespace conclave {
namespace settings_test {

using namespace std::chrono_literals;

enum class Choice : std::uint8_t { first_one, second_one };
struct Settings {
    Duration retry_after = 2ms;
    bool eager = false;
    Choice choice = Choice::first_one;
    std::uint8_t tries = 3;
    std::int32_t offset = 0;
};

TEST(Settings, take_a_value_by_their_name) {
    Settings settings;
    EXPECT_EQ(apply_setting(settings, "retry-after", "1.5s"), "");
    EXPECT_EQ(apply_setting(settings, "eager", "on"), "");
    EXPECT_EQ(apply_setting(settings, "choice", "second-one"), "");
    EXPECT_EQ(apply_setting(settings, "tries", "255"), "");
    EXPECT_EQ(apply_setting(settings, "offset", "-7"), "");
    EXPECT_TRUE(settings == (Settings{1500ms, true, Choice::second_one, 255, -7}));
}

TEST(Settings, may_be_spelled_as_in_the_source) {
    Settings settings;
    EXPECT_EQ(apply_setting(settings, "retry_after", "5ms"), "");
    EXPECT_EQ(settings.retry_after, 5ms);
}

TEST(Settings, say_yes_and_no_in_several_ways) {
    Settings settings;
    for (const char* yes : {"on", "yes", "true"}) {
        settings.eager = false;
        EXPECT_EQ(apply_setting(settings, "eager", yes), "");
        EXPECT_TRUE(settings.eager);
    }
    for (const char* no : {"off", "no", "false"}) {
        settings.eager = true;
        EXPECT_EQ(apply_setting(settings, "eager", no), "");
        EXPECT_FALSE(settings.eager);
    }
}

TEST(Settings, that_do_not_fit_are_refused_with_what_would_be_right) {
    Settings settings;
    EXPECT_EQ(apply_setting(settings, "retry-after", "soon"),
              "setting retry-after cannot be 'soon': give a duration such as 250ms");
    EXPECT_EQ(apply_setting(settings, "retry-after", "-1ms"),
              "setting retry-after cannot be '-1ms': give a duration such as 250ms");
    EXPECT_EQ(apply_setting(settings, "eager", "1"), "setting eager cannot be '1': give on or off");
    EXPECT_EQ(apply_setting(settings, "choice", "third"),
              "setting choice cannot be 'third': give first-one or second-one");
    for (const char* wrong : {"256", "-1", "3x", "", "1.5"})
        EXPECT_EQ(apply_setting(settings, "tries", wrong),
                  "setting tries cannot be '" + std::string(wrong) + "': give a whole number");
    EXPECT_TRUE(settings == Settings{}) << "a refused value changes nothing";
}

TEST(Settings, that_nobody_knows_are_refused_with_those_that_are_known) {
    Settings settings;
    EXPECT_EQ(apply_setting(settings, "speed", "9"),
              "there is no setting 'speed': choose from retry-after, eager, choice, tries, offset");
    Nothing none;
    EXPECT_EQ(apply_setting(none, "speed", "9"),
              "there is no setting 'speed': this algorithm has none");
}

TEST(Settings, are_described_as_they_are_given) {
    const Settings settings{1500us, true, Choice::second_one, 9, -7};
    const std::string line = describe_settings(settings);
    EXPECT_EQ(line, "retry-after=1.5ms eager=on choice=second-one tries=9 offset=-7");
    EXPECT_EQ(describe_settings(Nothing{}), "");
}

}  // namespace settings_test
}  // namespace conclave
