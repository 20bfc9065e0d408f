// docs/algorithms/nemeth.md shows the table that runs.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "conclave/election/nemeth.hpp"

namespace conclave {
namespace nemeth_page_test {

// One line of the table on the page, from the rows of the code: "| a | b | c | c | - | - | - | -
// |".
std::string line_of(Nemeth::State in) {
    const auto letter = [](Nemeth::State state) { return "abcde"[static_cast<int>(state)]; };
    std::string line = std::string("| ") + letter(in) + " |";
    for (std::size_t event = 1; event <= 7; ++event) {
        const std::size_t at = nemeth::row_of(in, event);
        char cell = '-';
        if (at < Nemeth::rows().size())
            cell = Nemeth::rows()[at].action.what == &Nemeth::alarm
                       ? '!'
                       : letter(Nemeth::rows()[at].then);
        line += std::string(" ") + cell + " |";
    }
    return line;
}

TEST(NemethPage, shows_the_table_of_the_code) {
    std::stringstream page;
    page << std::ifstream("docs/algorithms/nemeth.md").rdbuf();
    std::string table = "\n|---|---|---|---|---|---|---|---|\n";
    for (const auto in : {nemeth::a, nemeth::b, nemeth::c, nemeth::d, nemeth::e})
        table += line_of(in) + "\n";
    EXPECT_NE(page.str().find(table), std::string::npos) << "the page should have" << table;
}

}  // namespace nemeth_page_test
}  // namespace conclave
