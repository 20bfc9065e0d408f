// A command that has ended and is not started again, while its node stays: see member/done.hpp.
#include <algorithm>

#include "conclave/agent/node.hpp"
#include "conclave/core/date.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

// Well: the group need not do it again, and this node leads on with nothing to run. Else another
// node may have more luck; this one votes on.
void Node::end_command(int code) {
    if (code == 0) {
        log_.notice("the command is done: no member starts it again before conclave resume");
        return learn_done(
            {started_token_, false, config_.name, net::unix_time() / std::chrono::milliseconds(1)});
    }
    failure_ = "the command ended here with code " + std::to_string(code) +
               ": mend it, then say conclave resume here";
    note_obstacle();
    host_->resign(host_->view().successor);
    host_->gone();
}

void Node::learn_done(const member::Done& heard) {
    if (!member::is_later(heard, state_.done)) return;
    state_.done = heard;
    done_.store = writer_.write(state_);
    if (on_change) on_change();
    if (host_) after_turn_.set(Time{0});
}

// Only then it is said: it must be true after a crash, too.
void Node::hear_done_stored(std::uint64_t number, bool kept) {
    if (done_.store == 0 || number < done_.store) return;
    done_.store = 0;
    if (!kept) return;  // tried again at the next heartbeat
    done_.kept = state_.done;
    show(nullptr);
}

// Until everybody who is there has said that it knows.
void Node::tell_done() {
    if (done_.store == 0 && member::is_later(state_.done, done_.kept))
        done_.store = writer_.write(state_);
    if (done_.kept.token == 0 || config_.observer) return;
    const auto unaware = [&](const Peer& peer) {
        return peer.member != nobody && !peer.gone && peer.told_done && !peer.said.name.empty() &&
               member::is_later(done_.kept, peer.said.done);
    };
    const auto& peers = company_.peers();
    if (std::any_of(peers.begin(), peers.end(), unaware)) show(nullptr);
}

void Node::show_done(Status& status) const {
    const member::Done& done = state_.done;
    if (!done.rests()) return;
    status.work.done = {done.token, done.node, done.unix_ms};
    if (work_->phase() == "none") status.work.phase = "done";
    status.remark = "the command is done, ended well on '" + done.node + "' at " +
                    format_date(std::chrono::milliseconds(done.unix_ms)) + " under token " +
                    std::to_string(done.token) + ": conclave resume starts it again";
}

void Node::resume() {
    set_paused(false);
    failure_.clear();
    note_obstacle();
    if (!state_.done.rests()) return;
    member::Done again = state_.done;
    again.resumed = true;
    log_.notice("lets the command be started again");
    learn_done(again);
}

}  // namespace conclave::agent
