// A system of nodes that run one algorithm, as a space to search.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/checker/deaf.hpp"
#include "conclave/checker/purse.hpp"
#include "conclave/checker/shared.hpp"
#include "conclave/checker/space.hpp"

namespace conclave::checker {

template <class A>
class Model final : public Space {
public:
    explicit Model(Shared<A>& shared)
        : shared_(shared),
          query_(shared.query),
          nodes_(shared.ring.size()),
          links_(shared.mails, shared.fifo),
          deaf_(shared),
          turns_(shared.query, shared.group, shared.settings, shared.parts),
          work_(width()) {}

    std::size_t width() const override {
        return nodes_ + shared_.links.size() + 1 + has_token + (query_.ticks_max != 0);
    }
    std::uint64_t rows_fired() const override { return rows_; }

    void first(Successors& out) override {
        out.clear();
        std::vector<std::uint32_t> world(width(), 0);
        for (std::size_t i = 0; i < nodes_; ++i) world[i] = shared_.parts.locals.intern(Local<A>{});
        world[purse()] = pack(query_.budget);
        std::vector<std::vector<std::uint32_t>> worlds{world};
        if (!query_.start_steps)  // every outcome of every start, in the order of the ring
            for (std::uint8_t at = 0; at < nodes_; ++at)
                if (!is_late(at)) worlds = started(worlds, at);
        for (const auto& each : worlds) {
            out.words.insert(out.words.end(), each.begin(), each.end());
            out.prints.push_back(print_of(each.data()));
            out.steps.emplace_back();
            out.broken.emplace_back();
        }
    }

    void expand(const std::uint32_t* world, std::uint64_t print, bool reduce,
                Successors& out) override {
        out.clear();
        from_ = world;
        print_ = print;
        out_ = &out;
        if (reduce && expand_one(world)) return;
        out.clear();
        for (std::uint8_t at = 0; at < nodes_; ++at) expand_node(at);
        for (std::uint8_t link = 0; link < shared_.links.size(); ++link) expand_link(link);
        if (query_.timing == Timing::bounded) tick();
    }

    bool two_leaders(const std::uint32_t* world) const override {
        int leaders = 0;
        for (std::size_t at = 0; at < nodes_; ++at) leaders += leads(world, at);
        return leaders > 1;
    }

    View view(const std::uint32_t* world) const override {
        View view;
        for (std::size_t at = 0; at < nodes_; ++at) {
            const Local<A>& node = shared_.parts.locals[world[at]];
            if (node.life == Life::down || (node.life == Life::unborn && is_late(at))) continue;
            view.alive.push_back(shared_.ring[at]);
            view.followed.push_back(node.leader);
        }
        return view;
    }

    const Shared<A>& shared() const { return shared_; }
    const Way& way(const std::uint32_t* world, const Step& step) {
        return turns_.take(step.node, world[step.node],
                           {static_cast<What>(step.what), step.from, step.which})[step.way];
    }

    // Offers every way in which a node in this state can take the step, until one is accepted.
    template <class Accept>
    void each_way(const Local<A>& node, const Step& step, const Accept& accept) {
        const std::uint32_t local = shared_.parts.locals.intern(node);
        const Event event{static_cast<What>(step.what), step.from, step.which};
        for (const Way& each : turns_.take(step.node, local, event))
            if (accept(each)) return;
    }

    std::uint64_t print_of(const std::uint32_t* world) const {
        std::uint64_t print = mix(query_.salt);
        for (std::size_t slot = 0; slot < width(); ++slot) print ^= slot_print(slot, world[slot]);
        return print;
    }

private:
    static constexpr bool has_token = requires(const A& a) { a.token(); };
    std::size_t purse() const { return nodes_ + shared_.links.size(); }
    std::uint32_t left(Token token) const { return left_in(from_[purse()], token); }
    void pay(Token token) { put(purse(), spent_from(from_[purse()], token)); }

