// The body of host.hpp; included only where an algorithm meets this host.
#pragma once

#include <array>
#include <numeric>
#include <utility>

#include "conclave/agent/group/named_roster.hpp"
#include "conclave/agent/host.hpp"
#include "conclave/core/withheld.hpp"
#include "conclave/member/viewing.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/random.hpp"

namespace conclave::agent {

template <class A>
class HostOf final : public Host, private Chance {
public:
    using Brain = member::Member<A>;
    using Turn = typename Brain::Turn;
    using LeaseMessages = typename Brain::Lease::Turn::Messages;

    HostOf(const HostSettings& settings, const Place& place, net::Loop& loop, Stage& stage)
        : stage_(stage),
          place_(place),
          ring_(place.members),
          places_(place.members),
          ranks_(place.members),
          group_{ring_, places_, ranks_, false},
          turn_{effects_, settings_, group_, *this, rows_},
          slow_(loop, [this] { give_up_store(); }) {
        std::iota(places_.begin(), places_.end(), 0u);
        for (std::uint32_t i = 0; i < place.members; ++i) {
            ring_[i] = Id{i + 1};
            ranks_[i] = plain_rank(Id{i + 1});
        }
        if (!settings.observer)
            ranks_[static_cast<std::uint32_t>(place.me) - 1] =
                make_rank(true, false, settings.priority, place.me);
        for (std::uint8_t timer = 0; timer < Turn::Timers::count; ++timer)
            alarms_[timer] = std::make_unique<net::Alarm>(loop, [this, timer] { expire(timer); });
        apply(settings);
        brain_.on(member::Told{settings.roster}, turn_);
    }

    void start() override { tell(Start{}); }
    bool recover(Input bytes, bool changed) override {
        const std::uint8_t format = changed ? changed_format : formed_format;
        typename Turn::Stored stored{};
        if (!wire::decode_fields(stored, {format, bytes})) return false;
        Bytes again;
        wire::encode_fields(stored, format, again);
        if (again.size() != bytes.size()) return false;
        tell(Recover<typename Turn::Stored>{stored});
        return true;
    }
    void stored(std::uint64_t number, bool kept) override {
        const bool last = withheld_.is_last(number);
        if (last) slow_.stop();
        if (!kept) {
            withheld_.drop(number);
            return tell(lease::Unkept{});
        }
        for (const auto& send : withheld_.release(number)) perform(send);
        if (last) tell(lease::Kept{});
    }
    void set_condition(const member::Condition& condition) override { tell(condition); }
    void gone() override { tell(lease::Gone{}); }
    void ended() override { tell(member::Ended{}); }
    void anew() override { tell(lease::Anew{}); }
    void resign(Id successor) override { tell(lease::Resign{successor}); }
    void depart() override { tell(member::Depart{}); }
    void vouch() override { tell(lease::Vouch{}); }
    void change(const member::Wish& wish) override { tell(wish); }
    void set_times(const HostSettings& settings) override { apply_times(settings); }
    void force(const std::vector<Id>& kept) override { tell(lease::Force{kept}); }
    void learn(const lease::Roster& roster) override { tell(member::Told{roster}); }

    std::optional<wire::Drop> receive(Id from, wire::Body body) override {
        // A program that knows no rosters cannot mean the present one.
        if (body.version < wire::rosters_from && roster().changed()) return wire::Drop::version;
        std::optional<wire::Drop> unsound;
        const auto hear = [&](auto said) {
            if (complete(said, body.version))
                tell(said, from);
            else
                unsound = wire::Drop::malformed;
        };
        const auto drop = wire::read_body(LeaseMessages{}, body, hear);
        return drop ? drop : unsound;
    }
    std::optional<wire::Drop> hear_death(Id from, wire::Body body) override {
        return wire::read_body(Types<lease::Release>{}, body,
                               [&](const lease::Release& said) { tell(member::Died{said}, from); });
    }
    void hear_present(Id from, const member::Present& present) override { tell(present, from); }
    void hear_leaving(Id from) override { tell(member::Leaving{}, from); }

    Bytes death_notice(Id successor) const override {
        Bytes bytes;
        const lease::Release release{brain_.lease.candidacy.ballot, successor};
        wire::encode_body(release, stage_.version(), bytes);
        return bytes;
    }
    member::View view() const override {
        return member::view_of(brain_, place_.me, place_.members);
    }
    const lease::Roster& roster() const override { return brain_.lease.disk.roster; }
    member::Outlook outlook(const member::Wish& wish) const override {
        return member::outlook_of(brain_, wish, place_.me, net::boot_time());
    }
    bool roster_done() const override { return member::is_roster_done(brain_); }
    member::Sight sight(Id id) const override { return member::sight_of(brain_, id); }
    std::vector<Id> promises() const override {
        return member::promises_to(brain_, settings_.lease.promise, net::boot_time());
    }

private:
    void apply_times(const HostSettings& given) {
        tune(settings_.lease.inner, given.answer);
        settings_.lease.promise = given.promise;
        settings_.lease.lease = given.lease;
        settings_.lease.heartbeat = given.heartbeat;
        settings_.lease.repeat = given.repeat;
        settings_.lease.enough = given.enough;
        settings_.answer = given.answer;
        settings_.close = given.close;
    }
    void apply(const HostSettings& given) {
        apply_times(given);
        settings_.lease.witness = given.witness;
        settings_.lease.preempt = given.preempt;
        settings_.lease.quorum = given.quorum;
        settings_.lease.seal = given.seal;
        settings_.rho_ppm = given.rho_ppm;
        settings_.observer = given.observer;
        settings_.lease.first.founders = static_cast<std::uint32_t>(given.roster.members.size());
        settings_.lease.first.joins = settings_.lease.formed = given.joins;
    }

