// A real node: one algorithm with its lease over UDP, the roster, the failure detector, and the
// command that runs while this node leads.
//
// It lives in a loop of its owner's and touches nothing global: two in one process work.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "conclave/agent/bound.hpp"
#include "conclave/agent/company.hpp"
#include "conclave/agent/config.hpp"
#include "conclave/agent/formation.hpp"
#include "conclave/agent/former_tree.hpp"
#include "conclave/agent/host.hpp"
#include "conclave/agent/lately.hpp"
#include "conclave/agent/post.hpp"
#include "conclave/agent/state_writer.hpp"
#include "conclave/agent/status.hpp"
#include "conclave/agent/work.hpp"
#include "conclave/member/terms.hpp"
#include "conclave/net/log.hpp"

namespace conclave::agent {

using net::Log;

class Node final : private Stage {
public:
    // Ended: the exit code, and why, where that is worth a sentence.
    using Ended = std::function<void(int code, const std::string& why)>;

    // `socket` is the one that farewells leave by.
    using MakeWork = std::function<std::unique_ptr<Work>(int socket, Work::Gone)>;

    // `state` is what the file holds, its incarnation counted up. Throws a net::Failure.
    Node(net::Loop& loop, Config config, wire::Keys keys, StateFile& file, State state,
         const MakeWork& make_work, Ended ended);
    ~Node();

    // Before start(): while the command of its former life is not gone, this node votes, but
    // neither leads nor releases what that life held. `former` outlives the node.
    void wait_for(const FormerTree& former) { former_ = &former; }
    void start();
    // Hand over, if this node leads, and end with the command's exit code or 0.
    void leave();
    // Hand over and stay. Empty, or why not.
    std::string resign(const std::string& heir);

    // An operator's word for a node without its memory. Empty, or why not.
    std::string vouch();

    // What the health check says. An unhealthy node does not stand, an unhealthy leader hands over.
    void set_healthy(bool well, const std::string& words);
    // A paused node keeps its role: it neither stands nor hands over on its own account.
    void set_paused(bool paused);
    // Ends a pause, and lets a command be started again that ended, here or, if well, anywhere.
    void resume();

    void pass_signal(int number) { work_->pass_signal(number); }

    Status status() const;
    const Config& config() const { return config_; }
    // Another node stretched its times: this one shall start again with them. 0: none did.
    Duration longer_detect() const { return longer_; }
    // Asks everybody who they are; what they answer is soon part of what examine() finds.
    void question_peers();
    // What is wrong in and around this node, a sentence each with its remedy; none: all is well.
    std::vector<std::string> examine() const;
    Bound bound() const;
    std::function<void()> on_change;  // somebody else leads, or the work has changed

private:
    // Stage
    std::uint64_t store(Input stored, const lease::Ballot& highest,
                        const lease::Ballot& used) override;
    std::uint8_t version() const override { return post_->version(); }
    void send(Id to, Input message) override;
    void show(Id to) override;
    void report(std::string_view what) override;
    void turned(const member::News& news) override;

    // node.cpp: the course of its life
    PostSettings post_settings(wire::Keys keys) const;
    std::vector<std::string> stored_names() const;
    void store_roster(std::uint32_t version, const std::vector<std::string>& names);
    void hear_disk(std::uint64_t number, const std::string& problem);
    void note_roster_stored();
    void fix_roster(const Roster& roster);
    void begin_election();
    HostSettings host_settings() const;
    void end(int code, const std::string& why);
    void beat();
    void after_turn();
    void warn_once(std::uint64_t about, const std::string& sentence);
    std::vector<Id> members() const;

    // node_company.cpp: what the others say
    void deliver(const Delivery& delivery);
    void hear(Peer& peer, const Presence& presence);
    void hear(Peer& peer, const Objection& objection);
    void hear(Peer& peer, const Leaving& leaving);
    void hear(Peer& peer, const Question& question);
    void hear(Peer& peer, const RollCall& call);
    void hear_namesake(const Peer& peer, const Presence& presence);
    void hear_algorithm(Peer& peer, wire::Body message, bool farewell);
    template <class Message>
    Bytes bytes_of(const Message& message) const {
        Bytes bytes;
        wire::encode_body(message, version(), bytes);
        return bytes;
    }
    void try_forming();
    void adopt_roster(const Presence& presence);  // by an observer
    member::Present present_of(const Peer& peer) const;
    void follow_stretch(Duration detect);
    void compare_settings(const Peer& peer, const Presence& presence);
    void show(const Receiver* to);
    void object(const Peer& peer, Objection::Why why, const std::string& sentence);
    void hear_proof(const Receiver& from, bool first);
    void hear_refused(wire::Drop reason, const net::Address& from);
    std::string refusal_remark(wire::Drop reason) const;
    // This node was told that it cannot be here. Again and again, so that it must end?
    bool insisted();
    Presence presence() const;

