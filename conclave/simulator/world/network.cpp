#include "conclave/simulator/world/network.hpp"

#include "conclave/simulator/scenario/script.hpp"

namespace conclave::simulator {

Network::Network(const Scenario& scenario, const Card& card, Decisions& decisions)
    : decisions_(decisions),
      nodes_(scenario.nodes),
      delay_(scenario.delay),
      loss_(scenario.loss),
      duplication_(scenario.duplication),
      reordering_(scenario.reordering.odds),
      reorder_by_(scenario.reordering.by),
      same_for_all_(scenario.same_for_all),
      ordered_(scenario.fifo.value_or(card.links == Links::fifo)),
      loses_(decisions.foresees(Purpose::lose) || (loss_.possible() && !decisions.replaying())),
      at_risk_(loses_),
      doubles_(duplication_.possible() || decisions.foresees(Purpose::duplicate)),
      reorders_(reordering_.possible() || decisions.foresees(Purpose::reorder)),
      ring_(card.network == conclave::Network::ring) {
    for (const LinkDelay& link : scenario.links) links_[{link.from, link.to}] = link.delay;
    in_order_ = delay_.shape == Delay::Shape::constant && links_.empty() &&
                !reordering_.possible() && scenario.pauses.empty() && scenario.mishaps.empty() &&
                !decisions.replaying() && !decisions.foresees(Purpose::delay) &&
                !decisions.foresees(Purpose::duplicate) && !decisions.foresees(Purpose::reorder);
    ordered_ = ordered_ && !in_order_;
    steady_ = in_order_ && !loses_ && !duplication_.possible() && scenario.partitions.empty() &&
              scenario.cuts.empty();
    if (ordered_ && ring_) last_.resize(nodes_);
}

const Delay& Network::delay_of(Id from, Id to) const {
    const auto found = links_.find({from, to});
    return found == links_.end() ? delay_ : found->second;
}

Time& Network::last_arrival(Id from, Id to) {
    return last_of_many_[static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to)];
}

std::int64_t Network::draw_fall(Id from, Id to, std::uint32_t count) {
    return decisions_.decide({Purpose::reorder, from, to, count}, 0,
                             [&](std::uint64_t bits) -> std::int64_t {
                                 if (!reordering_.hit(bits)) return 0;
                                 const auto most = static_cast<std::uint64_t>(reorder_by_.count());
                                 return 1 + static_cast<std::int64_t>(below(most, bits << 32));
                             });
}

std::int64_t Network::draw_lag(Id from, Id to, std::uint32_t count) const {
    if (in_order_) return 0;
    const std::uint64_t most = static_cast<std::uint64_t>(delay_.low.count()) + 1;
    const Decision decision{Purpose::duplicate, from, to, count};
    return static_cast<std::int64_t>(below(most, decisions_.bits(decision)));
}

std::uint32_t Network::uncommon_copies(Id from, Id to, std::uint32_t count) {
    if (split_ && !reaches(from, to)) return 0;
    if (!loses_ && !doubles_) return 1;
    const std::uint64_t fate = decisions_.bits({Purpose::lose, from, to, count});
    if (loses_ && decisions_.decide({Purpose::lose, from, to, count}, 0,
                                    [&](std::uint64_t) { return loss_.hit(fate); }) != 0)
        return 0;
    if (!doubles_) return 1;
    const auto doubled =
        decisions_.decide({Purpose::duplicate, from, to, count}, 0, [&](std::uint64_t) {
            return duplication_.hit(fate << 32) ? 1 + draw_lag(from, to, count) : 0;
        });
    if (doubled == 0) return 1;
    behind_ = doubled - 1;
    return 2;
}

void Network::obey(const Cue& cue) {
    switch (cue.what) {
        case Cue::What::split: return split(*cue.partition);
        case Cue::What::heal: return heal(*cue.partition);
        case Cue::What::cut: return cut(cue.node, cue.other);
        case Cue::What::mend: return mend(cue.node, cue.other);
        case Cue::What::calm: return calm();
        default: return;
    }
}

// The odds do nothing any more; a decision that somebody made by name still holds.
void Network::calm() {
    loss_ = duplication_ = reordering_ = {};
    at_risk_ = false;
    loses_ = decisions_.foresees(Purpose::lose);
    doubles_ = decisions_.foresees(Purpose::duplicate);
    reorders_ = decisions_.foresees(Purpose::reorder);
}

void Network::split(const Partition& partition) {
    partitions_.push_back(&partition);
    parts_.assign(nodes_, std::vector<std::uint32_t>(partitions_.size(), 0));
    for (std::size_t i = 0; i < partitions_.size(); ++i)
        for (std::size_t p = 0; p < partitions_[i]->parts.size(); ++p)
            for (const Id id : partitions_[i]->parts[p])
                parts_[static_cast<std::uint32_t>(id) - 1][i] = static_cast<std::uint32_t>(p + 1);
    split_ = true;
}

void Network::heal(const Partition& partition) {
    const auto at = std::find(partitions_.begin(), partitions_.end(), &partition);
    const auto column = at - partitions_.begin();
    partitions_.erase(at);
    for (auto& row : parts_) row.erase(row.begin() + column);
    if (partitions_.empty()) parts_.clear();
    split_ = !partitions_.empty() || !cuts_.empty();
}

void Network::cut(Id from, Id to) {
    cuts_.emplace_back(from, to);
    split_ = true;
}

void Network::mend(Id from, Id to) {
    cuts_.erase(std::find(cuts_.begin(), cuts_.end(), std::pair{from, to}));
    split_ = !partitions_.empty() || !cuts_.empty();
}

bool Network::reaches(Id from, Id to) const {
    return same_part(from, to) &&
           std::find(cuts_.begin(), cuts_.end(), std::pair{from, to}) == cuts_.end();
}

}  // namespace conclave::simulator
