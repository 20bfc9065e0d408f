// The master's part: measure every slave, keep the network's time, correct everybody.
//
// Without a past, a master first finds out what time it is: the paper's mean of the clocks that
// agree. With one, as the successor of another master, it goes on with the line that it followed
// as a slave, so nothing moves at a hand-over. From then on only the network's rate is decided,
// every round, by the ensemble; all else follows from it. If most slaves' clocks seem to have moved
// at once, or most of them complain, the master's own clock is the one that has: it resigns.
//
// Being first is no privilege. Every member reports how far the clock that it came with was from
// the network's time; if two or more, and more than half of all, agree on another, the network is
// moved there, whoever came when. If instead more than half have agreed with it for ten minutes its
// time is established: then newcomers are set and not asked, so that machines that were wiped do
// not outvote a network that runs. Of two networks that meet, an established one keeps its time;
// else that which more of the clocks at hand follow. What others claim to have behind them does not
// count, nor does a clock that went wrong within the last minute. Opinions move a network only if
// they are more than half of the clocks that were behind its time within those ten minutes, so
// members that leave do not move it.
//
// A master counts the clocks that answered it and agree, itself included: it inherits no count. It
// starts again when a member turns out to follow a later master, because then it was away. A
// successor does not give way to a predecessor that still counts members that left it. A count of
// zero means that no sound clock is behind the time, and nobody trusts it.
//
// master.cpp measures, decides the rate and corrects; master_time.cpp decides what time it is;
// master_count.cpp counts the clocks behind it.
#pragma once

#include "conclave/clock/ensemble.hpp"
#include "conclave/clock/estimator.hpp"
#include "conclave/clock/keeper.hpp"
#include "conclave/clock/network_mean.hpp"

namespace conclave::clock {

struct MasterSettings {
    EstimatorSettings estimator{};
    Duration interval = std::chrono::milliseconds(200);   // clocks further apart do not agree
    Duration founding = std::chrono::milliseconds(1500);  // so long a new network is looked at
    Duration round = std::chrono::seconds(1);             // so often each member is probed
    Duration conviction = std::chrono::minutes(10);       // so long most agree: it is established
    Rate tolerance = ppb(100);  // a rate may deviate by so much beside what is known of its error
};

enum class Fault : std::uint8_t { none, moved, offset, rate };

class Master {
public:
    struct Member {
        Id id = nobody;
        Estimator estimator;
        Report report{};
        Time reported{};  // on the master's raw clock
        Time met{};       // so is this
        Fault fault = Fault::none;
        Time moved = -std::chrono::hours(1);     // when its clock last did so
        Time disputes = -std::chrono::hours(1);  // the master's time, beyond any accident

        // Its clock can be relied on as measured.
        bool is_known() const { return estimator.knows_rate() && !estimator.in_doubt(); }
    };

    // `raw` is the master's own clock here and in all that follows.
    Master(Id me, Time raw, const Keeper& keeper, MasterSettings settings = {});

    // A probe was answered.
    void learn(Id from, const Exchange& exchange, const Report& report);
    void strike_off(Id id);
    // Once a second or so: decides the rate at which the network's time goes on.
    void decide(Time raw, const Keeper& keeper);

    // Clocks that are measured otherwise say that it is later by so much: everybody slews, and
    // nobody is asked.
    void move(Time raw, Duration by);
    // An operator says so, or a majority that came later: everybody steps.
    void change_date(Time raw, Duration by);

    // Another master says that it has so many clocks behind it. Must this one quit, if it is told
    // of the other, and if it is told to quit?
    bool gives_way_to(Id rival, std::uint32_t clocks, Time raw) {
        return clocks > clocks_ && !disbelieves(rival, clocks, raw);
    }
    bool quits_for(Id rival, std::uint32_t clocks, Time raw) {
        return clocks >= clocks_ && !disbelieves(rival, clocks, raw);
    }

    std::optional<Correction> correction_for(Id id, Time raw) const;
    Correction own_correction(Time raw) const;
    // Its clock is not as it was measured: what it was told last is likely to be wrong.
    bool doubts(Id id) const;
    // An answer that is not learned yet, because its last stamp is to come, is not as expected.
    // Then another probe at once tells a clock that went wrong from an accident.
    bool is_surprised_by(Id from, const Exchange& exchange) const;
    // It is to be probed quickly: too little is known of its clock, or that is in doubt.
    bool hurries(Id id) const;
    bool founded() const { return founded_; }
    // Its own clock cannot be trusted any more.
    bool must_resign() const { return resigns_; }

    const Line& network() const { return network_; }  // minus the master's raw clock
    Term term() const { return term_; }
    std::uint32_t clocks() const { return clocks_; }
    // When another clock that follows this time was last heard, on the master's raw clock; never:
    // none was.
    Time backed() const;
    std::uint32_t date_changes() const { return date_changes_; }
    bool established() const { return established_; }
    std::span<const Member> members() const { return members_; }
    const Member* find(Id id) const;

private:
    static constexpr Duration least_settling = std::chrono::seconds(5);
    static constexpr Duration lately = std::chrono::milliseconds(2500);
    static constexpr Duration slack = std::chrono::microseconds(2);
    // Oscillators that are in order are no further from each other.
    static constexpr Rate likely_rate = ppm(200);

    Member& enlist(Id id);
    void found(Time raw, const Keeper& keeper);
    bool go_on_with_members(Time raw);
    void shift(Time raw, Duration by);
    bool counts(const Member& member) const;
    Duration opinion_of(const Member& member, Time raw) const;
    void weigh_opinions(Time raw);
    bool may_be_outvoted(const Member& member, Time raw) const;
    void weigh_raw_rates(Time raw);
    Interval claim_of(const Member& member, Time raw) const;
    bool agrees(const Member& member, Time raw) const;  // its claim is the network's time
    void join_larger_side(Time raw);
    void adopt(const Member& member, Time raw, bool alone);
    void judge_offsets(Time raw);
    void vote_rate(Time raw, const Keeper& keeper);
    // A member is silent this long after its last message.
    Duration settling() const { return std::max(least_settling, 5 * settings_.round); }
    bool follows(const Member& member, Time raw) const;
    void enrol(Time raw);
    std::uint32_t count_clocks(Time raw) const;
    bool disbelieves(Id rival, std::uint32_t clocks, Time raw);
    bool suspects_itself(Time raw) const;
    void settle_dispute(Time raw);
    Rate reach(const Member& member) const;

    MasterSettings settings_;
    Time since_;  // it has been master, or followed the time of another side
    Term term_;
    Line network_{};
    bool founded_ = false, resigns_ = false, established_ = false;
    Time agreed_ = never;       // since when most members' own clocks agree with it
    Duration opinion_{};        // of the master's own clock
    bool sound_ = true;         // which may be asked
    Time disputed_ = never;     // when the only member that was heard last did so
    std::uint32_t clocks_ = 1;  // behind the network's time
    std::uint32_t roll_ = 1;    // the most clocks behind it for as long as conviction takes
    Time enrolled_{};           // when there were so many
    Time counted_from_;         // who was not heard since is not counted
    Id predecessor_ = nobody;   // whose time it went on with, and how many clocks that had
    std::uint32_t predecessor_clocks_ = 0;
    Time returned_ = never;        // when the predecessor was first heard to be master again
    std::uint32_t date_changes_;   // goes on from the last master's count
    std::vector<Member> members_;  // ordered by id
};

}  // namespace conclave::clock
