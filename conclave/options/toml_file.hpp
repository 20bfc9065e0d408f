// Options in a TOML file: each key is the name of an option, at the top level.
//
//     detect = "2s"                       a value, as it would stand on the command line
//     crash = ["3@2s", "1@5s"]            an option that may be repeated, or one with a list: "a,b"
//     set = {timeout = "2ms", rounds = 3} KEY=VALUE, again and again
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/options/row.hpp"

namespace conclave::options {

struct FileGiven {
    std::vector<Given> given{};  // by name; values of one key in the order of the file
    std::string problem{};       // empty, or why the text cannot be used: place and remedy
};

// `name` is the file's, for sentences. Keys without a row are kept: whoever reads them refuses
// them.
FileGiven read_toml(std::string_view text, std::string_view name, std::span<const Row> rows);

// The contents of a file. On failure `problem` says why, and `option` is what named the file.
std::string read_file(const std::string& path, std::string_view option, std::string& problem);

// "key = value" as TOML has it; values of an option that may be repeated are an array.
std::string to_toml(const Row& row, std::span<const std::string> values);

}  // namespace conclave::options
