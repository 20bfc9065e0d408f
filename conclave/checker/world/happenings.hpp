// The events of a world, and what comes of them: starts, messages, timers, faults and the
// passing of time.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/checker/world/draft.hpp"
#include "conclave/checker/world/fault_budget.hpp"
#include "conclave/checker/world/numbering.hpp"
#include "conclave/checker/world/staleness.hpp"

namespace conclave::checker {

template <class A>
class Happenings {
protected:
    explicit Happenings(Shared<A>& shared)
        : shared_(shared),
          query_(shared.query),
          nodes_(shared.ring.size()),
          links_(shared.mails, shared.fifo),
          stale_(shared),
          turns_(shared.query, shared.group, shared.contrary, shared.graph, shared.settings,
                 shared.parts),
          draft_(shared, width()) {
        for (const Id id : shared.ring)
            late_.push_back(std::count(query_.late.begin(), query_.late.end(), id) != 0);
    }

    std::size_t width() const {
        return nodes_ + shared_.links.size() + 1 + has_token + (query_.ticks_max != 0);
    }

    static std::uint8_t place(std::size_t at) { return static_cast<std::uint8_t>(at); }
    std::uint32_t fastest(std::size_t link) const { return shared_.delays[link].first; }
    std::uint32_t slowest(std::size_t link) const { return shared_.delays[link].second; }

    static constexpr bool has_token = requires(const A& a) { a.token(); };

    std::size_t budget() const { return nodes_ + shared_.links.size(); }
    std::uint32_t now() const { return query_.ticks_max != 0 ? from_[width() - 1] : 0; }
    std::uint32_t left(FaultKind kind) const {
        return now() < query_.faults_from ? 0 : left_in(from_[budget()], kind);
    }
    void pay(FaultKind kind) { draft_.put(budget(), spent_from(from_[budget()], kind)); }

    bool may_be_called(std::size_t at) const {
        const auto& list = query_.callers;
        return list.empty() || std::find(list.begin(), list.end(), shared_.ring[at]) != list.end();
    }
    bool calls(std::size_t at) const {
        const auto& list = query_.initiators;
        return std::find(list.begin(), list.end(), shared_.ring[at]) != list.end();
    }
    // Whom a caller is told to be down: without a detector, that is why it calls.
    std::uint32_t absence() const {
        std::uint64_t down = 0;
        if constexpr (Handles<A, Suspect>)
            for (std::size_t of = 0; !query_.detector && of < nodes_; ++of)
                if (node_at(of).life == Life::down) down |= std::uint64_t{1} << of;
        return down == 0 ? 0 : shared_.parts.absences.intern(down);
    }
    bool may_start_late() const {
        return now() >= query_.late_from && (query_.late_until == 0 || now() < query_.late_until);
    }
    // Somebody must start before time goes on.
    bool start_is_due() const {
        if (!query_.late_all || now() + 1 != query_.late_until) return false;
        for (std::size_t at = 0; at < nodes_; ++at)
            if (late_[at] && node_at(at).life == Life::unborn) return true;
        return false;
    }
    const Local<A>& node_at(std::size_t at) const { return shared_.parts.locals[from_[at]]; }

    void finish(const Step& step, std::string_view broken = {}) {
        forget_stale([](std::size_t, std::uint32_t) {});
        draft_.finish(step, broken);
    }
    // Tells what was on each link that changes by it.
    template <class Tell>
    void forget_stale([[maybe_unused]] const Tell& tell) {
        if constexpr (Staleness<A>::known) {
            if (!query_.reduce || !Staleness<A>::reliable(query_.rules_off)) return;
            const bool for_good = is_calm(draft_[budget()]), before = is_calm(from_[budget()]);
            for (std::size_t link = 0; link < shared_.links.size(); ++link) {
                const auto [from, to] = shared_.links[link];
                const std::uint32_t mail = draft_[nodes_ + link];
                const bool same = mail == from_[nodes_ + link] && draft_[to] == from_[to];
                if (mail == 0 || (same && for_good == before)) continue;
                tell(nodes_ + link, mail);
                draft_.put(nodes_ + link, stale_.forget(mail, from, draft_[to], for_good));
            }
        }
    }
    void deliver_sends(std::size_t at, const Way& way) {
        for (const Outgoing& send : way.sends) {
            const std::uint8_t link = shared_.link_of[at][send.to];
            check(link != 0xff, "a message travels along a link of the network");
            draft_.put(nodes_ + link, links_.push(draft_[nodes_ + link], send.message));
        }
    }

