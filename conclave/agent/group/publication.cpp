#include "conclave/agent/group/publication.hpp"

#include <tuple>
#include <utility>

namespace conclave::agent {

void Publications::publish(std::string value) {
    if (value == own_.value) return;
    own_.value = std::move(value);
    ++own_.number;
}

// Datagrams may overtake each other.
bool Publications::hear(const Publication& said) {
    if (std::tie(said.token, said.number) <= std::tie(heard_.token, heard_.number)) return false;
    heard_ = said;
    return true;
}

std::string Publications::heard(std::uint64_t token) const {
    return token != 0 && heard_.token == token ? heard_.value : "";
}

}  // namespace conclave::agent
