// What this node does while it leads, and what it tells about itself.
#include "conclave/agent/node.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

void Node::mind_work(const member::View& view) {
    if (!view.acting) return;
    const bool runs = work_->phase() != "none";
    const bool fresh = lease::token_of(view.ballot) > started_token_;  // each start has its own
    const bool may_start = !view.leaving && !ended_work_ && view.again == never && fresh &&
                           obstacle_.empty() && !state_.done.rests();
    if (!runs && may_start) return start_work(view);
    if (!runs) return;
    work_->extend(view.ends);
    if (view.leaving && work_->phase() == "running") work_->stop(config_.stop_timeout);
    if (!view.leaving) renew_farewell(view);
}

// R8: what the former life of this node held is released when its command is proved to be gone.
void Node::release_former() {
    if (former_gone()) {
        former_ = nullptr;
        return host_->gone();
    }
    note_obstacle();
    if (former_->fd() < 0) return unknown_.set(former_->until());
    loop_.watch(former_->fd(), [this] {
        loop_.forget(former_->fd());
        note_former_gone();
    });
}

void Node::note_former_gone() {
    log_.notice(former_->fd() < 0 ? "the former lease has expired" : "the former command is gone");
    release_former();
    note_obstacle();
}

void Node::start_work(const member::View& view) {
    const std::uint64_t token = lease::token_of(view.ballot);
    started_token_ = token;
    if (view.leader == me_) terms_.note_start(token);
    ++starts_;
    log_.notice("starts its work under token " + std::to_string(token));
    if (!work_->start({token, view.ends, reason(terms_.turn)}).empty())
        return after_turn_.set(Time{0});
    farewell_ = {};
    renew_farewell(view);
}

// Whom the heirs need not wait for: at every change of ballot or heir, or of what all can open.
void Node::renew_farewell(const member::View& view) {
    const Farewell now{view.ballot, view.successor, version()};
    if (now == farewell_) return;
    farewell_ = now;
    std::vector<net::Address> addresses;
    for (const Id id : members())
        if (const Peer* peer = company_.find(id)) addresses.push_back(peer->address);
    work_->farewell(post_->seal_farewell(host_->farewell(now.heir)), addresses);
}

void Node::hear_work(const WorkEvent& event) {
    if (!event.words.empty()) log_.info(event.words);
    if (on_change) on_change();
    const member::View view = host_->view();
    const bool again = config_.restart == Restart::always ||
                       (config_.restart == Restart::on_failure && event.code != 0);
    if (event.by_itself && view.acting && !view.leaving) {
        if (again && !departing_) {
            host_->ended();
            const Duration pause = host_->view().again - net::boot_time();
            const auto ms = std::chrono::round<std::chrono::milliseconds>(pause);
            return log_.info("starts it again after " + format_duration(ms));
        }
        if (config_.when_done == WhenDone::stay && !departing_) return end_command(event.code);
        exit_code_ = event.code;
        ended_work_ = true;
        depart();
    }
    note_obstacle();
    host_->gone();
}

void Node::leave() {
    if (departing_) return;
    if (host_ && host_->view().ballot.stands()) return depart();
    departing_ = true;
    end(exit_code_, {});
}

// Who is about to end does not stand again, even if nobody else can.
void Node::depart() {
    departing_ = true;
    host_->depart();
}

std::string Node::vouch() {
    if (!host_) return "it has just come up: ask again";
    if (!host_->view().blank) return "this node has its memory: nobody need vouch for it";
    if (net::boot_time() - born_ < config_.detect) return "it has just come up: ask again";
    log_.notice("promises again, by an operator's word");
    host_->vouch();
    return {};
}

std::string Node::resign(const std::string& heir_name) {
    if (leader() != me_) return "this node does not lead";
    Id next = host_->view().successor;
    if (!heir_name.empty()) {
        next = roster_.id_of(heir_name);
        if (next == nobody) return "'" + heir_name + "' is no member: " + join(roster_.names());
        if (next == me_) return "'" + heir_name + "' is this node";
        const member::Sight sight = host_->sight(next);
        if (sight.suspected) return "'" + heir_name + "' is not alive";
        if (sight.said.witness) return "'" + heir_name + "' is a witness";
        if (!sight.said.healthy) return "'" + heir_name + "' is unhealthy";
        if (sight.said.paused) return "'" + heir_name + "' is paused";
    }
    if (next == nobody) return "there is nobody alive who could lead instead";
    host_->resign(next);
    return {};
}

}  // namespace conclave::agent
