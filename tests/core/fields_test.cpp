#include "conclave/core/fields.hpp"

#include <gtest/gtest.h>

#include "tests/core/samples.hpp"

namespace conclave {
namespace fields_test {

TEST(Fields, are_counted) {
    EXPECT_EQ(field_count<Empty>, 0u);
    EXPECT_EQ(field_count<Point>, 2u);
    EXPECT_EQ(field_count<Everything>, 10u);
    EXPECT_EQ(field_count<Sixteen>, 16u);
    EXPECT_EQ(field_count<const Sixteen>, 16u);
}

TEST(Fields, are_named_as_declared) {
    EXPECT_TRUE(field_names<Empty>.empty());
    EXPECT_EQ(field_names<Point>, (std::array<std::string_view, 2>{"x", "y"}));
    EXPECT_EQ(field_names<Named>,
              (std::array<std::string_view, 4>{"owner", "ready", "patience", "colour"}));
    EXPECT_EQ(field_names<Everything>[3], "letters");
    EXPECT_EQ(field_names<Everything>[9], "members");
    EXPECT_EQ(field_names<Sixteen>[15], "p");
}

// clang-format off
struct Seventeen {
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12,
        m = 13, n = 14, o = 15, p = 16, q = 17;
    static constexpr auto parts(auto& self) {
        return std::tie(self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h, self.i,
                        self.j, self.k, self.l, self.m, self.n, self.o, self.p, self.q);
    }
};
// clang-format on

TEST(Fields, of_a_struct_that_names_its_parts_may_be_any_number) {
    Seventeen value;
    EXPECT_EQ(field_count<Seventeen>, 17u);
    EXPECT_EQ(field_names<Seventeen>[16], "q");
    std::get<16>(fields(value)) = 99;
    EXPECT_EQ(value.q, 99);
    EXPECT_FALSE(value == Seventeen{});
}

TEST(Fields, are_references_in_the_order_of_declaration) {
    Sixteen value;
    const auto all = fields(value);
    EXPECT_EQ(std::get<0>(all), 1);
    EXPECT_EQ(std::get<15>(all), 16);
    std::get<15>(all) = 99;
    EXPECT_EQ(value.p, 99);
}

// Each of the sixteen ways to take a struct apart must take every field, in order.
template <class T>
void expect_counting_fields() {
    T value{};
    int expected = 0;
    const auto count = [&](int field) { EXPECT_EQ(field, ++expected); };
    std::apply([&](auto&... field) { (count(field), ...); }, fields(value));
    EXPECT_EQ(expected, static_cast<int>(field_count<T>));
}

// clang-format off
struct F1 { int a = 1; };
struct F2 { int a = 1, b = 2; };
struct F3 { int a = 1, b = 2, c = 3; };
struct F4 { int a = 1, b = 2, c = 3, d = 4; };
struct F5 { int a = 1, b = 2, c = 3, d = 4, e = 5; };
struct F6 { int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6; };
struct F7 { int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7; };
struct F8 { int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8; };
struct F9 { int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9; };
struct F10 { int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10; };
struct F11 { int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11; };
struct F12 { int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11,
                 l = 12; };
struct F13 { int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11,
                 l = 12, m = 13; };
struct F14 { int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11,
                 l = 12, m = 13, n = 14; };
struct F15 { int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11,
                 l = 12, m = 13, n = 14, o = 15; };
// clang-format on

TEST(Fields, of_every_number_up_to_sixteen_are_all_found) {
    Types<F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12, F13, F14, F15, Sixteen>::for_each(
        []<class T>() { expect_counting_fields<T>(); });
}

TEST(PlainValues, are_equal_when_all_fields_are) {
    EXPECT_EQ(full_sample(), full_sample());
    EXPECT_EQ(Empty{}, Empty{});
    EXPECT_EQ((Point{1, 2}), (Point{1, 2}));
    EXPECT_NE((Point{1, 2}), (Point{1, 3}));
    EXPECT_NE((Point{1, 2}), (Point{3, 2}));
}

TEST(PlainValues, differ_when_any_field_does) {
    const Everything original = full_sample();
    Everything changed = original;
    changed.members.insert(Id{2});
    EXPECT_NE(changed, original);
    changed = original;
    changed.choice = Empty{};
    EXPECT_NE(changed, original);
    changed = original;
    changed.points[1].y = 0;
    EXPECT_NE(changed, original);
    changed = original;
    changed.three[2] = 0;
    EXPECT_NE(changed, original);
}

TEST(Names, are_those_of_the_source) {
    EXPECT_EQ(type_name<Point>(), "Point");
    EXPECT_EQ(type_name<Types<Point>>(), "Types");
    EXPECT_EQ(name_of(Colour::red), "red");
    EXPECT_EQ(name_of(Colour::dark_green), "dark_green");
}

template <class T>
struct Around {
    enum class State { idle, busy };
    struct Wish {
        T wished;
    };
};

TEST(Names, leave_out_what_they_are_made_of_and_where_they_stand) {
    EXPECT_EQ(type_name<Around<Around<Point>>>(), "Around");
    EXPECT_EQ(type_name<Around<Around<Point>>::Wish>(), "Wish");
    EXPECT_EQ(name_of(Around<std::vector<Point>>::State::busy), "busy");
    EXPECT_EQ(field_names<Around<std::vector<Point>>::Wish>[0], "wished");
}

TEST(Names, of_a_value_without_a_name_are_its_number) {
    EXPECT_EQ(name_of(static_cast<Colour>(7)), "7");
}

struct Nicknamed {
    static constexpr std::string_view called = "Nick";
};

TEST(Names, can_be_given) { EXPECT_EQ(type_name<Nicknamed>(), "Nick"); }

TEST(TypeLists, know_names_places_and_order) {
    using List = Types<Point, Empty, Named>;
    EXPECT_EQ(List::count, 3u);
    EXPECT_EQ(List::names, (std::array<std::string_view, 3>{"Point", "Empty", "Named"}));
    EXPECT_EQ(List::index<Point>, 0);
    EXPECT_EQ(List::index<Named>, 2);
    EXPECT_TRUE(List::contains<Empty>);
    EXPECT_FALSE(List::contains<Everything>);
    std::string visited;
    List::for_each([&]<class T>() { visited += std::string(type_name<T>()) + " "; });
    EXPECT_EQ(visited, "Point Empty Named ");
    EXPECT_TRUE((std::is_same_v<decltype(Types<Point>{} + Types<Empty, Named>{}), List>));
    EXPECT_TRUE((std::is_same_v<List::into<std::variant>, std::variant<Point, Empty, Named>>));
}

}  // namespace fields_test
}  // namespace conclave