    bool is_late(std::size_t at) const {
        return std::find(query_.late.begin(), query_.late.end(), shared_.ring[at]) !=
               query_.late.end();
    }
    bool may_be_called(std::size_t at) const {
        const auto& list = query_.callers;
        return list.empty() || std::find(list.begin(), list.end(), shared_.ring[at]) != list.end();
    }
    bool calls(std::size_t at) const {
        const auto& list = query_.initiators;
        return std::find(list.begin(), list.end(), shared_.ring[at]) != list.end();
    }
    bool leads(const std::uint32_t* world, std::size_t at) const {
        const Local<A>& node = shared_.parts.locals[world[at]];
        if constexpr (Turns<A>::knows_better) return Turns<A>::acts(node);
        return node.life == Life::up && node.leader == shared_.ring[at];
    }
    const Local<A>& node_at(std::size_t at) const { return shared_.parts.locals[from_[at]]; }

    std::uint64_t slot_print(std::size_t slot, std::uint32_t part) const {
        std::uint64_t key = part;
        if (slot < nodes_)
            key = shared_.parts.locals.key(part);
        else if (slot < purse())
            key = part == 0 ? 0 : shared_.mails.key(part);
        return mix(key + mix(slot));
    }

    // ---------------------------------------------------------------- making successors

    void begin() {
        std::copy(from_, from_ + width(), work_.begin());
        changed_ = print_;
    }
    void put(std::size_t slot, std::uint32_t part) {
        changed_ ^= slot_print(slot, work_[slot]) ^ slot_print(slot, part);
        work_[slot] = part;
    }
    void finish(const Step& step, std::string_view broken = {}) {
        if (!step.fault) out_->quiet = false;
        if (Deafness<A>::known && query_.reduce && query_.rules_off == 0) forget_deaf();
        out_->words.insert(out_->words.end(), work_.begin(), work_.end());
        out_->prints.push_back(changed_);
        out_->steps.push_back(step);
        out_->broken.push_back(broken);
    }
    void forget_deaf() {
        const bool for_good = is_calm(work_[purse()]), before = is_calm(from_[purse()]);
        for (std::size_t link = 0; link < shared_.links.size(); ++link) {
            const auto [from, to] = shared_.links[link];
            const std::uint32_t mail = work_[nodes_ + link];
            const bool same = mail == from_[nodes_ + link] && work_[to] == from_[to];
            if (mail != 0 && (!same || for_good != before))
                put(nodes_ + link, deaf_.forget(mail, from, work_[to], for_good));
        }
    }
    void deliver_sends(std::uint8_t at, const Way& way) {
        for (const Outgoing& send : way.sends) {
            const std::uint8_t link = shared_.link_of[at][send.to];
            check(link != 0xff, "a message travels along a link of the network");
            put(nodes_ + link, links_.push(work_[nodes_ + link], send.message));
        }
    }

    // All ways in which `event` can go at node `at`; `prepare` changes the world before that.
    template <class Prepare>
    void happen(std::uint8_t at, const Event& event, Step step, const Prepare& prepare) {
        const std::vector<Way>& ways = turns_.take(at, from_[at], event);
        step.what = static_cast<std::uint8_t>(event.what);
        step.node = at;
        step.from = event.from;
        step.which = event.which;
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const Way& way = ways[i];
            begin();
            prepare();
            put(at, way.local);
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
            if (token <= work_[purse() + 1]) return "a token that is not greater than all before";
            put(purse() + 1, token);
        }
        return way.broken;
    }
    void happen(std::uint8_t at, const Event& event) {
        happen(at, event, {}, [] {});
    }
    void befall(std::uint8_t at, const Event& event, Token token) {
        happen(at, event, {.fault = true}, [&] { pay(token); });
    }

    std::vector<std::vector<std::uint32_t>> started(
        const std::vector<std::vector<std::uint32_t>>& worlds, std::uint8_t at) {
        std::vector<std::vector<std::uint32_t>> result;
        Successors out;
        out_ = &out;
        for (const auto& world : worlds) {
            from_ = world.data();
            out.clear();
            happen(at, {What::start, 0, calls(at)});
            for (std::size_t i = 0; i < out.size(); ++i)
                result.emplace_back(
                    out.words.begin() + static_cast<std::ptrdiff_t>(i * width()),
                    out.words.begin() + static_cast<std::ptrdiff_t>((i + 1) * width()));
        }
        return result;
    }

