// Whatever a link to clocks says, the laboratory answers with a run to do or with a sentence.
#include <cstdint>
#include <cstdlib>

#include "conclave/browser/clock_runs.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::string problem;
    const browser::Request request = browser::read_request(text, problem);
    if (!problem.empty()) return 0;
    simulator::TimeScenario scenario, again;
    if (!browser::read_clocks(request.given, scenario).empty()) return 0;
    // What it understood can be said again and means the same.
    if (!browser::read_clocks(to_given(scenario), again).empty()) std::abort();
    if (to_toml(again) != to_toml(scenario)) std::abort();
    return 0;
}
