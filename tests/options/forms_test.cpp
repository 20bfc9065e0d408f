// How people write values.
#include "conclave/options/forms.hpp"

#include <gmock/gmock.h>

namespace conclave::options {
namespace forms_test {

using namespace std::chrono_literals;
using testing::ElementsAre;

template <class Form, class Value>
std::string remedy_of(std::string_view text, Value value) {
    const Value before = value;
    const Answer answer = Form::read(text, value);
    EXPECT_FALSE(answer.taken) << text;
    EXPECT_TRUE(value == before) << "a wrong value was kept: " << text;
    return answer.remedy;
}

TEST(Forms, a_count_is_a_whole_number_within_its_limits) {
    std::uint32_t count = 0;
    EXPECT_TRUE((Count<1, 64>::read("64", count)));
    EXPECT_EQ(count, 64u);
    for (const char* wrong :
         {"0", "65", "-1", "", " 3", "3 ", "+3", "3.0", "x", "99999999999999999999"})
        EXPECT_EQ((remedy_of<Count<1, 64>>(wrong, 7u)), "give a whole number from 1 to 64");
    EXPECT_EQ((Count<1, 64>::write(0u)), "") << "it was never given";
    EXPECT_EQ((Count<0, 64>::write(0u)), "0");
}

TEST(Forms, a_duration_without_a_unit_is_told_which_was_probably_meant) {
    Duration span{};
    EXPECT_TRUE(Span<>::read("250ms", span));
    EXPECT_EQ(span, 250ms);
    EXPECT_EQ(remedy_of<Span<>>("1", 7ns), "the unit is missing: 1s?");
    EXPECT_EQ(remedy_of<Span<>>("1.5", 7ns), "the unit is missing: 1.5s?");
    EXPECT_EQ(remedy_of<Span<>>("soon", 7ns), "give a duration, such as 250ms");
    EXPECT_EQ((remedy_of<Span<10 * ms>>("9ms", 7ns)), "give a duration of at least 10ms");
    EXPECT_EQ((remedy_of<Span<10 * ms, second>>("2s", 7ns)), "give a duration from 10ms to 1s");
}

TEST(Forms, a_choice_names_an_enumerator_in_the_order_of_declaration) {
    enum class When : std::uint8_t { no, on_failure, always };
    using Form = Choice<"no|on-failure|always">;
    When when = When::no;
    EXPECT_TRUE(Form::read("on-failure", when));
    EXPECT_EQ(when, When::on_failure);
    EXPECT_EQ(Form::write(When::always), "always");
    EXPECT_EQ(remedy_of<Form>("maybe", when), "choose from no, on-failure, always");
}

TEST(Forms, texts_are_split_at_every_mark) {
    EXPECT_THAT(split_text("a,b,,c", ','), ElementsAre("a", "b", "", "c"));
    EXPECT_THAT(split_text("", ','), ElementsAre(""));
    EXPECT_EQ(split_pair("key=a=b", "=")->second, "a=b");
    EXPECT_EQ(split_pair("key", "="), std::nullopt);
}

TEST(Forms, a_number_is_read_whole_or_not_at_all) {
    EXPECT_EQ(parse_number<std::uint16_t>("65535"), 65535);
    EXPECT_EQ(parse_number<std::uint16_t>("65536"), std::nullopt);
    EXPECT_EQ(parse_number<std::uint64_t>("18446744073709551615"), ~std::uint64_t{0});
    EXPECT_EQ(parse_number<int>("-7"), -7);
    EXPECT_EQ(parse_number<int>("7x"), std::nullopt);
}

}  // namespace forms_test
}  // namespace conclave::options
