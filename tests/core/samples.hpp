// Plain values of every kind that the reflection must know, for the tests of core.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "conclave/core/id.hpp"
#include "conclave/core/text.hpp"
#include "conclave/core/types.hpp"

namespace conclave::inline samples {  // inline: equality of plain values is found

enum class Colour : std::uint8_t { red, dark_green, blue };

struct Empty {};
struct Point {
    std::int32_t x = 0;
    std::int32_t y = 0;
};
struct Named {
    Id owner = nobody;
    bool ready = false;
    Duration patience{};
    Colour colour = Colour::red;
};
using Choice = std::variant<Empty, Point, Named>;
struct Everything {
    std::int8_t small = 0;
    std::uint64_t large = 0;
    Rank rank{};
    std::string letters;
    std::vector<Point> points;
    std::array<std::uint16_t, 3> three{};
    std::vector<std::string> words;
    std::vector<std::array<std::vector<bool>, 1>> nested;
    Choice choice;
    IdSet members;
};
struct Sixteen {
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
    int i = 9, j = 10, k = 11, l = 12, m = 13, n = 14, o = 15, p = 16;
};

inline Everything full_sample() {
    return {-3,
            0x0123456789abcdef,
            make_rank(true, false, 200, Id{7}),
            "a \"word\"\n",
            {{1, -1}, {2, -2}},
            {5, 6, 7},
            {"", "two"},
            {{{{true, false}}}},
            Named{Id{9}, true, std::chrono::milliseconds{250}, Colour::dark_green},
            IdSet{{Id{1}, Id{4}}}};
}

}  // namespace conclave::inline samples
