#include "conclave/options/row.hpp"

#include <cstdlib>

#include "conclave/core/nearest.hpp"

namespace conclave::options {

std::string refuse_unknown(const std::string& what, std::string_view name,
                           std::span<const std::string_view> known, const std::string& otherwise) {
    const std::string_view meant = nearest(name, known);
    return "there is no " + what + ": " +
           (meant.empty() ? otherwise : "did you mean " + std::string(meant) + "?");
}

std::string place_of(const Given& given) {
    const bool named = given.place == Place::file && given.where.ends_with(given.name);
    return named ? given.where.substr(0, given.where.size() - given.name.size()) : std::string();
}

std::string refuse_unknown(const Given& given, std::span<const std::string_view> known,
                           const std::string& otherwise) {
    const std::string place = place_of(given);
    return place + refuse_unknown("option " + given.where.substr(place.size()), given.name, known,
                                  otherwise);
}

std::string variable_of(std::string_view name) {
    std::string variable = "CONCLAVE_";
    for (const char c : name)
        variable += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return variable;
}

std::vector<Given> read_environment(std::span<const Row> rows) {
    std::vector<Given> given;
    for (const Row& row : rows) {
        if (!row.named()) continue;
        const std::string variable = variable_of(row.name);
        if (const char* value = std::getenv(variable.c_str()))
            given.push_back({std::string(row.name), value, variable, Place::environment});
    }
    return given;
}

}  // namespace conclave::options