    // All ways in which `event` can go at node `at`; `prepare` changes the world before that.
    template <class Prepare>
    void happen(std::size_t at, const Event& event, Step step, const Prepare& prepare) {
        const std::vector<Way>& ways = turns_.take(at, from_[at], event);
        step.what = static_cast<std::uint8_t>(event.what);
        step.node = place(at);
        step.from = event.from;
        step.which = event.which;
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const Way& way = ways[i];
            draft_.begin();
            prepare();
            draft_.put(at, way.local);
            deliver_sends(at, way);
            const std::string_view broken = way.token == 0 ? way.broken : spend_token(way);
            rows_ |= way.rows;
            step.way = static_cast<std::uint16_t>(i);
            step.visible = way.visible;
            finish(step, broken);
        }
    }
    // Tokens at the start of work only grow: a slot remembers the greatest.
    std::string_view spend_token(const Way& way) {
        if constexpr (has_token) {
            check(way.token < 0xffffffff, "tokens of less than 32 bits");
            const auto token = static_cast<std::uint32_t>(way.token);
            if (token <= draft_[budget() + 1]) return "a token that is not greater than all before";
            draft_.put(budget() + 1, token);
        }
        return way.broken;
    }
    void happen(std::size_t at, const Event& event) {
        happen(at, event, {}, [] {});
    }
    void inject(std::size_t at, const Event& event, FaultKind kind) {
        happen(at, event, {.fault = true}, [&] { pay(kind); });
    }

    void expand_node(std::size_t at) {
        const Local<A>& node = node_at(at);
        if (node.life == Life::unborn && late_[at] && !may_start_late()) return;
        if (node.life == Life::unborn)
            return happen(at, {What::start, 0, calls(at) ? 1 + absence() : 0},
                          {.fault = late_[at] && !query_.late_all}, [] {});
        if (node.life == Life::down) {
            if (left(FaultKind::recover) != 0) inject(at, {What::recover}, FaultKind::recover);
            if (left(FaultKind::blank) != 0) inject(at, {What::blank}, FaultKind::blank);
            return;
        }
        for (std::uint32_t t = 0; t < node.timers.size(); ++t) {
            const std::uint16_t ticks = node.timers.data()[t];
            if (ticks == 1)
                happen(at, {What::timer, 0, t});  // due, or set where time has no meaning
        }
        const bool minds = node.news != 0 || node.doubted != 0 || left(FaultKind::mistake) != 0;
        for (std::size_t of = 0; minds && of < nodes_; ++of) {
            const std::uint64_t bit = std::uint64_t{1} << of;
            const std::uint8_t whom = place(of + 1);
            if ((node.news & bit) != 0) happen(at, {What::suspect, whom});
            if (of != at && left(FaultKind::mistake) != 0 && (node.doubted & bit) == 0)
                inject(at, {What::suspect, whom}, FaultKind::mistake);
            if ((node.doubted & bit) != 0 && node_at(of).life == Life::up)
                happen(at, {What::trust, whom});
        }
        if (left(FaultKind::call) != 0 && may_be_called(at))
            inject(at, {What::call, 0, absence()}, FaultKind::call);
        if constexpr (requires { typename A::Faults; })
            for (std::uint32_t fault = 0; fault < A::Faults::count; ++fault) suffer(at, fault);
        if (left(FaultKind::crash) != 0) crash(at);
    }