    void expand_node(std::uint8_t at) {
        const Local<A>& node = node_at(at);
        if (node.life == Life::unborn)
            return happen(at, {What::start, 0, calls(at)}, {.fault = is_late(at)}, [] {});
        if (node.life == Life::down) {
            if (left(Token::recover) != 0) befall(at, {What::recover}, Token::recover);
            if (left(Token::blank) != 0) befall(at, {What::blank}, Token::blank);
            return;
        }
        for (std::uint32_t t = 0; t < node.timers.size(); ++t) {
            const std::uint16_t ticks = node.timers.data()[t];
            if (ticks == 1)
                happen(at, {What::timer, 0, t});  // due, or set where time has no meaning
        }
        for (std::uint8_t of = 0; of < nodes_; ++of) {
            const std::uint64_t bit = std::uint64_t{1} << of;
            const auto whom = static_cast<std::uint8_t>(of + 1);
            if ((node.news & bit) != 0) happen(at, {What::suspect, whom});
            if (of != at && left(Token::mistake) != 0 && (node.doubted & bit) == 0)
                befall(at, {What::suspect, whom}, Token::mistake);
            if ((node.doubted & bit) != 0 && node_at(of).life == Life::up)
                happen(at, {What::trust, whom});
        }
        if (left(Token::call) != 0 && may_be_called(at)) befall(at, {What::call}, Token::call);
        if constexpr (requires { typename A::Misfortunes; })
            for (std::uint32_t woe = 0; woe < A::Misfortunes::count; ++woe) suffer(at, woe);
        if (left(Token::crash) != 0) crash(at);
    }

    // What changes nothing is no misfortune, and relief costs nothing: it follows what was paid
    // for.
    void suffer(std::uint8_t at, std::uint32_t woe) {
        const Event event{What::woe, 0, woe};
        const bool relief = Turns<A>::relieves(woe);
        if ((query_.woes_off >> woe & 1) != 0 || (!relief && left(Token::woe) == 0)) return;
        if (turns_.take(at, from_[at], event).front().local == from_[at]) return;
        if (relief) return happen(at, event, {.fault = true}, [] {});
        befall(at, event, Token::woe);
    }

    // The others learn of it at some later time, if there is a detector.
    void crash(std::uint8_t at) {
        happen(at, {What::crash}, {.fault = true}, [&] {
            pay(Token::crash);
            if (!query_.detector) return;
            for (std::size_t other = 0; other < nodes_; ++other) {
                Local<A> node = shared_.parts.locals[work_[other]];
                if (other == at || node.life != Life::up) continue;
                node.news |= std::uint64_t{1} << at;
                put(other, shared_.parts.locals.intern(node));
            }
        });
    }

    void expand_link(std::uint8_t link) {
        const std::uint32_t mail = from_[nodes_ + link];
        if (mail == 0) return;
        const auto [from, to] = shared_.links[link];
        const Life life = node_at(to).life;
        if (life == Life::unborn && !is_late(to)) return;  // it waits until the node has started
        const auto& parcels = links_.at(mail).parcels;
        const std::size_t reachable = shared_.fifo ? 1 : parcels.size();
        for (std::size_t i = 0; i < reachable; ++i) {
            if (is_repeated(parcels, i)) continue;
            const auto index = static_cast<std::uint16_t>(i);
            const Event event{What::message, static_cast<std::uint8_t>(from + 1),
                              parcels[i].message};
            const auto take_off = [&] { put(nodes_ + link, links_.remove(mail, index)); };
            if (life != Life::up) {
                begin();
                take_off();
                finish(in_vain(Step::Kind::discard, to, event.from, event.which, index));
                continue;
            }
            happen(to, event, {.index = index}, take_off);
            if (left(Token::duplicate) != 0)
                happen(to, event, {.kind = Step::Kind::duplicate, .index = index, .fault = true},
                       [&] { pay(Token::duplicate); });
        }
        if (left(Token::loss) != 0) lose(link, mail, from, to);
    }

