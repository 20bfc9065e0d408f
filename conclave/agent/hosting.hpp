// The body of host.hpp; included only where an algorithm meets this host.
#pragma once

#include <array>
#include <numeric>
#include <utility>

#include "conclave/agent/host.hpp"
#include "conclave/core/algorithm.hpp"
#include "conclave/election/tuning.hpp"
#include "conclave/lease/leased.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/random.hpp"

namespace conclave::agent {

template <class A>
class HostOf final : public Host, private Chance {
public:
    using Brain = lease::Leased<A>;
    using Turn = typename Brain::Turn;
    using Message = typename Turn::Message;

    HostOf(const HostSettings& settings, const Place& place, net::Loop& loop, Stage& stage)
        : stage_(stage),
          place_(place),
          witness_(settings.witness),
          retry_after_(settings.heartbeat),
          ring_(place.members),
          places_(place.members),
          ranks_(place.members),
          group_{ring_, places_, ranks_, false},
          retry_(loop, [this] { retry_store(); }),
          turn_{effects_, settings_, group_, *this, rows_} {
        std::iota(places_.begin(), places_.end(), 0u);
        for (std::uint32_t i = 0; i < place.members; ++i) {
            ring_[i] = Id{i + 1};
            ranks_[i] = plain_rank(Id{i + 1});
        }
        for (std::uint8_t timer = 0; timer < Turn::Timers::count; ++timer)
            alarms_[timer] = std::make_unique<net::Alarm>(loop, [this, timer] { expire(timer); });
        apply(settings);
    }

    void start() override { tell(Start{}); }
    bool recover(Input bytes) override {
        const auto stored = decode_all<typename Turn::Stored>(bytes);
        if (!stored) return false;
        take_turn(nobody,
                  [&](Brain& brain, Turn& turn) { conclave::recover(brain, *stored, turn); });
        return true;
    }
    void call() override { tell(Call{}); }
    void suspect(Id id) override { tell(Suspect{id}); }
    void trust(Id id) override { tell(Trust{id}); }
    void gone() override { tell(lease::Gone{}); }
    void anew() override { tell(lease::Anew{}); }
    void resign(Id heir) override { tell(lease::Resign{heir}); }
    void vouch() override { tell(lease::Vouch{}); }
    void forbid(bool standing) override {
        const bool before = std::exchange(settings_.barred, standing);
        if (before && !standing && !brain_.candidacy.ballot.stands())
            tell(typename Brain::Renew{});  // it thinks again whether it should stand
    }
    void excuse(bool from_elections) override {
        const bool apart = witness_ || from_elections;
        const bool before = std::exchange(settings_.witness, apart);
        if (before && !apart) tell(lease::Rejoin{});
    }
    void set_rank(Id id, Rank rank) override { ranks_[static_cast<std::uint32_t>(id) - 1] = rank; }

    Heard receive(Id from, Input bytes) override {
        const auto message = decode_all<Message>(bytes);
        if (!message) return {};
        const auto* ask = std::get_if<lease::Ask>(&*message);
        if (ask != nullptr && ask->held) held_ = ask->ballot;
        take_turn(from,
                  [&](Brain& brain, Turn& turn) { conclave::receive(brain, *message, turn); });
        Heard heard{.understood = true};
        if (const auto* release = std::get_if<lease::Release>(&*message)) {
            heard.release = true;
            heard.heir = release->heir;
        }
        if (ask != nullptr && ask->held) heard.held = ask->ballot;
        return heard;
    }

    Bytes farewell(Id heir) const override {
        Bytes bytes;
        encode(Message{lease::Release{brain_.candidacy.ballot, heir}}, bytes);
        return bytes;
    }

    void disown(Id to) override {
        const lease::Ballot& last = brain_.disk.used;
        if (brain_.acting || brain_.candidacy.ballot.stands() || brain_.former || !last.stands())
            return;
        bytes_.clear();
        encode(Message{lease::Release{last, nobody}}, bytes_);
        stage_.send(to, bytes_);
    }

