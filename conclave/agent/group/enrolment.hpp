// How this node comes to its roster: from its disk, from --members, by forming a group with others,
// or, as an observer, by a member's word. member/formation.hpp decides; here are disk and words.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conclave/agent/disk/state_keeper.hpp"
#include "conclave/agent/group/formation_words.hpp"
#include "conclave/agent/group/presence.hpp"
#include "conclave/agent/site.hpp"
#include "conclave/member/newcomer.hpp"

namespace conclave::agent {

class Enrolment {
public:
    struct Handlers {
        std::function<void()> fixed;     // the roster is on disk: the member can be seated
        std::function<void()> announce;  // tell everybody what this node knows now
        std::function<void()> repeat;    // say again who this is, so that objections are repeated
        std::function<void(int code, const std::string& why)> end;
    };
    Enrolment(Site& site, StateKeeper& keeper, Handlers handlers);

    void start();
    // Another node says whom it knows, or its roster. Only until this node has one.
    void hear(const Presence& presence);
    // A member tells who the members are, to a node that has no memory of them.
    void hear(const RosterNews& news);
    // The disk answered.
    void note_stored(const std::string& problem);
    // This node is told that it cannot be here, and why: it ends, if it must.
    void object(int code, const std::string& sentence);

    // Whom this node may say that it has heard of.
    std::vector<std::string> statement() const { return formation_.statement(); }
    // The members that a forming group still waits for.
    std::string remark() const;

private:
    void proceed();
    void adopt(const Presence& presence);
    std::string joining_problem(const RosterNews& news) const;
    void store(std::uint32_t version, const std::vector<std::string>& names);

    Site& site_;
    StateKeeper& keeper_;
    Handlers handlers_;
    Formation formation_;
    member::Objections objections_{};
};

}  // namespace conclave::agent
