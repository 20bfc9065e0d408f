// What agents say to each other about themselves: who is here, under which name, with which
// settings. Messages of election and lease pass through to the member.
#pragma once

#include <functional>
#include <string>

#include "conclave/agent/disk/state_keeper.hpp"
#include "conclave/agent/group/enrolment.hpp"
#include "conclave/agent/group/presence.hpp"
#include "conclave/agent/group/publication.hpp"
#include "conclave/agent/group/refusals.hpp"
#include "conclave/agent/group/wishes.hpp"
#include "conclave/agent/site.hpp"
#include "conclave/agent/work/readiness.hpp"

namespace conclave::agent {

class Talk {
public:
    struct Handlers {
        std::function<void(const member::Done&)> done;  // a peer knows of a command that is done
        std::function<void()> leave;                    // times were stretched: see longer_detect()
        std::function<void()> removed;                  // from the roster
        std::function<void(const lease::Seal&)> reseal;  // the group's is another one
    };
    Talk(Site& site, Enrolment& enrolment, Wishes& wishes, const StateKeeper& keeper,
         const Readiness& readiness, Publications& publications, Handlers handlers);

    // ------------------------------------------------------------ from the post
    void deliver(const Delivery& delivery);
    void hear_proof(const Receiver& from, bool first);
    void hear_refused(wire::Drop reason, const net::Address& from);

    // ------------------------------------------------------------ about this node
    void show(const Receiver* to) const;  // nullptr: to everybody
    void show(Id to) const;
    // The value that this node publishes while it leads; nullptr: to everybody.
    void tell_published(const Receiver* to) const;
    // Asks everybody who they are.
    void ask() const;
    // At a heartbeat: what is to be said again, and of what the group is not aware yet.
    void beat();
    void repeat() { tellings_ = std::max(tellings_, 2); }
    bool is_quiet() const { return tellings_ == 0; }
    // What this node heard from a peer, for its member.
    member::Present present_of(const Peer& peer) const;
    // Another node stretched its times: this one shall start again with them. 0: none did.
    Duration longer_detect() const { return longer_; }

private:
    void hear(Peer& peer, const Presence& presence);
    void hear(Peer& peer, const Objection& objection);
    void hear(Peer& peer, const Leaving& leaving);
    void hear(Peer& peer, const Question& question);
    void hear(Peer& peer, const RollCall& call);
    void hear(Peer& peer, const Publication& said);
    void hear(Peer& peer, const RosterNews& news);
    void hear(Peer& peer, const member::Wish& wish) { wishes_.hear(peer, wish); }
    void hear(Peer& peer, const WishReply& reply) { wishes_.hear(peer, reply); }
    void hear_stranger(Peer& peer, const Presence& presence);
    bool was_of(const RosterNews& news) const;
    void tell_roster(const Peer& peer, const Presence& presence) const;
    bool is_understood(const Peer& peer) const;
    void hear_namesake(const Peer& peer, const Presence& presence);
    void hear_member(Peer& peer, wire::Body message, bool is_death_notice);
    void introduce(Peer& peer, const Presence& presence);
    void compare_settings(const Peer& peer, const Presence& presence);
    void follow_stretch(Duration detect);
    void object(const Peer& peer, Objection::Why why, const std::string& sentence);
    void tell_awaited();
    Presence presence() const;

    // A few askers must not make everybody speak at their pace.
    struct Seldom {
        Time last = -std::chrono::hours(24);
        bool allow(Time now) {
            const bool due = now - last >= std::chrono::milliseconds(500);
            if (due) last = now;
            return due;
        }
    };

    Site& site_;
    Enrolment& enrolment_;
    Wishes& wishes_;
    const StateKeeper& keeper_;
    const Readiness& readiness_;
    Publications& publications_;
    Handlers handlers_;
    Refusals refusals_{};
    Seldom roll_calls_{}, roll_answers_{};
    int tellings_ = 0;  // of itself, left to be made
    Duration longer_{};
};

}  // namespace conclave::agent
