// A real node: a member over UDP, with its state file and the command that runs while it leads.
//
// It lives in a loop of its owner's and touches nothing global: two in one process work. Each part
// has one idea and a file of its own; here they are put together, and the member's effects are
// handed to them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "conclave/agent/group/talk.hpp"
#include "conclave/agent/group/whereabouts.hpp"
#include "conclave/agent/report/doctor.hpp"
#include "conclave/agent/report/overview.hpp"

namespace conclave::agent {

// Of a member of a group with this seal.
HostSettings host_settings(const Config& config, const lease::Seal& seal);

class Node final : private Stage {
public:
    // Ended: the exit code, and why, where that is worth a sentence.
    using Ended = std::function<void(int code, const std::string& why)>;

    // `socket` is the one that death notices leave by.
    using MakeWork = std::function<std::unique_ptr<Work>(int socket, Work::Gone)>;

    // `state` is what the file holds, its incarnation counted up. Throws a net::Failure. `log`
    // takes the lines of its log; empty: stderr.
    Node(net::Loop& loop, Config config, wire::Keys keys, StateFile& file, State state,
         const MakeWork& make_work, Ended ended, net::Log::Sink log = {});
    ~Node();

    // Before start(): while the command of its former life is not gone, this node votes, but
    // neither leads nor releases what that life held. `former` outlives the node.
    void wait_for(const FormerTree& former) { runner_.wait_for(former); }
    void start();
    // Hand over, if this node leads, and end with the command's exit code or 0.
    void leave();
    // Hand over and stay. Empty, or why not.
    std::string resign(const std::string& successor);

    // An operator wants other members (agent/group/wishes.hpp): "done", "waits" or "refused", and a
    // sentence. To be asked again until it does not wait.
    std::string change(const std::string& words, bool first);

    // An operator's word for a node without its memory. Empty, or why not.
    std::string vouch();

    // What the health check says. An unhealthy node does not stand, an unhealthy leader hands over.
    void set_healthy(bool well, const std::string& words) { readiness_.set_healthy(well, words); }
    // A paused node keeps its role: it neither stands nor hands over on its own account.
    void set_paused(bool paused) { readiness_.set_paused(paused); }
    // Ends a pause, and lets a command be started again that ended, here or, if well, anywhere.
    void resume();

    // Sets the value that members see while this node leads. Empty, or why not.
    std::string publish(const std::string& value);

    void pass_signal(int number) { runner_.pass_signal(number); }

    NodeStatus status() const { return status_of(view_); }
    const Config& config() const { return site_.config; }
    // Another node stretched its times: this one shall start again with them. 0: none did.
    Duration longer_detect() const { return talk_.longer_detect(); }
    // Asks everybody who they are; what they answer is soon part of what examine() finds.
    void question_peers();
    // Faults in and around this node, a sentence each with its remedy; none: all is well.
    std::vector<std::string> examine() const { return doctor_.examine(site_.config.answer()); }
    // The members' answers to question_peers().
    std::vector<Statement> statements() const { return statements_after(site_.config.answer()); }
    Bound bound() const { return bound_of(view_); }
    // All of this at once, for whoever shows it. The others need not have been asked a moment ago.
    Overview overview() const;
    std::function<void()> on_change;  // somebody else leads, or the command has changed

private:
    // Stage
    std::uint64_t store(const Memory& memory) override;
    std::uint8_t version() const override { return site_.post->version(); }
    void require(std::uint8_t version) override { site_.post->require(version); }
    void send(Id to, Input message) override;
    void show(Id to) override { talk_.show(to); }
    void report(std::string_view what) override;
    void turned(const member::News& news) override;

    StateKeeper::Handlers disk_handlers();
    Runner::Handlers command_handlers();
    Enrolment::Handlers enrolment_handlers();
    Post::Handlers post_handlers();
    void seat_member();
    void reseal(const lease::Seal& seal);
    void begin_member();
    void introduce_peers();
    void note_roster();
    void settle_roster();
    void take_times(const lease::Roster& roster);
    void tell_given_times() const;
    void tell_shortened() const;
    void leave_removed();
    std::vector<Statement> statements_after(Duration patience) const;
    void beat();
    void after_turn();
    void learn_done(const member::Done& heard);
    bool wanted() const { return !keeper_.done().known.in_force(); }
    std::string successor_problem(const std::string& name, Id id) const;
    void end(int code, const std::string& why);

    Site site_;
    StateKeeper keeper_;
    History history_;
    Runner runner_;
    Readiness readiness_;
    Enrolment enrolment_;
    Publications publications_{};
    Wishes wishes_;
    Talk talk_;
    Whereabouts whereabouts_;
    Lateness lateness_;
    NodeView view_;
    Doctor doctor_;
    Ended ended_;
    bool over_ = false;  // `ended_` was called
    bool removed_ = false, reseated_ = false;
    std::optional<lease::Seal> resealed_{};  // as the others have it
    Time removed_until_ = never;             // it goes on, and then leaves
    net::Alarm beat_, after_turn_;
};

}  // namespace conclave::agent
