#include <toml++/toml.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "conclave/agent/config.hpp"

namespace conclave::agent {

namespace {

// As it would stand on the command line.
std::string spelled(const toml::node& node) {
    if (const auto* letters = node.as_string()) return letters->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* fraction = node.as_floating_point()) {
        std::ostringstream written;
        written << fraction->get();
        return written.str();
    }
    if (const auto* yes = node.as_boolean()) return yes->get() ? "true" : "false";
    std::string all;
    if (const auto* list = node.as_array())
        for (const toml::node& each : *list) all += (all.empty() ? "" : ",") + spelled(each);
    return all;
}

}  // namespace

std::vector<Given> read_config_file(const std::string& path) {
    std::vector<Given> given;
    std::ifstream file(path);
    if (!file)
        throw ConfigRefusal{"--config " + path + " cannot be read (" + std::strerror(errno) +
                            "): give the name of a file that this user may read"};
    const auto place = [&](const toml::source_region& region) {
        return path + ":" + std::to_string(region.begin.line) + ":" +
               std::to_string(region.begin.column);
    };
    try {
        for (const auto& [key, node] : toml::parse(file, path)) {
            const std::string where = "'" + std::string(key.str()) + "' in " + place(key.source());
            if (node.is_table())
                throw ConfigRefusal{where + " is a table: settings stand by themselves, in none"};
            given.push_back({std::string(key.str()), spelled(node), where, Source::file});
        }
    } catch (const toml::parse_error& error) {
        throw ConfigRefusal{"--config " + place(error.source()) +
                            " is not TOML: " + std::string(error.description())};
    }
    return given;
}

}  // namespace conclave::agent
