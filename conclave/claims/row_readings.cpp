#include "conclave/claims/row_readings.hpp"

#include <algorithm>

#include "conclave/core/check.hpp"
#include "conclave/simulator/scenario/readings.hpp"
#include "conclave/simulator/scenario/spelling.hpp"

namespace conclave::claims {

namespace {

std::vector<std::string> values_of(std::string_view algorithm, std::string_view setting) {
    std::vector<std::string> values;
    for (const Reading& reading : simulator::readings_named(algorithm))
        if (reading.setting == setting) values.emplace_back(reading.value);
    return values;
}

}  // namespace

std::vector<Settings> readings_for(const Claim& claim) {
    std::vector<Settings> all{{}};
    if (claim.readings.empty()) return all;
    for (const std::string_view setting : simulator::split_text(claim.readings, ' ')) {
        const std::vector<std::string> values = values_of(claim.algorithm, setting);
        check(!values.empty(), "the algorithm lists the readings that its rows name");
        std::vector<Settings> longer;
        for (const Settings& before : all)
            for (const std::string& value : values) {
                longer.push_back(before);
                longer.back().emplace_back(setting, value);
            }
        all = std::move(longer);
    }
    return all;
}

std::string name_reading(const Settings& reading) {
    std::string name;
    for (const auto& [setting, value] : reading)
        name += (name.empty() ? "" : " ") + setting + "=" + value;
    return name.empty() ? "only" : name;
}

Status status_of(const std::vector<Read>& readings) {
    const auto all = [&](Status status) {
        return std::all_of(readings.begin(), readings.end(),
                           [&](const Read& read) { return read.result.status == status; });
    };
    if (all(Status::pass)) return Status::pass;
    if (all(Status::finding)) return Status::finding;
    const bool fails = std::any_of(readings.begin(), readings.end(), [](const Read& read) {
        return read.result.status == Status::fail;
    });
    return fails ? Status::fail : Status::reading_dependent;
}

}  // namespace conclave::claims
