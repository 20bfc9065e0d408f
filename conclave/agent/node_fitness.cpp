// What speaks against leading: its health, an operator's word, what its machine lacks.
#include "conclave/agent/node.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

void Node::set_healthy(bool well, const std::string& words) {
    const bool first = fitness_.words.empty();  // it had to be taken for unhealthy until now
    const bool changed = std::exchange(fitness_.healthy, well) != well;
    fitness_.words = words;
    if (!changed && !first) return;
    log_.notice(well ? "is healthy: " + words : "is unhealthy: " + words);
    tell_condition();
}

void Node::set_paused(bool paused) {
    if (std::exchange(fitness_.paused, paused) == paused) return;
    log_.notice(paused ? "is paused: keeps its role until resumed" : "is resumed");
    tell_condition();
}

std::string Node::find_obstacle() const {
    if (!former_gone()) return former_->remark();
    if (!failure_.empty()) return failure_;
    if (!disk_problem_.empty()) return disk_problem_;
    return folder_problem_.empty() ? work_->obstacle() : folder_problem_;
}

// A leader goes on all the same: to renew a lease writes nothing, and its command runs.
void Node::note_obstacle() {
    std::string found = find_obstacle();
    if (found == obstacle_) return;
    obstacle_ = std::move(found);
    if (obstacle_.empty())
        log_.notice("can lead again");
    else
        log_.warn("cannot lead: " + obstacle_);
    tell_condition();
}

// A disk that failed is known to the member by itself, one that would fail is not.
member::Condition Node::condition() const {
    return {.healthy = fitness_.healthy,
            .able = former_gone() && failure_.empty() && folder_problem_.empty() &&
                    work_->obstacle().empty(),
            .paused = fitness_.paused};
}

void Node::tell_condition() {
    beat_.set_earlier(net::boot_time() + config_.heartbeat);
    if (host_) host_->set_condition(condition());
    if (on_change) on_change();
}

}  // namespace conclave::agent
