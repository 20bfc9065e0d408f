// Whatever a link says, the laboratory answers with a run to do or with a sentence.
#include <cstdint>
#include <cstdlib>

#include "conclave/browser/request.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::string problem;
    const browser::Request request = browser::read_request(text, problem);
    if (!problem.empty()) return 0;
    browser::Run run;
    problem = browser::read_run(request.given, run);
    if (!problem.empty()) return 0;
    // What it understood can be said again and means the same.
    browser::Run again;
    const auto said = run.replay ? to_given(simulator::Recording{run.scenario, *run.replay})
                                 : simulator::to_given(run.scenario);
    if (!browser::read_run(said, again).empty()) std::abort();
    if (!(again.scenario == run.scenario) || again.replay != run.replay) std::abort();
    return 0;
}
