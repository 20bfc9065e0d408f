// The tables of docs/algorithms/README.md are what the tool prints, and say what they should.
#include "conclave/claims/tables.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "conclave/claims/limits/breaches.hpp"

namespace conclave::claims {
namespace tables_test {

// What stands between the two marks.
std::string committed_tables() {
    std::ifstream file("docs/algorithms/README.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::string begin = "<!-- tables: ./dev tables -->\n", end = "<!-- end of tables -->\n";
    const std::size_t from = page.find(begin), to = page.find(end);
    if (from == std::string::npos || to == std::string::npos) return "";
    return page.substr(from + begin.size(), to - from - begin.size());
}

TEST(Tables, on_the_page_are_those_that_the_tool_prints) {
    EXPECT_EQ(committed_tables(), algorithm_tables()) << "./dev tables brings the page up to date";
}

TEST(Breaches, of_nothing_break_nothing) {
    for (const simulator::Engine& engine : simulator::engines())
        EXPECT_EQ(broken_by(engine, breaches()[0], 300), "") << engine.card->name;
}

TEST(Breaches, are_noticed_by_those_who_assume_the_opposite) {
    const auto broken = [](std::string_view algorithm, std::string_view name) {
        for (const Breach& breach : breaches())
            if (breach.name == name)
                return broken_by(*simulator::find_engine(algorithm), breach, 100);
        return std::string("there is no such breach");
    };
    EXPECT_EQ(broken("chang-roberts", "loss"), "N");
    EXPECT_EQ(broken("chang-roberts", "lateness"), "");
    EXPECT_EQ(broken("bully", "partition").substr(0, 1), "T");
    EXPECT_EQ(broken("bully", "crash"), "");
    EXPECT_EQ(broken("invitation", "partition"), "");
}

}  // namespace tables_test
}  // namespace conclave::claims
