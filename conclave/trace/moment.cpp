#include "conclave/trace/moment.hpp"

#include <algorithm>

namespace conclave::trace {

Moments::Moments(const Trace& trace, const Cast& cast, const Flights& flights)
    : cast_(cast),
      flights_(flights),
      presence_(first_presence(trace, cast)),
      latest_(cast.size()) {}

const std::vector<Event>& Moments::gather(std::span<const Record> records) {
    events_.clear();
    groups_.clear();
    for (const std::size_t place : touched_) latest_[place] = 0;
    touched_.clear();
    barrier_ = 0;
    for (const Record& record : records) {
        switch (record.kind) {
            case Kind::send: break;  // a message is shown when it arrives
            case Kind::arrive:
            case Kind::lose: add_message(record); break;
            case Kind::network:
            case Kind::violation: add_banner(record); break;
            default: add_note(record);
        }
    }
    return events_;
}

Event& Moments::open(Event::Shape shape, const Record& record) {
    Event& event = events_.emplace_back();
    event.shape = shape;
    event.records.push_back(&record);
    return event;
}

void Moments::add_banner(const Record& record) {
    open(Event::Shape::banner, record);
    groups_.clear();
    barrier_ = events_.size();
}

void Moments::add_message(const Record& record) {
    if (!cast_.contains(record.node) || !cast_.contains(record.other)) return;
    const std::size_t from = cast_.place(record.other), to = cast_.place(record.node);
    const Record* sent = flights_.sent(record);
    const Time time = sent != nullptr ? sent->time : record.time;
    const std::string_view text = flights_.text_of(record);
    std::string key = name_of(record.other) + ' ' + std::to_string(time.count()) + ' ';
    if (record.kind == Kind::lose) key += record.text + '\n';
    key += text;

    // A copy joins the others unless its receiver has seen something since, or it goes to itself.
    const auto known = groups_.find(key);
    std::size_t at = events_.size();
    if (known != groups_.end() && latest_[to] <= known->second && from != to) at = known->second;
    if (at == events_.size()) {
        Event& event = open(Event::Shape::message, record);
        event.place = from;
        event.text = text;
        event.sent = time;
        if (from != to) groups_[std::move(key)] = at;
    } else {
        events_[at].records.push_back(&record);
    }
    events_[at].to.push_back(to);
    latest_[to] = at + 1;
    touched_.push_back(to);
}

void Moments::add_note(const Record& record) {
    if (!cast_.contains(record.node)) return;
    const std::size_t place = cast_.place(record.node);
    if (!presence_[place].apply(record)) return;
    const std::size_t latest = latest_[place];
    if (latest > barrier_ && events_[latest - 1].shape == Event::Shape::note) {
        events_[latest - 1].records.push_back(&record);
        return;
    }
    open(Event::Shape::note, record).place = place;
    latest_[place] = events_.size();
    touched_.push_back(place);
}

std::span<const Record> instant_at(const Trace& trace, std::size_t from) {
    std::size_t end = from;
    while (end < trace.records.size() && trace.records[end].time == trace.records[from].time) ++end;
    return std::span(trace.records).subspan(from, end - from);
}

Duration usual_gap(const Trace& trace) {
    std::vector<Duration> gaps;
    for (std::size_t i = 1; i < trace.records.size(); ++i) {
        const Duration gap = trace.records[i].time - trace.records[i - 1].time;
        if (gap > Duration{0}) gaps.push_back(gap);
    }
    if (gaps.size() < 2) return Duration{0};
    const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::nth_element(gaps.begin(), middle, gaps.end());
    return *middle;
}

}  // namespace conclave::trace
