// A trace as a file: its extension says in which form.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conclave/trace/record.hpp"

namespace conclave::trace {

enum class Format : std::uint8_t {
    diagram,   // .txt
    perfetto,  // .json
    shiviz,    // .shiviz
    mermaid,   // .mmd
    svg,       // .svg
};

std::optional<Format> format_of(std::string_view path);
std::string render(const Trace& trace, Format format);
// False, and a sentence in `error`, if the form is unknown or the file cannot be written.
bool save(const Trace& trace, const std::string& path, std::string& error);

}  // namespace conclave::trace
