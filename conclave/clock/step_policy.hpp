// When a clock may be stepped, in the words of those who know chrony's makestep.
//
//   1s            whenever it is off by more than that (the default)
//   128ms:3       only in the first three corrections
//   first         only when it is told the time for the first time, by whatever is needed
//   never         not even then
//   1s:forward    but never back; 128ms:3:forward and first:forward as well
//
// Being told the time for the first time is no correction: but for `never`, that is a step.
#pragma once

#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "conclave/core/time.hpp"

namespace conclave::clock {

struct StepPolicy {
    static constexpr std::uint32_t always = std::numeric_limits<std::uint32_t>::max();

    Duration beyond = std::chrono::seconds(1);  // larger errors are stepped ...
    std::uint32_t corrections = always;         // ... in the first so many corrections
    bool at_first = true;                       // whatever the error, when told the time first
    bool backwards = true;
    bool operator==(const StepPolicy&) const = default;
};

inline constexpr std::string_view step_form = "DURATION[:COUNT]|first|never[:forward]";

inline std::optional<StepPolicy> parse_step_policy(std::string_view text) {
    StepPolicy policy;
    constexpr std::string_view forward = ":forward";
    if (text.ends_with(forward)) {
        policy.backwards = false;
        text.remove_suffix(forward.size());
    }
    if (text == "first" || text == "never") {
        policy.corrections = 0;
        policy.at_first = text == "first";
        if (text == "never" && !policy.backwards) return std::nullopt;  // it says nothing more
        return policy;
    }
    const std::size_t colon = text.find(':');
    const auto beyond = parse_duration(text.substr(0, colon));
    if (!beyond || *beyond < std::chrono::milliseconds(1)) return std::nullopt;
    policy.beyond = *beyond;
    if (colon == std::string_view::npos) return policy;
    const std::string_view count = text.substr(colon + 1);
    const char* const end = count.data() + count.size();
    const auto [stop, error] = std::from_chars(count.data(), end, policy.corrections);
    if (error != std::errc{} || stop != end || policy.corrections == 0 ||
        policy.corrections == StepPolicy::always)
        return std::nullopt;
    return policy;
}

inline std::string to_text(const StepPolicy& policy) {
    std::string text;
    if (policy.corrections == 0) {
        text = policy.at_first ? "first" : "never";
    } else {
        text = format_duration(policy.beyond);
        if (policy.corrections != StepPolicy::always)
            text += ":" + std::to_string(policy.corrections);
    }
    return policy.backwards ? text : text + ":forward";
}

}  // namespace conclave::clock
