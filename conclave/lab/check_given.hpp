// The command line of conclave check as it was given, and the question that it asks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conclave/checker/query.hpp"
#include "conclave/options/option_table.hpp"

namespace conclave::cli {

struct CheckGiven {
    std::string algorithm{};
    // Read as the options of a scenario that have the same names.
    std::string nodes{}, initiators{}, order{}, graph{};
    std::vector<std::string> settings{}, attributes{};

    std::optional<checker::Timing> timing{};
    std::optional<std::uint32_t> delay_min{}, delay_max{}, rate_max{}, ticks{};
    Duration tick = checker::Query{}.tick;
    checker::Budget budget{};
    std::vector<std::string> fault_kinds{}, broken{}, links{};
    std::string late{};
    std::optional<std::uint32_t> late_from{}, late_until{}, faults_from{}, faults_until{};
    bool late_all = false, detector = false, start_steps = false;

    std::string properties{};
    std::uint64_t states_max = 0, salt = 0;
    Duration time_max{};
    std::uint32_t threads = 0;  // 0: all cores
    bool no_reduce = false, no_rotate = false, exact = false;

    std::vector<std::string> traces{};
    std::string record{}, states{};
    bool json = false;
};

const options::Table<CheckGiven>& check_table();

// Throws a Refusal where an option makes no sense, or would make no difference.
checker::Query read_question(const CheckGiven& given);

}  // namespace conclave::cli
