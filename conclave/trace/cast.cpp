#include "conclave/trace/cast.hpp"

namespace conclave::trace {

Cast::Cast(const Trace& trace) {
    for (const Id id : trace.nodes) add(id);
    for (const Record& record : trace.records) {
        add(record.node);
        if (record.kind != Kind::follow) add(record.other);
    }
}

void Cast::add(Id id) {
    if (id == nobody || id == everyone) return;
    if (places_.emplace(id, ids_.size()).second) ids_.push_back(id);
}

Flights::Flights(const Trace& trace) : trace_(trace) {
    for (const Record& record : trace.records) {
        if (record.flight == 0) continue;
        if (record.kind == Kind::send)
            flights_[record.flight].sent = &record;
        else if (record.kind == Kind::arrive || record.kind == Kind::lose)
            if (Flight& flight = flights_[record.flight]; flight.ended == nullptr)
                flight.ended = &record;
    }
}

Flights::Flight Flights::find(std::uint64_t number) const {
    const auto found = flights_.find(number);
    return found == flights_.end() ? Flight{} : found->second;
}

const Record* Flights::sent(const Record& arrival) const {
    if (arrival.flight != 0) return find(arrival.flight).sent;
    if (arrival.kind != Kind::lose || &arrival == trace_.records.data()) return nullptr;
    const Record* before = &arrival - 1;
    const bool mine = before->kind == Kind::send && before->flight == 0 &&
                      before->node == arrival.other && before->other == arrival.node;
    return mine ? before : nullptr;
}

const Record* Flights::ended(const Record& send) const {
    if (send.flight != 0) return find(send.flight).ended;
    const Record* after = &send + 1;
    if (after == trace_.records.data() + trace_.records.size()) return nullptr;
    return after->kind == Kind::lose && sent(*after) == &send ? after : nullptr;
}

std::string_view Flights::text_of(const Record& arrival) const {
    if (const Record* send = sent(arrival)) return send->text;
    return arrival.kind == Kind::lose ? std::string_view{} : std::string_view{arrival.text};
}

bool Presence::apply(const Record& record) {
    switch (record.kind) {
        case Kind::start:
        case Kind::recover: *this = Presence{}; return true;
        case Kind::crash:
            *this = Presence{};
            up = false;
            return true;
        case Kind::pause: paused = true; return true;
        case Kind::resume: paused = false; return true;
        case Kind::follow: {
            const bool news = leader != record.other;
            leader = record.other;
            return news;
        }
        case Kind::state: {
            const bool news = state != record.text;
            state = record.text;
            return news;
        }
        default: return true;
    }
}

std::vector<Presence> first_presence(const Trace& trace, const Cast& cast) {
    std::vector<Presence> presence(cast.size());
    std::vector<bool> seen(cast.size());
    for (const Record& record : trace.records) {
        if (record.kind == Kind::lose || !cast.contains(record.node)) continue;
        const std::size_t place = cast.place(record.node);
        if (seen[place]) continue;
        seen[place] = true;
        presence[place].up = record.kind != Kind::start && record.kind != Kind::recover;
    }
    return presence;
}

}  // namespace conclave::trace