    // node_fitness.cpp: what speaks against leading
    bool former_gone() const { return former_ == nullptr || former_->gone(); }
    // Why this machine cannot lead, however healthy its command is: a sentence. Empty: it can.
    std::string find_obstacle() const;
    void note_obstacle();
    member::Condition condition() const;
    void tell_condition();

    // node_terms.cpp: who led, and why no longer
    void note_change(const member::Change& change);
    std::string end_of_term(const member::Change& change) const;
    std::string reason(const member::Change& before) const;
    std::vector<TermStatus> term_status() const;
    void note_sighting(const member::Sighting& sighting);
    void note_lateness();

    // node_doctor.cpp
    void ask_presence();
    std::string where_lost(const std::string& name, Duration silence) const;
    void examine_peer(const Peer& peer, std::vector<std::string>& findings) const;
    void examine_traffic(std::vector<std::string>& findings) const;
    void examine_timing(std::vector<std::string>& findings) const;

    // node_work.cpp: what this node does while it leads
    void mind_work(const member::View& view);
    void hear_work(const WorkEvent& event);
    void start_work(const member::View& view);
    void release_former();
    void note_former_gone();
    void renew_farewell(const member::View& view);
    void depart();

    // node_done.cpp: a command that has ended and is not started again
    void end_command(int code);
    void learn_done(const member::Done& heard);
    void hear_done_stored(std::uint64_t number, bool kept);
    void tell_done();
    void show_done(Status& status) const;
    bool may_promise(const Peer& peer) const {
        return member::may_promise(done_.kept, peer.told_done, peer.said.done);
    }

    // node_status.cpp
    static constexpr std::string_view unsure_remark =
        "has no memory, and another member has none either: make sure that the clocks are right, "
        "then say conclave vouch here";
    Id leader() const { return host_ ? host_->view().leader : nobody; }
    std::string leader_name() const;
    std::string quoted(Id id) const { return "'" + roster_.name_of(id) + "'"; }
    std::string forming_remark() const;
    void tell_awaited();
    std::vector<MemberStatus> member_status(Time now) const;

    net::Loop& loop_;
    Config config_;
    Log log_;
    const StateFile& file_;  // what writes it is the writer's thread
    State state_;            // as it was last given to the disk
    struct DoneRecord {
        member::Done kept{};      // on disk: what the others are told; state_.done may be later
        std::uint64_t store = 0;  // of the later one; 0: none is under way
    };
    DoneRecord done_;
    std::uint64_t roster_store_ = 0;  // of a roster, that is not on disk yet; 0: none
    Ended ended_;
    Time born_;
    std::unique_ptr<Post> post_;
    StateWriter writer_;
    Company company_;
    Formation formation_;
    Roster roster_;  // empty: not yet fixed
    Id me_ = nobody;
    std::unique_ptr<Host> host_;
    std::unique_ptr<Work> work_;
    const FormerTree* former_ = nullptr;  // nullptr: it is gone
    struct Farewell {
        lease::Ballot ballot{};
        Id heir = nobody;
        std::uint8_t version = 0;
        bool operator==(const Farewell&) const = default;
    };
    Farewell farewell_;       // as the guardian has it
    bool departing_ = false;  // the process is to end
    int exit_code_ = 0;
    FitnessStatus fitness_;
    std::string obstacle_;        // to leading, as the others were told
    std::string failure_;         // of the command here, until an operator resumes; empty: none
    std::string folder_problem_;  // why the state folder cannot be written to; empty: it can
    std::string disk_problem_;    // why the state file could not be written; empty: it could
    int tellings_ = 0;            // of itself, left to be made
    member::Terms terms_;
    Duration late_{}, longer_{};
    Duration advised_{};  // for --detect, by the last warning
    Time questioned_ = never, last_due_{}, beaten_{};
    // A few askers must not make everybody speak at their pace.
    struct Seldom {
        Time last = -std::chrono::hours(24);
        bool allow(Time now) {
            const bool due = now - last >= std::chrono::milliseconds(500);
            if (due) last = now;
            return due;
        }
    };
    Seldom roll_calls_, roll_answers_;
    bool ended_work_ = false;  // the command is not to be started again
    std::uint32_t starts_ = 0;
    std::uint64_t started_token_ = 0;  // of the last start: the next one's is greater
    bool ended_already_ = false;
    net::Alarm beat_, after_turn_;
    net::Alarm unknown_;  // nothing is left of a former command that could not be found
    Lately lately_;
    struct Warning {
        std::uint64_t about;
        std::string sentence;
        Time last;  // it was said once, and held so long
    };
    std::vector<Warning> warned_;
    struct Insistence {
        Time first{}, last = -std::chrono::hours(24);
        bool newcomer = false;  // this node was one when it began
    };
    Insistence insistence_;
    std::array<Time, wire::drop_count> refusal_told_{};  // in the log; 0: never
};

}  // namespace conclave::agent