    // A fault that changes nothing is none, and relief costs nothing: it follows what was paid
    // for.
    void suffer(std::size_t at, std::uint32_t fault) {
        const Event event{What::fault, 0, fault};
        // Where faults are kept to some ticks, so is relief: what comes of both can be awaited.
        const bool over = query_.faults_until != 0 && now() >= query_.faults_until;
        const bool relief = !over && Turns<A>::relieves(fault);
        if ((query_.faults_off >> fault & 1) != 0 || (!relief && left(FaultKind::fault) == 0))
            return;
        if (turns_.take(at, from_[at], event).front().local == from_[at]) return;
        if (relief) return happen(at, event, {.fault = true}, [] {});
        inject(at, event, FaultKind::fault);
    }

    // The others learn of it at some later time, if there is a detector.
    void crash(std::size_t at) {
        happen(at, {What::crash}, {.fault = true}, [&] {
            pay(FaultKind::crash);
            if (!query_.detector) return;
            for (std::size_t other = 0; other < nodes_; ++other) {
                Local<A> node = shared_.parts.locals[draft_[other]];
                if (other == at || node.life != Life::up) continue;
                node.news |= std::uint64_t{1} << at;
                draft_.put(other, shared_.parts.locals.intern(node));
            }
        });
    }

    void expand_link(std::size_t link) {
        const std::uint32_t mail = from_[nodes_ + link];
        const auto [from, to] = shared_.links[link];
        const Life life = node_at(to).life;
        if (life == Life::unborn && !late_[to]) return;  // it waits until the node has started
        const auto& parcels = links_.at(mail).parcels;
        const bool bounded = query_.timing == Timing::bounded;
        const std::size_t reachable = shared_.fifo ? 1 : parcels.size();
        for (std::size_t i = 0; i < reachable; ++i) {
            if (is_repeated(parcels, i)) continue;                    // the same again
            if (bounded && parcels[i].age < fastest(link)) continue;  // it cannot be here yet
            const auto index = static_cast<std::uint16_t>(i);
            const Event event{What::message, static_cast<std::uint8_t>(from + 1),
                              parcels[i].message};
            const auto take_off = [&] { draft_.put(nodes_ + link, links_.remove(mail, index)); };
            if (life != Life::up) {
                draft_.begin();
                take_off();
                finish(in_vain(Step::Kind::discard, to, event.from, event.which, index));
                continue;
            }
            happen(to, event, {.index = index}, take_off);
            if (left(FaultKind::duplicate) != 0)
                happen(to, event, {.kind = Step::Kind::duplicate, .index = index, .fault = true},
                       [&] { pay(FaultKind::duplicate); });
        }
        if (left(FaultKind::loss) != 0) lose(link, mail, from, to);
    }

    static Step in_vain(Step::Kind kind, std::uint8_t to, std::uint8_t from, std::uint32_t which,
                        std::uint16_t index) {
        return {kind, 0, to, from, which, index, 0, kind == Step::Kind::lose};
    }
    void lose(std::size_t link, std::uint32_t mail, std::uint8_t from, std::uint8_t to) {
        const auto& parcels = links_.at(mail).parcels;
        for (std::size_t i = 0; i < parcels.size(); ++i) {
            if (is_repeated(parcels, i)) continue;
            const auto index = static_cast<std::uint16_t>(i);
            draft_.begin();
            pay(FaultKind::loss);
            draft_.put(nodes_ + link, links_.remove(mail, index));
            const auto sender = static_cast<std::uint8_t>(from + 1);
            finish(in_vain(Step::Kind::lose, to, sender, parcels[i].message, index));
        }
    }

