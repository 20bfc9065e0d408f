// A system of nodes that run one algorithm, as a space to search.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/checker/story/wording.hpp"
#include "conclave/checker/world/happenings.hpp"
#include "conclave/checker/world/rotations.hpp"

namespace conclave::checker {

template <class A>
class Model final : public Space, private Happenings<A> {
    using Base = Happenings<A>;
    using Base::budget, Base::left, Base::calls, Base::node_at, Base::happen;
    using Base::expand_node, Base::expand_link, Base::tick;
    using Base::late_, Base::rows_, Base::from_, Base::out_;
    using Base::shared_, Base::query_, Base::nodes_, Base::links_, Base::turns_, Base::draft_;

public:
    explicit Model(Shared<A>& shared) : Happenings<A>(shared), rotations_(shared) {}

    std::size_t width() const override { return Happenings<A>::width(); }
    std::uint64_t rows_fired() const override { return rows_; }
    bool clock_read() const override { return shared_.parts.clock_read; }
    std::string_view outgrown() const override { return shared_.parts.outgrown(); }

    bool first(Successors& out, const GoesOn& goes_on) override {
        out.clear();
        const std::vector<std::uint32_t> zeros(width(), 0);
        std::vector<std::uint32_t> world = zeros;
        for (std::size_t i = 0; i < nodes_; ++i) world[i] = shared_.parts.locals.intern(Local<A>{});
        world[budget()] = pack(query_.budget);
        std::vector<std::vector<std::uint32_t>> worlds{world};
        if (!query_.start_steps)  // every outcome of every start, in the order of the ring
            for (std::size_t at = 0; at < nodes_; ++at)
                if (!late_[at]) worlds = started(worlds, at, goes_on);
        if (worlds.empty()) return false;
        draft_.start_from(zeros.data(), draft_.print_of(zeros.data()), out);
        for (const auto& each : worlds) {
            draft_.begin();
            for (std::size_t slot = 0; slot < width(); ++slot) draft_.put(slot, each[slot]);
            draft_.finish({});
        }
        return true;
    }

    void expand(const std::uint32_t* world, std::uint64_t print, bool reduce,
                Successors& out) override {
        from_ = world;
        out_ = &out;
        out.clear();
        draft_.start_from(world, print, out);
        if (reduce && (expand_doomed() || expand_one() || expand_due())) return;
        out.clear();
        for (std::size_t at = 0; at < nodes_; ++at)
            if (from_[budget()] != 0 || !turns_.rests(from_[at])) expand_node(at);
        for (std::size_t link = 0; link < shared_.links.size(); ++link)
            if (from_[nodes_ + link] != 0) expand_link(link);
        if (query_.timing == Timing::bounded) tick();
    }

    bool symmetric() const override { return rotations_.exist(); }
    std::uint64_t stand_in(const std::uint32_t* world, std::uint32_t* whole) override {
        return rotations_.stand_in(draft_, world, whole);
    }

    std::string world_text(const std::uint32_t* world) const override {
        return describe_world(shared_, world);
    }
    std::string step_text(const Step& step) const override { return describe_step(shared_, step); }

    bool two_leaders(const std::uint32_t* world) const override {
        int leaders = 0;
        for (std::size_t at = 0; at < nodes_; ++at) leaders += leads(world, at);
        return leaders > 1;
    }

    View view(const std::uint32_t* world) const override {
        View view;
        for (std::size_t at = 0; at < nodes_; ++at) {
            const Local<A>& node = shared_.parts.locals[world[at]];
            if (node.life == Life::down || (node.life == Life::unborn && late_[at])) continue;
            view.alive.push_back(shared_.ring[at]);
            if (view.lacking.empty()) view.lacking = turns_.unfinished(node, at);
            if constexpr (Turns<A>::knows_better)  // who acts leads, whatever it believes
                view.followed.push_back(leads(world, at) ? shared_.ring[at] : nobody);
            else
                view.followed.push_back(node.leader);
        }
        view.time_is_up =
            query_.ticks_max != 0 && !query_.endless && world[width() - 1] == query_.ticks_max;
        return view;
    }

    // Machines need a majority that is up and able to promise, and one of it that may lead.
    bool waits(const std::uint32_t* world) const override {
        const View seen = view(world);
        for (std::size_t i = 0; i < seen.alive.size(); ++i)
            if (seen.followed[i] == seen.alive[i]) return false;
        if constexpr (requires(const A& a) { a.votes(), a.rests(), a.eligible(Id{}); }) {
            std::size_t voting = 0;
            bool eligible = false;
            for (std::size_t at = 0; at < nodes_; ++at) {
                const Local<A>& node = local(world, at);
                if (node.life != Life::up) continue;
                if (node.algorithm.rests()) return false;
                voting += node.algorithm.votes();
                eligible = eligible || node.algorithm.eligible(shared_.ring[at]);
            }
            return eligible && 2 * voting > nodes_;
        }
        return !seen.alive.empty();
    }

