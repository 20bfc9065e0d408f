// Parts of the JSON that a time daemon answers with.
#pragma once

#include <optional>
#include <string>

#include "conclave/core/text.hpp"

namespace conclave::timed {

inline std::string pair(std::string_view name, const std::string& value) {
    return quote(name) + ":" + value;
}
// Unknown values are null, never 0 or "".
inline std::string text_or_null(const std::string& text) {
    return text.empty() ? "null" : quote(text);
}
inline std::string number_or_null(const std::optional<std::int64_t>& number) {
    return number ? json(*number) : "null";
}

}  // namespace conclave::timed