    // A roster travels once it has changed; without one, a message means the group as it was
    // formed. Before version 4 that is so of every message. False: nobody says this.
    template <class Message>
    bool complete(Message& said, std::uint8_t version) const {
        if constexpr (requires { said.roster; }) {
            if (!makes_sense(said.roster)) return false;
            if constexpr (std::same_as<Message, lease::Ask>)
                if (!said.roster.known()) {
                    said.roster = roster();
                    said.roster.stamp = {};
                }
        }
        if constexpr (std::same_as<Message, lease::Promise>)
            if (version < wire::rosters_from && roster().known()) said.key = lease::founding_key;
        return true;
    }
    template <class Message>
    static Message without_formed(Message said) {
        if constexpr (requires { said.roster; })
            if (!said.roster.changed()) said.roster = {};
        return said;
    }

    template <class Event>
    void tell(const Event& event, Id from = nobody) {
        take_turn(from, [&](Brain& brain, Turn& turn) { brain.on(event, turn); });
    }
    void expire(std::uint8_t timer) {
        take_turn(nobody, [&](Brain& brain, Turn& turn) { conclave::expire(brain, timer, turn); });
    }

    // The clock is read after the event came, so that a promise lasts at least as long as it says.
    template <class Do>
    void take_turn(Id from, const Do& handle) {
        turn_.me = place_.me;
        turn_.next = settings_.observer ? nobody : group_.after(place_.me);
        turn_.from = from;
        turn_.now = net::boot_time();
        turn_.incarnation = place_.incarnation;
        settings_.lease.round_floor = round_floor();
        effects_.clear();
        handle(brain_, turn_);
        if (effects_.stored) keep(*effects_.stored);
        perform_effects();
    }

    void keep(const typename Turn::Stored& stored) {
        // As early programs can read it, while the group is as it was formed.
        const bool changed =
            stored.roster.changed() || (stored.roster.known() && stored.key != lease::founding_key);
        bytes_.clear();
        wire::encode_fields(stored, changed ? changed_format : formed_format, bytes_);
        withheld_.hold(effects_, stage_.store({bytes_, stored.highest, stored.used,
                                               changed ? stored.roster : lease::Roster{}}));
        if (!slow_.is_set()) slow_.set(turn_.now + settings_.lease.heartbeat);
    }
    // Whoever waits for this member's disk waits for somebody else's instead.
    void give_up_store() {
        withheld_.drop(withheld_.asked);
        stage_.report(
            "its disk takes longer than a heartbeat to store what this node promised: it "
            "neither votes nor stands before that is done");
        tell(lease::Unkept{});
    }

    void perform_effects() {
        for (const TimerChange& change : effects_.timers)
            change.set ? alarms_[change.timer]->set(turn_.now + change.after)
                       : alarms_[change.timer]->stop();
        for (const auto& send : effects_.sends) perform(send);
        for (const std::string_view report : effects_.reports) stage_.report(report);
        const member::News news = std::exchange(brain_.news, {});
        stage_.turned(news);
    }

    void perform(const Send<typename Turn::Message>& send) {
        std::visit([&](const auto& message) { say(send.to, message); }, send.message);
    }
    template <class Message>
    void say(Id to, const Message& message) {
        if constexpr (std::same_as<Message, member::Present>) {
            stage_.show(to);
        } else if constexpr (LeaseMessages::template contains<Message>) {
            bytes_.clear();
            if (roster().changed()) stage_.require(wire::rosters_from);
            wire::encode_body(without_formed(message), stage_.version(), bytes_);
            stage_.send(to, bytes_);
        }
    }

    // R11: Unix milliseconds, when the clock is plausible.
    static std::uint64_t round_floor() {
        const auto ms = net::unix_time() / std::chrono::milliseconds(1);
        constexpr std::int64_t year_2020 = 1'577'836'800'000, year_2200 = 7'258'118'400'000;
        return ms > year_2020 && ms < year_2200 ? static_cast<std::uint64_t>(ms) : 0;
    }

    std::uint64_t choose(std::uint64_t n) override { return net::random_number() % n; }

    Stage& stage_;
    Place place_;
    std::vector<Id> ring_;
    std::vector<std::uint32_t> places_;
    std::vector<Rank> ranks_;
    Group group_;
    std::array<std::unique_ptr<net::Alarm>, Turn::Timers::count> alarms_;

    Brain brain_;
    typename Turn::Settings settings_{};
    typename Turn::Effects effects_;
    Rows rows_;
    Turn turn_;
    static constexpr std::uint8_t formed_format = 1,
                                  changed_format = 2;  // lease/lease_settings.hpp
    Bytes bytes_;
    Withheld<typename Turn::Message> withheld_;
    net::Alarm slow_;  // a store that has begun is not done for too long
};

template <class A>
std::unique_ptr<Host> host_of(const HostSettings& settings, const Place& place, net::Loop& loop,
                              Stage& stage) {
    return std::make_unique<HostOf<A>>(settings, place, loop, stage);
}

}  // namespace conclave::agent