    LeaseView view() const override {
        const auto finding = brain_.lost.finding(place_.members - 1);
        return {brain_.candidacy.ballot,
                brain_.acting,
                brain_.leaving,
                brain_.ends,
                brain_.voter.highest,
                brain_.voter.until,
                held_,
                brain_.voter.blank,
                brain_.voter.blank && finding == lease::Register::Finding::undecidable,
                brain_.elected,
                brain_.label()};
    }

    std::vector<Id> promises() const override {
        std::vector<Id> bound;
        const Time now = net::boot_time();
        if (brain_.candidacy.ballot.stands())
            for (const lease::Answered& answer : brain_.candidacy.answers)
                if (answer.sent + settings_.promise > now) bound.push_back(answer.member);
        return bound;
    }

private:
    void apply(const HostSettings& given) {
        tune(settings_.inner, given.answer);
        settings_.promise = given.promise;
        settings_.lease = given.lease;
        settings_.heartbeat = given.heartbeat;
        settings_.repeat = given.repeat;
        settings_.enough = given.enough;
        settings_.witness = given.witness;
        settings_.preempt = given.preempt;
        settings_.quorum = given.quorum;
        settings_.roster = given.roster;
    }

    template <class Event>
    void tell(const Event& event) {
        if constexpr (Handles<Brain, Event>)
            take_turn(nobody, [&](Brain& brain, Turn& turn) { brain.on(event, turn); });
    }

    // Where nothing else wants to be stored before.
    void retry_store() {
        take_turn(nobody, [](Brain& brain, Turn& turn) { brain.catch_up(turn); });
    }

    void expire(std::uint8_t timer) {
        take_turn(nobody, [&](Brain& brain, Turn& turn) { conclave::expire(brain, timer, turn); });
    }

    // The clock is read after the event came, so that a promise lasts at least as long as it says.
    template <class Do>
    void take_turn(Id from, const Do& handle) {
        turn_.me = place_.me;
        turn_.next = group_.after(place_.me);
        turn_.from = from;
        turn_.now = net::boot_time();
        turn_.incarnation = place_.incarnation;
        settings_.round_floor = round_floor();
        effects_.clear();
        handle(brain_, turn_);
        const bool stored = effects_.stored.has_value();
        const bool kept = !stored || keep(*effects_.stored);
        if (!kept) effects_.sends.resize(effects_.unbound);
        perform_effects();
        if (!stored) return;
        if (!kept) retry_.set(net::boot_time() + retry_after_);
        kept ? tell(lease::Kept{}) : tell(lease::Unkept{});
    }

    bool keep(const typename Turn::Stored& stored) {
        bytes_.clear();
        encode(stored, bytes_);
        return stage_.store(bytes_, stored.highest, stored.used);
    }

    void perform_effects() {
        if (effects_.leader) stage_.follow(*effects_.leader);
        for (const TimerChange& change : effects_.timers)
            change.set ? alarms_[change.timer]->set(turn_.now + change.after)
                       : alarms_[change.timer]->stop();
        for (const Send<Message>& send : effects_.sends) {
            bytes_.clear();
            encode(send.message, bytes_);
            stage_.send(send.to, bytes_);
        }
        for (const std::string_view report : effects_.reports) stage_.report(report);
        stage_.turned();
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
    bool witness_;
    Duration retry_after_;
    std::vector<Id> ring_;
    std::vector<std::uint32_t> places_;
    std::vector<Rank> ranks_;
    Group group_;
    std::array<std::unique_ptr<net::Alarm>, Turn::Timers::count> alarms_;
    net::Alarm retry_;  // to store what could not be stored

    Brain brain_;
    typename Turn::Settings settings_{};
    typename Turn::Effects effects_;
    Rows rows_;
    Turn turn_;
    Bytes bytes_;
    lease::Ballot held_{};  // by another, as it said last
};

}  // namespace conclave::agent
