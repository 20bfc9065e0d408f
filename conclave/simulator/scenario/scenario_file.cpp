#include "conclave/simulator/scenario/scenario_file.hpp"

namespace conclave::simulator {

options::FileGiven read_toml(std::string_view text, std::string_view name) {
    return options::read_toml(text, name, scenario_table().rows());
}

std::string to_toml(const Scenario& scenario) {
    const Scenario usual;
    std::string file;
    scenario_table().for_each([&](const options::Option<Scenario>& option) {
        const options::Values values = option.write(scenario);
        if (!values.empty() && values != option.write(usual))
            file += options::to_toml(option, values);
    });
    return file;
}

}  // namespace conclave::simulator
