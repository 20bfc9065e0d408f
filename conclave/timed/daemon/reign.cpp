#include "conclave/timed/daemon/reign.hpp"

#include <algorithm>

#include "conclave/clock/pace.hpp"

namespace conclave::timed {

namespace {

using namespace std::chrono_literals;

using clock::pace::quick, clock::pace::quick_probes, clock::pace::patience;

constexpr int bunch = 8;  // slaves that are probed in one go

Duration divide(Duration span, double by) {
    return Duration{static_cast<std::int64_t>(static_cast<double>(span.count()) / by)};
}

// The first time after `now` that lies whole periods from `phase`.
Time next_after(Time now, Time phase, Duration period) {
    return phase + ((now - phase) / period + 1) * period;
}

clock::MasterSettings settings_of(Duration round, double scale) {
    clock::MasterSettings settings;
    settings.round = round;
    settings.founding = divide(settings.founding, scale);
    return settings;
}

}  // namespace

Reign::Reign(net::Loop& loop, Id me, const Timepiece& timepiece, const clock::Keeper& keeper,
             Duration round, double scale, std::uint64_t seed, Stage& stage)
    : loop_(loop),
      timepiece_(timepiece),
      keeper_(keeper),
      round_(round),
      decide_every_(divide(clock::pace::decide, scale)),
      stage_(stage),
      chance_(seed),
      master_(me, timepiece.raw_now(), keeper, settings_of(round, scale)),
      probing_(loop, [this] { ring(); }),
      deciding_(loop, [this] { decide(); }) {
    deciding_.set_after(decide_every_);
}

void Reign::set_slaves(const std::vector<Id>& slaves) {
    for (auto at = slaves_.begin(); at != slaves_.end();) {
        if (std::binary_search(slaves.begin(), slaves.end(), at->first)) {
            ++at;
            continue;
        }
        agenda_.erase({at->second.due, at->first});
        sequences_.erase(at->second.sequence);
        master_.strike_off(at->first);
        at = slaves_.erase(at);
    }
    const Time now = loop_.time();
    for (const Id id : slaves) {
        if (slaves_.contains(id)) continue;
        Slave slave;
        slave.quick = quick_probes;
        slave.heard = now;
        slave.phase = choose_phase(now);
        slave.due = next_after(now, slave.phase, std::min(quick, round_));
        agenda_.insert({slave.due, id});
        slaves_.emplace(id, slave);
    }
    probing_.set(agenda_.empty() ? never : agenda_.begin()->first);
}

// That of the last bunch while there is room in it; in the past, so that periods count from it.
Time Reign::choose_phase(Time now) {
    const auto shares = [&](const auto& each) { return each.second.phase == newest_phase_; };
    const auto sharing = std::count_if(slaves_.begin(), slaves_.end(), shares);
    if (sharing == 0 || sharing >= bunch)
        newest_phase_ = now - Duration{static_cast<std::int64_t>(
                                  chance_() % static_cast<std::uint64_t>(round_.count()))};
    return newest_phase_;
}

void Reign::forget(Id id) {
    master_.strike_off(id);
    const auto at = slaves_.find(id);
    if (at == slaves_.end()) return;
    at->second.waiting.reset();
    at->second.quick = quick_probes;
}

void Reign::probe_now(Id id) {
    const auto at = slaves_.find(id);
    if (at == slaves_.end()) return;
    at->second.heard = loop_.time();
    stage_.go_ahead(id);
    probe(id, at->second);
}

void Reign::ring() {
    const Time now = loop_.time();
    std::vector<Id> lost;
    if (!agenda_.empty() && agenda_.begin()->first <= now) stage_.go_ahead(agenda_.begin()->second);
    while (!agenda_.empty() && agenda_.begin()->first <= now) {
        const Id id = agenda_.begin()->second;
        agenda_.erase(agenda_.begin());
        Slave& slave = slaves_.at(id);
        if (now - slave.heard > patience * round_) lost.push_back(id);
        probe(id, slave);
        const bool hurries = slave.quick != 0 || master_.hurries(id);
        const Duration wait = hurries ? std::min(quick, round_) : round_;
        if (slave.quick != 0) --slave.quick;
        // At its own phase: late once is not late for ever.
        slave.due = next_after(now + wait / 2, slave.phase, wait);
        agenda_.insert({slave.due, id});
    }
    probing_.set(agenda_.empty() ? never : agenda_.begin()->first);
    for (const Id id : lost) stage_.lose(id);
}

void Reign::probe(Id id, Slave& slave) {
    Probe probe{.number = ++slave.number};
    if (const auto correction = master_.correction_for(id, timepiece_.raw_now())) {
        probe.corrects = true;
        probe.correction = *correction;
    }
    probe.doubts = master_.doubts(id);
    sequences_.erase(slave.sequence);
    slave.under_way = true;
    slave.asked_stamped = false;
    slave.asked = timepiece_.raw_now();
    slave.sequence = stage_.send_probe(id, probe, id == deputy_);
    sequences_[slave.sequence] = id;
    if (unclaimed_.first == slave.sequence) note_sent(unclaimed_.first, unclaimed_.second);
}

void Reign::note_sent(std::uint64_t sequence, Time stamp) {
    const auto at = sequences_.find(sequence);
    unclaimed_ = {sequence, stamp};
    if (at == sequences_.end()) return;
    Slave& slave = slaves_.at(at->second);
    slave.asked = timepiece_.raw_at(stamp);
    slave.asked_stamped = true;
}

bool Reign::hear(Id id, const Answer& answer, Time returned, bool stamped) {
    const auto at = slaves_.find(id);
    if (at == slaves_.end()) return false;
    Slave& slave = at->second;
    if (!slave.under_way || answer.number != slave.number) return false;
    slave.under_way = false;
    slave.heard = loop_.time();
    // Before anything is learned: that may send the next probe.
    const Waiting fresh{answer.number,
                        {slave.asked, answer.received, answer.answered, returned},
                        answer.report,
                        slave.asked_stamped && stamped && answer.received_stamped};
    if (slave.waiting) {
        if (answer.earlier == slave.waiting->number && answer.earlier_answered != Time{0})
            slave.waiting->exchange.answered = answer.earlier_answered;
        else
            slave.waiting->stamped = false;
        learn(id, slave);
    }
    slave.waiting = fresh;
    if (master_.is_surprised_by(id, fresh.exchange)) probe_now(id);
    return true;
}

void Reign::learn(Id id, Slave& slave) {
    const Waiting& done = *slave.waiting;
    slave.stamped = done.stamped;
    const clock::Term before = master_.term();
    master_.learn(id, done.exchange, done.report);
    slave.waiting.reset();
    if (master_.must_resign()) return stage_.resign();
    if (master_.term() != before && master_.founded()) tell_everybody();
}

// The network was moved: neither the master's own clock nor a slave that waits for its turn shall
// keep the old time.
void Reign::tell_everybody() {
    stage_.lead(master_.own_correction(timepiece_.raw_now()));
    for (const auto& [id, slave] : slaves_) probe_now(id);
}

bool Reign::uses_kernel(Id slave) const {
    const auto at = slaves_.find(slave);
    return at != slaves_.end() && at->second.stamped;
}

void Reign::move(Duration by) { master_.move(timepiece_.raw_now(), by); }
void Reign::change_date(Duration by) {
    master_.change_date(timepiece_.raw_now(), by);
    if (master_.founded()) tell_everybody();
}

void Reign::decide() {
    deciding_.set_after(decide_every_);
    const clock::Term before = master_.term();
    master_.decide(timepiece_.raw_now(), keeper_);
    if (master_.must_resign()) return stage_.resign();
    if (!master_.founded()) return;
    if (master_.term() != before) return tell_everybody();
    stage_.lead(master_.own_correction(timepiece_.raw_now()));
}

}  // namespace conclave::timed
