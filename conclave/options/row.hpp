// One option of a program part: all that readers, help, manual and completion need to know of it.
//
// A part declares its options as a table of rows (option.hpp adds how a value is read and written).
// Everything else is derived from that table, so a new option is one field and one row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace conclave::options {

enum class Kind : std::uint8_t {
    flag,       // --name; also --name=false, where a file says true
    once,       // --name VALUE
    often,      // --name VALUE, as often as one likes; each adds to the last
    maybe,      // --name, or --name VALUE
    argument,   // a word without a name
    arguments,  // any number of them
    rest,       // all words behind --
};

// The kind of thing that a value names, for completion by a shell.
enum class Hint : std::uint8_t { none, file, folder, interface };

struct Row {
    std::string_view name;  // "stop-timeout"; of an argument its form: "FILE"
    Kind kind = Kind::once;
    std::string_view form{};     // of the value: "DURATION", or its choices: "stay|leave"
    std::string_view help{};     // a noun phrase or an imperative, complete by itself
    std::string_view usual{};    // printed as (default: X); empty: there is no default to tell
    std::string_view example{};  // a right value, for the sentence that refuses a wrong one
    Hint hint = Hint::none;

    bool named() const { return kind <= Kind::maybe; }
};

// Rows that belong together, under a title in help and manual; an empty title: none.
struct Section {
    std::string_view title;
    std::vector<Row> rows;
};

// Places that a value can come from. The last one wins.
enum class Place : std::uint8_t { file, environment, line };

// A value as somebody wrote it.
struct Given {
    std::string name;
    std::string value{};
    std::string where{};  // "--expect", "CONCLAVE_EXPECT", "jobs.toml:3:1: expect"
    Place place = Place::line;

    bool operator==(const Given&) const = default;
};

// "there is no option --exepct: did you mean --expect?" `otherwise` is the remedy where no known
// name is near.
std::string refuse_unknown(const std::string& what, std::string_view name,
                           std::span<const std::string_view> known, const std::string& otherwise);
// The same of an option; of one in a file the place comes first: "jobs.toml:3:1: there is no ...".
std::string refuse_unknown(const Given& given, std::span<const std::string_view> known,
                           const std::string& otherwise);
// The place in a file, "jobs.toml:3:1: "; of a value from elsewhere "".
std::string place_of(const Given& given);

// The values of environment variables that belong to these rows: CONCLAVE_STOP_TIMEOUT.
std::vector<Given> read_environment(std::span<const Row> rows);
std::string variable_of(std::string_view name);

}  // namespace conclave::options
