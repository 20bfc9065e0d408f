#include "conclave/checker/world/model.hpp"

#include <algorithm>

#include "conclave/checker/story/wording.hpp"

namespace conclave::checker {

std::string Model::world_text(const std::uint32_t* world) const {
    return describe_world(shared_, nodes_, world);
}
std::string Model::step_text(const Step& step) const {
    return describe_step(shared_, nodes_, step);
}

Way Model::way(const std::uint32_t* world, const Step& step) {
    return turns_.take(step.node, world[step.node],
                       {static_cast<What>(step.what), step.from, step.which})[step.way];
}
const std::vector<Way>& Model::starts(const Step& step) {
    return turns_.take(step.node, nodes_.unborn(), {What::start, 0, step.which});
}
std::uint32_t Model::units_between(std::uint32_t before, std::uint32_t after) {
    for (std::uint32_t units = 1; units < query_.rate_max; ++units)
        if (turns_.tick(before, units) == after) return units;
    return query_.rate_max;
}

// ---------------------------------------------------------------- what is true of a world

bool Model::two_leaders(const std::uint32_t* world) const {
    int leaders = 0;
    for (std::size_t at = 0; at < count_; ++at) leaders += turns_.leads(world[at], at);
    return leaders > 1;
}

View Model::view(const std::uint32_t* world) const {
    View view;
    for (std::size_t at = 0; at < count_; ++at) {
        const NodeState& node = nodes_[world[at]];
        if (node.life == Life::down || (node.life == Life::unborn && late_[at])) continue;
        view.alive.push_back(shared_.ring[at]);
        if (view.lacking.empty()) view.lacking = nodes_.unfinished(world[at], at);
        if (traits_.knows_better)  // who acts leads, whatever it believes
            view.followed.push_back(turns_.leads(world[at], at) ? shared_.ring[at] : nobody);
        else
            view.followed.push_back(node.leader);
    }
    view.time_is_up =
        query_.ticks_max != 0 && !query_.endless && world[width() - 1] == query_.ticks_max;
    return view;
}

// Machines need a majority that is up and able to promise, and one of it that may lead.
bool Model::waits(const std::uint32_t* world) const {
    const View seen = view(world);
    for (std::size_t i = 0; i < seen.alive.size(); ++i)
        if (seen.followed[i] == seen.alive[i]) return false;
    if (!traits_.majority) return !seen.alive.empty();
    std::size_t voting = 0;
    bool eligible = false;
    for (std::size_t at = 0; at < count_; ++at) {
        if (nodes_[world[at]].life != Life::up) continue;
        const Ability ability = nodes_.ability(world[at], shared_.ring[at]);
        if (ability.rests) return false;
        voting += ability.votes;
        eligible = eligible || ability.eligible;
    }
    return eligible && 2 * voting > count_;
}

// ---------------------------------------------------------------- first worlds, and those after

bool Model::first(Successors& out, const GoesOn& goes_on) {
    out.clear();
    const std::vector<std::uint32_t> zeros(width(), 0);
    std::vector<std::uint32_t> world = zeros;
    for (std::size_t i = 0; i < count_; ++i) world[i] = nodes_.unborn();
    world[budget()] = pack(query_.budget);
    std::vector<std::vector<std::uint32_t>> worlds{world};
    if (!query_.start_steps)  // every outcome of every start, in the order of the ring
        for (std::size_t at = 0; at < count_; ++at)
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

std::vector<std::vector<std::uint32_t>> Model::started(
    const std::vector<std::vector<std::uint32_t>>& worlds, std::size_t at, const GoesOn& goes_on) {
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

void Model::expand(const std::uint32_t* world, std::uint64_t print, bool reduce, Successors& out) {
    from_ = world;
    out_ = &out;
    out.clear();
    draft_.start_from(world, print, out);
    if (reduce && (expand_doomed() || expand_one() || expand_due())) return;
    out.clear();
    for (std::size_t at = 0; at < count_; ++at)
        if (from_[budget()] != 0 || !turns_.rests(from_[at])) expand_node(at);
    for (std::size_t link = 0; link < shared_.links.size(); ++link)
        if (from_[count_ + link] != 0) expand_link(link);
    if (query_.timing == Timing::bounded) tick();
}

// ---------------------------------------------------------------- steps that stand for all

// Messages to a node that is down for good only vanish: when, and in which order,
// makes no difference to anybody.
bool Model::expand_doomed() {
    if (left(FaultKind::recover) != 0 || left(FaultKind::blank) != 0) return false;
    for (std::size_t link = 0; link < shared_.links.size(); ++link) {
        const std::uint32_t mail = from_[count_ + link];
        const auto [from, to] = shared_.links[link];
        if (mail == 0 || node_at(to).life != Life::down) continue;
        draft_.begin();
        draft_.put(count_ + link, links_.remove(mail, 0));
        finish(in_vain(Step::Kind::discard, to, static_cast<std::uint8_t>(from + 1),
                       links_.at(mail).parcels[0].message, 0));
        out_->onward = true;
        return true;
    }
    return false;
}

// Deliveries to different nodes commute. Where a node has one way in and keeps its order, its
// next delivery is independent of whatever the others do; if nobody's belief changes by it, it
// suffices. Which node comes first must not depend on how the ring is turned.
bool Model::expand_one() {
    if (shared_.card.network != Network::ring || !shared_.fifo || query_.timing != Timing::async)
        return false;
    if (from_[budget()] != 0) return false;
    for (std::size_t at = 0; at < count_; ++at) {
        const NodeState& node = node_at(at);
        if (node.timed || node.news != 0 || node.doubted != 0) return false;
    }
    const std::size_t front = query_.rotate ? rotations_.front(draft_, from_) : 0;
    for (std::size_t i = 0; i < count_; ++i)
        if (suffices((front + i) % count_)) return true;
    return false;
}
bool Model::suffices(std::size_t at) {
    const std::size_t link = (at + count_ - 1) % count_;
    const Life life = node_at(at).life;
    out_->clear();
    if (life == Life::unborn && !late_[at]) expand_node(at);
    if (life == Life::up && from_[count_ + link] != 0) expand_link(link);
    return out_->size() != 0 &&
           std::none_of(out_->steps.begin(), out_->steps.end(), [](const Step& s) {
               return s.visible && s.what != static_cast<std::uint8_t>(What::start);
           });
}

// Where every message takes some time, nothing that others do now reaches a node before the
// next instant, and time does not go on before what is due has happened: all that can happen to
// one node suffices, if something must that changes nobody's lead.
bool Model::expand_due() {
    if (query_.timing != Timing::bounded || query_.detector || !shared_.takes_time()) return false;
    for (std::size_t at = 0; at < count_; ++at) {
        out_->clear();
        if (from_[budget()] != 0 || !turns_.rests(from_[at])) expand_node(at);
        for (std::size_t link = 0; link < shared_.links.size(); ++link)
            if (shared_.links[link].second == at && from_[count_ + link] != 0) expand_link(link);
        if (std::any_of(out_->steps.begin(), out_->steps.end(),
                        [&](const Step& s) { return !s.visible && is_due(s); }))
            return true;
    }
    return false;
}
bool Model::is_due(const Step& step) const {
    if (step.fault) return false;
    if (step.kind == Step::Kind::event && step.what != static_cast<std::uint8_t>(What::message))
        return step.what == static_cast<std::uint8_t>(What::timer);
    const std::size_t link = shared_.link_of[step.from - 1u][step.node];
    return links_.at(from_[count_ + link]).parcels[step.index].age >= slowest(link);
}

}  // namespace conclave::checker
