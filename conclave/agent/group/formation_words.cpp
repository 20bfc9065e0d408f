#include "conclave/agent/group/formation_words.hpp"

#include "conclave/agent/group/named_roster.hpp"

namespace conclave::agent {

Obstacle obstacle_of(const Formation& formation, const std::string& group) {
    const std::string name = "group '" + group + "'", expected = std::to_string(formation.expected);
    switch (formation.obstacle()) {
        case Formation::Obstacle::no_member:
            return {name + " is complete with " + join(formation.fixed) + ", and '" + formation.me +
                        "' is none of them: take one of these names with --name, " +
                        "or another --group",
                    true};
        case Formation::Obstacle::other_size:
            return {name + " has " + std::to_string(formation.fixed.size()) +
                        " members: --expect cannot be " + expected,
                    true};
        case Formation::Obstacle::too_many:
            return {name + " expects " + expected + " members, but " +
                        std::to_string(formation.known.size()) + " are here: " +
                        join(formation.known) + "; stop all of them, remove their state files, " +
                        "and start those that belong to it",
                    false};
        case Formation::Obstacle::none: break;
    }
    if (!formation.fixed.empty()) return {};
    const std::string problem = size_problem(formation.known);
    return {problem.empty() ? "" : name + ": " + problem, false};
}

}  // namespace conclave::agent