    // Time passes when nothing is due: every clock advances by 1 .. rate_max units, every message
    // ages.
    void tick() {
        const std::size_t clock = width() - 1;  // a slot of its own, if time ends
        const bool counted = query_.ticks_max != 0 && from_[clock] == query_.ticks_max;
        if (counted && !query_.endless) {
            out_->quiet = false;  // what would have happened is not known
            return;
        }
        if (start_is_due()) return;
        for (std::size_t link = 0; link < shared_.links.size(); ++link)
            for (const Parcel& parcel : links_.at(from_[nodes_ + link]).parcels)
                if (parcel.age >= slowest(link)) return;
        draft_.begin();
        if (query_.ticks_max != 0 && !counted) draft_.put(clock, from_[clock] + 1);
        if (query_.faults_until != 0 && now() + 1 >= query_.faults_until) draft_.put(budget(), 0);
        if (query_.delay_max != Query::unlimited)
            for (std::size_t link = 0; link < shared_.links.size(); ++link)
                draft_.put(nodes_ + link, links_.tick(from_[nodes_ + link]));
        tick_node(0, false);
        draft_.start_over();
    }
    // Other clocks may go otherwise, and then it hears what is forgotten here.
    void finish_tick() {
        std::vector<std::pair<std::size_t, std::uint32_t>> forgotten;
        const auto note = [&](std::size_t slot, std::uint32_t part) {
            forgotten.emplace_back(slot, part);
        };
        forget_stale(note);
        if (query_.endless) count_anew(note);
        const bool last =
            query_.ticks_max != 0 && !query_.endless && draft_[width() - 1] == query_.ticks_max;
        draft_.finish_so_far({.kind = Step::Kind::tick, .visible = last});
        for (const auto& [slot, part] : forgotten) draft_.put(slot, part);
    }
    // Numbers that only grow are counted from one again, so that worlds that differ in nothing else
    // are the same.
    template <class Tell>
    void count_anew([[maybe_unused]] const Tell& tell) {
        if constexpr (Numbering<A>::known) {
            Numbering<A> numbering;
            const auto each_part = [&](const auto& visit) {
                for (std::size_t at = 0; at < nodes_; ++at)
                    visit(at, shared_.parts.locals, [](auto& n, Local<A>& node) { n.visit(node); });
                for (std::size_t link = 0; link < shared_.links.size(); ++link)
                    visit(nodes_ + link, shared_.mails, [&](auto& n, Mail& mail) {
                        for (Parcel& parcel : mail.parcels) {
                            auto message = shared_.parts.messages[parcel.message];
                            n.visit(message);
                            if (n.closed()) parcel.message = shared_.parts.messages.intern(message);
                        }
                    });
            };
            each_part([&](std::size_t slot, auto& parts, const auto& visit) {
                auto part = parts[draft_[slot]];
                visit(numbering, part);
            });
            numbering.close();
            tell(budget() + 1, draft_[budget() + 1]);
            draft_.put(budget() + 1, numbering.token(draft_[budget() + 1]));
            each_part([&](std::size_t slot, auto& parts, const auto& visit) {
                auto part = parts[draft_[slot]];
                visit(numbering, part);
                tell(slot, draft_[slot]);
                draft_.put(slot, parts.intern(part));
            });
        }
    }
    void tick_node(std::size_t at, bool passed) {
        if (at == nodes_) {
            if (passed || draft_.differs(budget())) finish_tick();
            return;
        }
        const std::uint32_t before = from_[at];
        std::uint32_t last = Memo::unknown;
        for (std::uint32_t units = 1; units <= query_.rate_max; ++units) {
            const std::uint32_t after = turns_.tick(before, units);
            if (after == Turns<A>::stuck) return;
            if (after == last) continue;  // this clock times nothing
            last = after;
            draft_.put(at, after);
            tick_node(at + 1, passed || after != before);
            draft_.put(at, before);
        }
    }

    Shared<A>& shared_;
    const Query& query_;
    std::size_t nodes_;
    Links links_;
    Staleness<A> stale_;
    Turns<A> turns_;
    Draft<A> draft_;
    std::vector<bool> late_;  // by position
    std::uint64_t rows_ = 0;
    const std::uint32_t* from_ = nullptr;
    Successors* out_ = nullptr;
};

}  // namespace conclave::checker
