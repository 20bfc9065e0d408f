// Any settings are refused with one sentence, or are settings that can be shown.
#include "conclave/agent/settings/node_config.hpp"
#include "conclave/core/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave::agent;
    using conclave::options::Given;
    std::vector<Given> given(1);
    std::string* part = &given.back().name;
    for (std::size_t i = 0; i < size; ++i)
        if (data[i] == '\n')
            part = &given.emplace_back().name;
        else if (data[i] == '=' && part == &given.back().name)
            part = &given.back().value;
        else
            *part += static_cast<char>(data[i]);
    for (Given& each : given) each.where = "'" + each.name + "'";
    try {
        const Config config = make_config(given, {});
        conclave::check(!config.group.empty() && !config.name.empty(), "a node has names");
        conclave::check(config.heartbeat * 2 <= config.detect, "the times fit each other");
        conclave::check(!describe(config).empty(), "settings can be shown");
    } catch (const ConfigRefusal& refusal) {
        conclave::check(!refusal.sentence.empty(), "a refusal says why");
    }
    return 0;
}
