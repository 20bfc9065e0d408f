// Any text is a file of options or is refused with one sentence; what was read fits into a node's
// configuration or is refused as well.
#include <cstdint>

#include "conclave/agent/settings/node_config.hpp"
#include "conclave/core/check.hpp"
#include "conclave/options/toml_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto file = options::read_toml(text, "f.toml", agent::config_table().rows());
    if (!file.problem.empty()) {
        check(file.problem.starts_with("f.toml:"), "a refusal begins with its place");
        return 0;
    }
    agent::Config config;
    const std::string problem = agent::config_table().read(file.given, config, "see the help");
    if (!problem.empty()) {
        check(problem.find(':') != std::string::npos, "a refusal has a remedy");
        return 0;
    }
    // What is written reads back as the same settings.
    agent::Config again;
    auto written = agent::config_table().write(config, agent::Config{});
    check(agent::config_table().read(written, again, {}).empty(), "what is written can be read");
    check(agent::config_table().describe(again) == agent::config_table().describe(config),
          "what is written is what was read");
    return 0;
}