    const Local<A>& local(const std::uint32_t* world, std::size_t at) const {
        return shared_.parts.locals[world[at]];
    }
    // The greatest token under which work was ever started; 0: none was.
    std::uint32_t greatest_token(const std::uint32_t* world) const
        requires Base::has_token
    {
        return world[budget() + 1];
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

    // How far the node's clock went in a tick that made one state of the other.
    std::uint32_t units_between(std::uint32_t before, std::uint32_t after) {
        for (std::uint32_t units = 1; units < query_.rate_max; ++units)
            if (turns_.tick(before, units) == after) return units;
        return query_.rate_max;
    }

private:
    std::vector<std::vector<std::uint32_t>> started(
        const std::vector<std::vector<std::uint32_t>>& worlds, std::size_t at,
        const GoesOn& goes_on) {
        std::vector<std::vector<std::uint32_t>> result;
        Successors out;
        for (const auto& world : worlds) {
            if (!goes_on(result.size())) return {};
            from_ = world.data();
            out.clear();
            draft_.start_from(from_, 0, out);
            happen(at, {What::start, 0, calls(at)});
            for (std::size_t i = 0; i < out.size(); ++i)
                out.apply(i, result.emplace_back(world).data());
        }
        return result;
    }

    bool leads(const std::uint32_t* world, std::size_t at) const {
        return turns_.leads(shared_.parts.locals[world[at]], at);
    }

    // Messages to a node that is down for good only vanish: when, and in which order,
    // makes no difference to anybody.
    bool expand_doomed() {
        if (left(FaultKind::recover) != 0 || left(FaultKind::blank) != 0) return false;
        for (std::size_t link = 0; link < shared_.links.size(); ++link) {
            const std::uint32_t mail = from_[nodes_ + link];
            const auto [from, to] = shared_.links[link];
            if (mail == 0 || node_at(to).life != Life::down) continue;
            draft_.begin();
            draft_.put(nodes_ + link, links_.remove(mail, 0));
            this->finish(Base::in_vain(Step::Kind::discard, to, static_cast<std::uint8_t>(from + 1),
                                       links_.at(mail).parcels[0].message, 0));
            out_->onward = true;
            return true;
        }
        return false;
    }

    // Deliveries to different nodes commute. Where a node has one way in and keeps its order, its
    // next delivery is independent of whatever the others do; if nobody's belief changes by it, it
    // suffices. Which node comes first must not depend on how the ring is turned.
    bool expand_one() {
        if (A::card.network != Network::ring || !shared_.fifo || query_.timing != Timing::async)
            return false;
        if (from_[budget()] != 0) return false;
        for (std::size_t at = 0; at < nodes_; ++at) {
            const Local<A>& node = node_at(at);
            for (const std::uint16_t set : node.timers)
                if (set != 0) return false;
            if (node.news != 0 || node.doubted != 0) return false;
        }
        const std::size_t front = query_.rotate ? rotations_.front(draft_, from_) : 0;
        for (std::size_t i = 0; i < nodes_; ++i)
            if (suffices((front + i) % nodes_)) return true;
        return false;
    }
    bool suffices(std::size_t at) {
        const std::size_t link = (at + nodes_ - 1) % nodes_;
        const Life life = node_at(at).life;
        out_->clear();
        if (life == Life::unborn && !late_[at]) expand_node(at);
        if (life == Life::up && from_[nodes_ + link] != 0) expand_link(link);
        return out_->size() != 0 &&
               std::none_of(out_->steps.begin(), out_->steps.end(), [](const Step& s) {
                   return s.visible && s.what != static_cast<std::uint8_t>(What::start);
               });
    }

    // Where every message takes some time, nothing that others do now reaches a node before the
    // next instant, and time does not go on before what is due has happened: all that can happen to
    // one node suffices, if something must that changes nobody's lead.
    bool expand_due() {
        if (query_.timing != Timing::bounded || query_.detector || !shared_.takes_time())
            return false;
        for (std::size_t at = 0; at < nodes_; ++at) {
            out_->clear();
            if (from_[budget()] != 0 || !turns_.rests(from_[at])) expand_node(at);
            for (std::size_t link = 0; link < shared_.links.size(); ++link)
                if (shared_.links[link].second == at && from_[nodes_ + link] != 0)
                    expand_link(link);
            if (std::any_of(out_->steps.begin(), out_->steps.end(),
                            [&](const Step& s) { return !s.visible && is_due(s); }))
                return true;
        }
        return false;
    }
    bool is_due(const Step& step) const {
        if (step.fault) return false;
        if (step.kind == Step::Kind::event && step.what != static_cast<std::uint8_t>(What::message))
            return step.what == static_cast<std::uint8_t>(What::timer);
        const std::size_t link = shared_.link_of[step.from - 1u][step.node];
        return links_.at(from_[nodes_ + link]).parcels[step.index].age >= this->slowest(link);
    }

    Rotations<A> rotations_;
};

}  // namespace conclave::checker
