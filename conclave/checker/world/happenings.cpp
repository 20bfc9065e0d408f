#include "conclave/checker/world/happenings.hpp"

#include <algorithm>

namespace conclave::checker {

namespace {
std::uint8_t place(std::size_t at) { return static_cast<std::uint8_t>(at); }
bool lists(const std::vector<Id>& list, Id id) {
    return std::find(list.begin(), list.end(), id) != list.end();
}
}  // namespace

Happenings::Happenings(Shared& shared, Nodes& nodes)
    : shared_(shared),
      nodes_(nodes),
      traits_(nodes.traits()),
      query_(shared.query),
      count_(shared.ring.size()),
      links_(shared.mails, shared.fifo),
      stale_(shared, nodes),
      turns_(shared, nodes),
      draft_(shared, nodes, slots()) {
    for (const Id id : shared.ring) late_.push_back(lists(query_.late, id));
}

bool Happenings::may_be_called(std::size_t at) const {
    return query_.callers.empty() || lists(query_.callers, shared_.ring[at]);
}
bool Happenings::calls(std::size_t at) const { return lists(query_.initiators, shared_.ring[at]); }

// The nodes that a caller is told to be down: without a detector, that is why it calls.
std::uint32_t Happenings::absence() {
    std::uint64_t down = 0;
    for (std::size_t of = 0; traits_.suspects && !query_.detector && of < count_; ++of)
        if (node_at(of).life == Life::down) down |= std::uint64_t{1} << of;
    return down == 0 ? 0 : shared_.absences.intern(down);
}

bool Happenings::may_start_late() const {
    return now() >= query_.late_from && (query_.late_until == 0 || now() < query_.late_until);
}
// Somebody must start before time goes on.
bool Happenings::start_is_due() const {
    if (!query_.late_all || now() + 1 != query_.late_until) return false;
    for (std::size_t at = 0; at < count_; ++at)
        if (late_[at] && node_at(at).life == Life::unborn) return true;
    return false;
}

// ---------------------------------------------------------------- one event

void Happenings::finish(const Step& step, std::string_view broken) {
    if (stale_.known()) forget_stale(nullptr);
    draft_.finish(step, broken);
}

void Happenings::forget_stale(Forgotten* forgotten) {
    const bool for_good = is_calm(draft_[budget()]), before = is_calm(from_[budget()]);
    for (std::size_t link = 0; link < shared_.links.size(); ++link) {
        const auto [from, to] = shared_.links[link];
        const std::uint32_t mail = draft_[count_ + link];
        const bool same = mail == from_[count_ + link] && draft_[to] == from_[to];
        if (mail == 0 || (same && for_good == before)) continue;
        if (forgotten != nullptr) forgotten->emplace_back(count_ + link, mail);
        draft_.put(count_ + link, stale_.forget(mail, from, draft_[to], for_good));
    }
}

void Happenings::deliver_sends(std::size_t at, const Way& way) {
    for (const Outgoing& send : way.sends) {
        const std::uint8_t link = shared_.link_of[at][send.to];
        check(link != 0xff, "a message travels along a link of the network");
        draft_.put(count_ + link, links_.push(draft_[count_ + link], send.message));
    }
}

// `prepare` changes the world before that.
template <class Prepare>
void Happenings::happen(std::size_t at, const Event& event, Step step, const Prepare& prepare) {
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
void Happenings::happen(std::size_t at, const Event& event) {
    happen(at, event, {}, [] {});
}
void Happenings::inject(std::size_t at, const Event& event, FaultKind kind) {
    happen(at, event, {.fault = true}, [&] { pay(kind); });
}

// Tokens at the start of work only grow: a slot remembers the greatest.
std::string_view Happenings::spend_token(const Way& way) {
    check(way.token < 0xffffffff, "tokens of less than 32 bits");
    const auto token = static_cast<std::uint32_t>(way.token);
    if (token <= draft_[budget() + 1]) return "a token that is not greater than all before";
    draft_.put(budget() + 1, token);
    return way.broken;
}

// ---------------------------------------------------------------- all that can happen to a node

void Happenings::expand_node(std::size_t at) {
    const NodeState& node = node_at(at);
    if (node.life == Life::unborn && late_[at] && !may_start_late()) return;
    if (node.life == Life::unborn)
        return happen(at, {What::start, 0, calls(at) ? 1 + absence() : 0},
                      {.fault = late_[at] && !query_.late_all}, [] {});
    if (node.life == Life::down) {
        if (left(FaultKind::recover) != 0) inject(at, {What::recover}, FaultKind::recover);
        if (left(FaultKind::blank) != 0) inject(at, {What::blank}, FaultKind::blank);
        return;
    }
    for (std::uint32_t t = 0; node.due >> t != 0; ++t)
        if ((node.due >> t & 1) != 0)
            happen(at, {What::timer, 0, t});  // due, or set where time has no meaning
    if (node.news != 0 || node.doubted != 0 || left(FaultKind::mistake) != 0) mind_others(at, node);
    if (left(FaultKind::call) != 0 && may_be_called(at))
        inject(at, {What::call, 0, absence()}, FaultKind::call);
    for (std::uint32_t fault = 0; fault < traits_.faults.size(); ++fault) suffer(at, fault);
    if (left(FaultKind::crash) != 0) crash(at);
}

void Happenings::mind_others(std::size_t at, const NodeState& node) {
    for (std::size_t of = 0; of < count_; ++of) {
        const std::uint64_t bit = std::uint64_t{1} << of;
        const std::uint8_t whom = place(of + 1);
        if ((node.news & bit) != 0) happen(at, {What::suspect, whom});
        if (of != at && left(FaultKind::mistake) != 0 && (node.doubted & bit) == 0)
            inject(at, {What::suspect, whom}, FaultKind::mistake);
        if ((node.doubted & bit) != 0 && node_at(of).life == Life::up)
            happen(at, {What::trust, whom});
    }
}

// A fault that changes nothing is none, and relief costs nothing: it follows what was paid
// for.
void Happenings::suffer(std::size_t at, std::uint32_t fault) {
    const Event event{What::fault, 0, fault};
    // Where faults are kept to some ticks, so is relief: what comes of both can be awaited.
    const bool over = query_.faults_until != 0 && now() >= query_.faults_until;
    const bool relief = !over && (traits_.reliefs >> fault & 1) != 0;
    if ((query_.faults_off >> fault & 1) != 0 || (!relief && left(FaultKind::fault) == 0)) return;
    if (turns_.take(at, from_[at], event).front().local == from_[at]) return;
    if (relief) return happen(at, event, {.fault = true}, [] {});
    inject(at, event, FaultKind::fault);
}

// The others learn of it at some later time, if there is a detector.
void Happenings::crash(std::size_t at) {
    happen(at, {What::crash}, {.fault = true}, [&] {
        pay(FaultKind::crash);
        if (!query_.detector) return;
        for (std::size_t other = 0; other < count_; ++other)
            if (other != at && nodes_[draft_[other]].life == Life::up)
                draft_.put(other, nodes_.add_news(draft_[other], std::uint64_t{1} << at));
    });
}

// ---------------------------------------------------------------- all that can happen on a link

void Happenings::expand_link(std::size_t link) {
    const std::uint32_t mail = from_[count_ + link];
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
        const Event event{What::message, static_cast<std::uint8_t>(from + 1), parcels[i].message};
        const auto take_off = [&, slot = count_ + link] {
            draft_.put(slot, links_.remove(mail, index));
        };
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

void Happenings::lose(std::size_t link, std::uint32_t mail, std::uint8_t from, std::uint8_t to) {
    const auto& parcels = links_.at(mail).parcels;
    for (std::size_t i = 0; i < parcels.size(); ++i) {
        if (is_repeated(parcels, i)) continue;
        const auto index = static_cast<std::uint16_t>(i);
        draft_.begin();
        pay(FaultKind::loss);
        draft_.put(count_ + link, links_.remove(mail, index));
        const auto sender = static_cast<std::uint8_t>(from + 1);
        finish(in_vain(Step::Kind::lose, to, sender, parcels[i].message, index));
    }
}

// ---------------------------------------------------------------- the passing of time

void Happenings::tick() {
    const std::size_t clock = slots() - 1;  // a slot of its own, if time ends
    const bool counted = query_.ticks_max != 0 && from_[clock] == query_.ticks_max;
    if (counted && !query_.endless) {
        out_->quiet = false;  // what would have happened is not known
        return;
    }
    if (start_is_due()) return;
    for (std::size_t link = 0; link < shared_.links.size(); ++link)
        for (const Parcel& parcel : links_.at(from_[count_ + link]).parcels)
            if (parcel.age >= slowest(link)) return;
    draft_.begin();
    if (query_.ticks_max != 0 && !counted) draft_.put(clock, from_[clock] + 1);
    if (query_.faults_until != 0 && now() + 1 >= query_.faults_until) draft_.put(budget(), 0);
    if (query_.delay_max != Query::unlimited)
        for (std::size_t link = 0; link < shared_.links.size(); ++link)
            draft_.put(count_ + link, links_.tick(from_[count_ + link]));
    tick_node(0, false);
    draft_.start_over();
}

void Happenings::tick_node(std::size_t at, bool passed) {
    if (at == count_) {
        if (passed || draft_.differs(budget())) finish_tick();
        return;
    }
    const std::uint32_t before = from_[at];
    std::uint32_t last = Memo::unknown;
    for (std::uint32_t units = 1; units <= query_.rate_max; ++units) {
        const std::uint32_t after = turns_.tick(before, units);
        if (after == Nodes::stuck) return;
        if (after == last) continue;  // this clock times nothing
        last = after;
        draft_.put(at, after);
        tick_node(at + 1, passed || after != before);
        draft_.put(at, before);
    }
}

// Other clocks may go otherwise, and then it hears what is forgotten here.
void Happenings::finish_tick() {
    Forgotten forgotten;
    if (stale_.known()) forget_stale(&forgotten);
    if (query_.endless && traits_.recounts) count_anew(forgotten);
    const bool last =
        query_.ticks_max != 0 && !query_.endless && draft_[slots() - 1] == query_.ticks_max;
    draft_.finish_so_far({.kind = Step::Kind::tick, .visible = last});
    for (const auto& [slot, part] : forgotten) draft_.put(slot, part);
}

// Numbers that only grow are counted from one again, so that worlds that differ in nothing else
// are the same.
void Happenings::count_anew(Forgotten& forgotten) {
    std::vector<std::uint32_t> locals;
    for (std::size_t at = 0; at < count_; ++at) locals.push_back(draft_[at]);
    std::vector<Mail> mails;
    for (std::size_t link = 0; link < shared_.links.size(); ++link)
        mails.push_back(shared_.mails[draft_[count_ + link]]);
    std::uint32_t token = draft_[budget() + 1];
    nodes_.recount(locals, mails, token);
    const auto change = [&](std::size_t slot, std::uint32_t part) {
        forgotten.emplace_back(slot, draft_[slot]);
        draft_.put(slot, part);
    };
    change(budget() + 1, token);
    for (std::size_t at = 0; at < count_; ++at) change(at, locals[at]);
    for (std::size_t link = 0; link < mails.size(); ++link)
        change(count_ + link, shared_.mails.intern(mails[link]));
}

}  // namespace conclave::checker
