// What agents say to each other about themselves, beside the messages of election and lease.
#pragma once

#include <string>
#include <vector>

#include "conclave/core/bytes.hpp"
#include "conclave/core/tags.hpp"
#include "conclave/core/time.hpp"
#include "conclave/core/types.hpp"
#include "conclave/member/done.hpp"
#include "conclave/member/wish.hpp"

namespace conclave::agent {

// I am here. Sent at every heartbeat while nobody leads, and to whoever does not know me.
struct Presence {
    std::string name{};
    std::string version{};    // of the program
    std::string algorithm{};  // all must run the same
    std::uint32_t priority = 0;
    bool witness = false, observer = false, healthy = true, paused = false;
    bool no_quorum = false;
    Duration promise{}, heartbeat{};
    bool fixed = false;                  // `roster` is final
    std::vector<std::string> roster{};   // else: whom I have heard of
    std::vector<std::string> hearing{};  // whom I hear now
    std::string leader{};                // whom I follow; empty: nobody
    Duration uptime{};
    member::Done done{};
    bool joins = false;    // I am no member yet, and want to be one
    bool changed = false;  // `roster` is not as the group was formed: see RosterNews

    static constexpr auto parts(auto& self) {
        return std::tie(self.name, self.version, self.algorithm, self.priority, self.witness,
                        self.observer, self.healthy, self.paused, self.no_quorum, self.promise,
                        self.heartbeat, self.fixed, self.roster, self.hearing, self.leader,
                        self.uptime, self.done, self.joins, self.changed);
    }
};
// You cannot be what you say you are. The receiver has its own words for it: text of others reaches
// no log.
struct Objection {
    enum class Why : std::uint8_t {
        name_taken,  // another node has the name, and has just proved to be alive
        no_member,   // the group is complete without it
        unexpected,  // it joins, and no operator has named it
        removed      // it was a member
    };
    Why why = Why::name_taken;
};
// I am going, and not because of a fault.
struct Leaving {};

// Who are you? Asked by a node that is examined; the answer is a Presence.
struct Question {};

// Tell everybody who you are. Said by a member that was asked, for whoever asked may not be heard.
struct RollCall {};

// The value that the sender publishes while it leads under `token`. Not a part of its Presence,
// which has no room left in the largest group.
struct Publication {
    std::uint64_t token = 0;
    std::uint64_t number = 0;  // counts up with every value of the sender
    std::string value{};
};

// The members as they are on my disk, for a node that does not know them.
struct RosterNews {
    lease::Seal seal{};
    lease::Roster roster{};
};

// How an operator's wish stands, which came by another member: to that one, by the leader.
struct WishReply {
    member::Awaited awaited = member::Awaited::nothing;
    std::uint32_t up = 0, needed = 0;  // members after the change
};

using AgentMessages = Types<Presence, Objection, Leaving, Question, RollCall, Publication,
                            RosterNews, member::Wish, WishReply>;

// Could an agent have said this? Names are names, lists and numbers are within their limits, and
// nothing can upset a terminal.
bool makes_sense(const Presence& said);
bool makes_sense(const Objection& said);
bool makes_sense(const Leaving& said);
bool makes_sense(const Question& said);
bool makes_sense(const RollCall& said);
bool makes_sense(const Publication& said);
bool makes_sense(const RosterNews& said);
bool makes_sense(const member::Wish& said);
bool makes_sense(const WishReply& said);

// Times that no group may have: a sentence. Empty: they are within their limits.
std::string problem_of_times(const member::Wish& wish);

}  // namespace conclave::agent

template <>
inline constexpr auto conclave::growth_of<conclave::agent::Presence> =
    std::array{conclave::Growth{2, 16}, conclave::Growth{3, 17},  // 3: done
               conclave::Growth{4, 19}};                          // 4: joins, changed

// Their numbers on the wire, for ever.
// clang-format off
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::agent::Presence>    = 64;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::agent::Objection>   = 65;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::agent::Leaving>     = 66;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::agent::Question>    = 67;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::agent::RollCall>    = 68;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::agent::Publication> = 69;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::agent::RosterNews>  = 70;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::member::Wish>       = 71;
template <> inline constexpr conclave::Tag conclave::tag_of<conclave::agent::WishReply>   = 72;
// clang-format on
