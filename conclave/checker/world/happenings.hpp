// The events of a world, and what comes of them: starts, messages, timers, faults and the
// passing of time.
#pragma once

#include <utility>
#include <vector>

#include "conclave/checker/world/draft.hpp"
#include "conclave/checker/world/fault_budget.hpp"
#include "conclave/checker/world/staleness.hpp"
#include "conclave/checker/world/turns.hpp"

namespace conclave::checker {

class Happenings {
protected:
    Happenings(Shared& shared, Nodes& nodes);

    // Slots of a world: nodes, links, budget, greatest token, ticks; the last two where they count.
    std::size_t slots() const {
        return count_ + shared_.links.size() + 1 + traits_.tokens + (query_.ticks_max != 0);
    }
    std::size_t budget() const { return count_ + shared_.links.size(); }
    std::uint32_t now() const { return query_.ticks_max != 0 ? from_[slots() - 1] : 0; }
    std::uint32_t left(FaultKind kind) const {
        return now() < query_.faults_from ? 0 : left_in(from_[budget()], kind);
    }
    std::uint32_t slowest(std::size_t link) const { return shared_.delays[link].second; }
    bool calls(std::size_t at) const;
    const NodeState& node_at(std::size_t at) const { return nodes_[from_[at]]; }

    void happen(std::size_t at, const Event& event);  // all ways in which it can go
    void expand_node(std::size_t at);
    void expand_link(std::size_t link);
    // Time passes when nothing is due: every clock advances by 1 .. rate_max units, every message
    // ages.
    void tick();

    void finish(const Step& step, std::string_view broken = {});
    static Step in_vain(Step::Kind kind, std::uint8_t to, std::uint8_t from, std::uint32_t which,
                        std::uint16_t index) {
        return {kind, 0, to, from, which, index, 0, kind == Step::Kind::lose};
    }

    Shared& shared_;
    Nodes& nodes_;
    const NodeTraits& traits_;
    const Query& query_;
    std::size_t count_;  // of nodes
    Links links_;
    Staleness stale_;
    Turns turns_;
    Draft draft_;
    std::vector<bool> late_;  // by position
    std::uint64_t rows_ = 0;
    const std::uint32_t* from_ = nullptr;
    Successors* out_ = nullptr;

private:
    // Slots that change, and what was in them.
    using Forgotten = std::vector<std::pair<std::size_t, std::uint32_t>>;

    std::uint32_t fastest(std::size_t link) const { return shared_.delays[link].first; }
    void pay(FaultKind kind) { draft_.put(budget(), spent_from(from_[budget()], kind)); }
    bool may_be_called(std::size_t at) const;
    std::uint32_t absence();
    bool may_start_late() const;
    bool start_is_due() const;
    void forget_stale(Forgotten* forgotten);
    void deliver_sends(std::size_t at, const Way& way);
    template <class Prepare>
    void happen(std::size_t at, const Event& event, Step step, const Prepare& prepare);
    std::string_view spend_token(const Way& way);
    void inject(std::size_t at, const Event& event, FaultKind kind);
    void mind_others(std::size_t at, const NodeState& node);
    void suffer(std::size_t at, std::uint32_t fault);
    void crash(std::size_t at);
    void lose(std::size_t link, std::uint32_t mail, std::uint8_t from, std::uint8_t to);
    void finish_tick();
    void count_anew(Forgotten& forgotten);
    void tick_node(std::size_t at, bool passed);
};

}  // namespace conclave::checker
