// A request to conclave sim, once the command line and all files are read and make sense.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conclave/simulator/campaign/recording.hpp"
#include "conclave/simulator/campaign/sweep.hpp"

namespace conclave::cli {

struct Request {
    simulator::Scenario scenario;
    std::optional<simulator::DecisionLog> replay;
    std::optional<simulator::Seeds> seeds;
    std::vector<std::string> traces;
    std::optional<std::string> record;
    unsigned threads = 1;
    bool json = false;
};

// Each returns the exit code.
int run_once(const Request& request);
int run_sweep(const Request& request);
// `file`: where the shrunk run is recorded; empty: on stdout.
int shrink_run(const Request& request, const std::string& file);

}  // namespace conclave::cli