    static Step in_vain(Step::Kind kind, std::uint8_t to, std::uint8_t from, std::uint32_t which,
                        std::uint16_t index) {
        return {kind, 0, to, from, which, index, 0, kind == Step::Kind::lose};
    }
    void lose(std::uint8_t link, std::uint32_t mail, std::uint8_t from, std::uint8_t to) {
        const auto& parcels = links_.at(mail).parcels;
        for (std::size_t i = 0; i < parcels.size(); ++i) {
            if (is_repeated(parcels, i)) continue;
            const auto index = static_cast<std::uint16_t>(i);
            begin();
            pay(Token::loss);
            put(nodes_ + link, links_.remove(mail, index));
            const auto sender = static_cast<std::uint8_t>(from + 1);
            finish(in_vain(Step::Kind::lose, to, sender, parcels[i].message, index));
        }
    }

    // Deliveries to different nodes commute. Where a node has one way in and keeps its order, its
    // next delivery is independent of whatever the others do; if nobody's belief changes by it, it
    // suffices.
    bool expand_one(const std::uint32_t* world) {
        if (A::card.network != Network::ring || !shared_.fifo || query_.timing != Timing::async)
            return false;
        if (world[purse()] != 0) return false;
        for (std::uint8_t at = 0; at < nodes_; ++at) {
            const Local<A>& node = node_at(at);
            const auto link = static_cast<std::uint8_t>((at + nodes_ - 1) % nodes_);
            for (const std::uint16_t set : node.timers)
                if (set != 0) return false;
            if (node.news != 0 || node.doubted != 0) return false;
            out_->clear();
            if (node.life == Life::unborn && !is_late(at)) expand_node(at);
            if (node.life == Life::up) expand_link(link);
            const bool usable =
                out_->size() != 0 &&
                std::none_of(out_->steps.begin(), out_->steps.end(), [](const Step& s) {
                    return s.visible && s.what != static_cast<std::uint8_t>(What::start);
                });
            if (usable) return true;
        }
        return false;
    }

    // Time passes when nothing is due: every clock advances by 1 .. rate_max units, every message
    // ages.
    void tick() {
        const std::size_t clock = width() - 1;  // a slot of its own, if time ends
        if (query_.ticks_max != 0 && from_[clock] == query_.ticks_max) {
            out_->quiet = false;  // what would have happened is not known
            return;
        }
        for (std::size_t link = 0; link < shared_.links.size(); ++link)
            for (const Parcel& parcel : links_.at(from_[nodes_ + link]).parcels)
                if (parcel.age >= query_.delay_max) return;
        begin();
        if (query_.ticks_max != 0) put(clock, from_[clock] + 1);
        if (query_.delay_max != Query::unlimited)
            for (std::size_t link = 0; link < shared_.links.size(); ++link)
                put(nodes_ + link, links_.tick(work_[nodes_ + link]));
        tick_node(0, false);
    }
    void tick_node(std::size_t at, bool passed) {
        if (at == nodes_) {
            if (passed || !std::equal(from_, from_ + purse(), work_.begin()))
                finish({.kind = Step::Kind::tick});
            return;
        }
        const std::uint32_t before = work_[at];
        std::uint32_t last = Memo::unknown;
        for (std::uint32_t units = 1; units <= query_.rate_max; ++units) {
            const std::uint32_t after = turns_.tick(before, units);
            if (after == Turns<A>::stuck) return;
            if (after == last) continue;  // this clock times nothing
            last = after;
            put(at, after);
            tick_node(at + 1, passed || after != before);
            put(at, before);
        }
    }

    Shared<A>& shared_;
    const Query& query_;
    std::size_t nodes_;
    Links links_;
    Deafness<A> deaf_;
    Turns<A> turns_;
    std::vector<std::uint32_t> work_;
    std::uint64_t changed_ = 0, print_ = 0, rows_ = 0;
    const std::uint32_t* from_ = nullptr;
    Successors* out_ = nullptr;
};

}  // namespace conclave::checker
