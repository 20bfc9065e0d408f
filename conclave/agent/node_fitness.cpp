// Whether this node may lead: its health, and an operator's word.
#include "conclave/agent/node.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

void Node::set_healthy(bool well, const std::string& words) {
    const bool first = fitness_.words.empty();  // it had to be taken for unhealthy until now
    const bool changed = std::exchange(fitness_.healthy, well) != well;
    fitness_.words = words;
    if (!changed && !first) return;
    log_.notice(well ? "is healthy: " + words : "is unhealthy: " + words);
    tell_fitness();
}

void Node::set_paused(bool paused) {
    if (std::exchange(fitness_.paused, paused) == paused) return;
    log_.notice(paused ? "is paused: keeps its role until resumed" : "is resumed");
    tell_fitness();
}

std::string Node::find_obstacle() const {
    if (!former_gone()) return former_->remark();
    return disk_problem_.empty() ? work_->obstacle() : disk_problem_;
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
    tell_fitness();
}

// A lost datagram must not leave the others with what was: it is said at several heartbeats.
void Node::tell_fitness() {
    constexpr int often_enough = 4;
    tellings_ = often_enough;
    beat_.set_earlier(net::boot_time() + config_.heartbeat);
    set_ranks();
    if (host_) judge_standing();
    show(nullptr);
    hand_over_unfit();
    if (on_change) on_change();
}

// Of those that stand at the same moment only one is promised, and a ballot that was in vain keeps
// its owner from promising a lesser one: so the better ones stand first, as they call first.
void Node::queue_up() { turn_.set(net::boot_time() + queue_time()); }

void Node::judge_standing() {
    const bool waits = turn_.is_set();
    const bool allowed = (standing_.allowed && !waits) || config_.no_quorum;
    host_->forbid(!allowed || hearsay_ || !fit());
    const bool leads = leader_ == me_ || host_->view().ballot.stands();
    host_->excuse(!fit() && !leads);
}

// To somebody healthy, as soon as there is one: to stop what nobody else can do better helps
// nobody.
void Node::hand_over_unfit() {
    if (!host_ || fitness_.healthy || fitness_.paused || departing_) return;
    const LeaseView view = host_->view();
    const Id next = heir();
    if (!view.ballot.stands() || view.leaving || next == nobody) return;
    log_.notice("hands over to '" + roster_.name_of(next) + "', being unhealthy");
    cause_ = "'" + config_.name + "' is unhealthy";
    host_->resign(next);
}

}  // namespace conclave::agent
