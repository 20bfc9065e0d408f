// What people read fits a terminal of 80 columns, and nothing is lost for it.
#include <gmock/gmock.h>

#include <regex>

#include "conclave/simulator/simulation_engines.hpp"
#include "conclave/trace/columns.hpp"
#include "tests/support/tool.hpp"

namespace conclave::tests {
namespace width_test {

using testing::HasSubstr;

// As it would read if lines could have any length.
std::string unwrapped(const std::string& text) {
    return std::regex_replace(text, std::regex("\n? +"), " ");
}

std::string fitting(const std::string& line) {
    const std::string out = run_tool(line).out;
    for (const std::string& each : lines_of(out))
        EXPECT_LE(trace::columns_of(each), 80u) << line << "\n" << each;
    return out;
}

TEST(Width, the_list_of_algorithms_fits_with_all_that_is_said_of_them) {
    const std::string table = unwrapped(fitting("list"));
    for (const simulator::Engine& engine : simulator::engines()) {
        const Card& each = *engine.card;
        const std::string card = unwrapped(fitting("list " + std::string(each.name)));
        EXPECT_THAT(table, HasSubstr("messages " + std::string(each.messages) + " assumes " +
                                     std::string(each.assumes) + "\n"));
        EXPECT_THAT(card, HasSubstr(std::string(each.assumes) + "\npromises "));
        EXPECT_THAT(card, HasSubstr(std::string(each.messages) + " messages\nassumes "));
    }
}

TEST(Width, a_run_is_summed_up_in_lines_that_fit) {
    EXPECT_THAT(fitting("sim nemeth --nodes 3"),
                HasSubstr("\n48035 messages (Candidate 3, Acknowledge 6, Reorganize 2, Prepared 2, "
                          "Commit 2,\n  Life 24010, Alive 24010), 3460376 bits\nturnaround "));
    EXPECT_THAT(fitting("sim tempo --nodes 3 --cluster --storm 10s"),
                HasSubstr(" while a majority was connected;\n  the bound is 1.36s\n"));
    const std::string split = fitting("sim bully --nodes 12 --loss 1 --initiators all");
    EXPECT_THAT(unwrapped(split), HasSubstr("no agreement; follow 1: 1; follow 2: 1; follow 3: 1; "
                                            "follow 4: 1; follow 5: 1; follow 6: 1; "));
    EXPECT_THAT(split, HasSubstr(";\n  follow "));
    EXPECT_THAT(fitting("sim bully --nodes 1 --initiators none --set listen=off"),
                HasSubstr("\n0 messages (none), 0 bits\n"));
}

}  // namespace width_test
}  // namespace conclave::tests
