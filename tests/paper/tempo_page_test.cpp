// docs/algorithms/tempo.md shows the table that runs.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "conclave/core/table.hpp"
#include "conclave/election/tempo.hpp"

namespace conclave {
namespace tempo_page_test {

TEST(TempoPage, shows_the_table_of_the_code) {
    std::stringstream page;
    page << std::ifstream("docs/algorithms/tempo.md").rdbuf();
    const std::string table = "```dot\n" + to_dot(TimeDaemon::rows()) + "```\n";
    EXPECT_NE(page.str().find(table), std::string::npos) << "the page should have\n" << table;
}

}  // namespace tempo_page_test
}  // namespace conclave
