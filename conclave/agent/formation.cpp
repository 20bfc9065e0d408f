#include "conclave/agent/formation.hpp"

#include <algorithm>

namespace conclave::agent {

Formation::Formation(std::string group, std::string me, std::uint32_t expected,
                     std::vector<std::string> said)
    : group_(std::move(group)), me_(std::move(me)), expected_(expected), known_(std::move(said)) {
    if (known_.empty()) known_ = {me_};
}

void Formation::hear(const std::string& name, const std::vector<std::string>& list, bool fixed) {
    if (name == me_ || known_.size() > Roster::most) return;
    if (fixed) {
        fixed_ = list;
        std::sort(fixed_.begin(), fixed_.end());
    }
    const auto at = std::lower_bound(known_.begin(), known_.end(), name);
    if (at == known_.end() || *at != name) known_.insert(at, name);
    lists_[name] = list;
}

std::optional<Roster> Formation::result() const {
    if (obstacle()) return {};
    if (!fixed_.empty()) return Roster(fixed_);
    if (known_.size() != expected_) return {};
    for (const auto& [name, list] : lists_)
        if (list != known_) return {};
    return Roster(known_);
}

std::optional<Formation::Obstacle> Formation::obstacle() const {
    const std::string group = "group '" + group_ + "'";
    if (!fixed_.empty()) {
        if (!std::binary_search(fixed_.begin(), fixed_.end(), me_))
            return Obstacle{group + " is complete with " + join(fixed_) + ", and '" + me_ +
                                "' is none of them: take one of these names with --name, or "
                                "another --group",
                            true};
        if (fixed_.size() != expected_)
            return Obstacle{group + " has " + std::to_string(fixed_.size()) +
                                " members: --expect cannot be " + std::to_string(expected_),
                            true};
        return {};
    }
    if (const std::string problem = size_problem(known_); !problem.empty())
        return Obstacle{group + ": " + problem, false};
    if (known_.size() > expected_)
        return Obstacle{group + " expects " + std::to_string(expected_) + " members, but " +
                            std::to_string(known_.size()) + " are here: " + join(known_) +
                            "; stop all of them, remove their state files, and start those that "
                            "belong to it",
                        false};
    return {};
}

}  // namespace conclave::agent
