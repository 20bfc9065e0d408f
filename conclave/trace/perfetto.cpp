// Slices of one thread must nest. States follow each other without a gap; turns (what a node does
// at one instant) lie inside them, as long as a part of the usual gap but never beyond the node's
// next turn. Viewers put events of equal time in the order of the file, so states come first.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/core/text.hpp"
#include "conclave/trace/columns.hpp"
#include "conclave/trace/exports.hpp"
#include "conclave/trace/moment.hpp"

namespace conclave::trace {

namespace {

// Groups of threads.
constexpr int nodes_group = 1, leaders_group = 2;

// Bytes that are not UTF-8 are not JSON.
std::string json_text(std::string_view letters) {
    std::string valid;
    while (!letters.empty()) append_glyph(valid, take_glyph(letters));
    return quote(valid);
}

std::string microseconds(Time time) {
    const std::int64_t ns = time.count() < 0 ? 0 : time.count();
    return std::to_string(ns / 1000) + "." + std::to_string(1000 + ns % 1000).substr(1);
}

// {"ph":"X","name":"slave","pid":1,"tid":3 and whatever `more` says.
std::string event_text(std::string_view phase, std::string_view name, int group, Id node,
                       const std::string& more) {
    return "{\"ph\":\"" + std::string(phase) + "\",\"name\":" + json_text(name) +
           ",\"pid\":" + std::to_string(group) +
           ",\"tid\":" + std::to_string(static_cast<std::uint32_t>(node)) + more + "},\n";
}

std::string at_time(Time time) { return ",\"ts\":" + microseconds(time); }

// Something that lasts until something else takes its place.
struct Lasting {
    Time since{};
    std::string name;

    void change(std::string& out, int group, Id node, Time now, std::string next) {
        if (next == name) return;
        if (!name.empty() && now > since)
            out += event_text("X", name, group, node,
                              at_time(since) + ",\"dur\":" + microseconds(now - since));
        since = now;
        name = std::move(next);
    }
};

class Perfetto {
public:
    explicit Perfetto(const Trace& trace);
    std::string write() &&;

private:
    void write_names();
    void find_turns();
    void write_state(const Record& record);
    void write_turn(const Record& record, Time until);
    void write_flow(const Record& record, bool begins);
    void write_instant(const Record& record, std::string_view name, bool everywhere);

    const Trace& trace_;
    Cast cast_;
    Flights flights_;
    std::vector<Presence> presence_;
    std::vector<Lasting> states_, leaders_;
    Duration turn_;                // how long one looks
    std::vector<Time> turn_ends_;  // by record
    std::string out_, turns_;
};

Perfetto::Perfetto(const Trace& trace)
    : trace_(trace),
      cast_(trace),
      flights_(trace),
      presence_(first_presence(trace, cast_)),
      states_(cast_.size()),
      leaders_(cast_.size()),
      turn_(std::max<Duration>(usual_gap(trace) / 4, Duration{1})) {}

// From the last record to the first: a turn ends where the next of its node begins, or sooner.
void Perfetto::find_turns() {
    std::vector<Time> next(cast_.size(), never), current(cast_.size(), never);
    turn_ends_.resize(trace_.records.size());
    for (std::size_t i = trace_.records.size(); i-- > 0;) {
        const Record& record = trace_.records[i];
        if (!cast_.contains(record.node)) continue;
        const std::size_t place = cast_.place(record.node);
        if (record.time != current[place]) {
            next[place] = current[place];
            current[place] = record.time;
        }
        turn_ends_[i] = std::min(record.time + turn_, next[place]);
    }
}

void Perfetto::write_names() {
    const auto name = [&](std::string_view what, int group, Id node, const std::string& value) {
        out_ += event_text("M", what, group, node, ",\"args\":{" + value + "}");
    };
    const std::string title = trace_.title.empty() ? "conclave" : trace_.title;
    name("process_name", nodes_group, nobody, "\"name\":" + json_text(title));
    name("process_name", leaders_group, nobody, "\"name\":\"who follows whom\"");
    for (std::size_t i = 0; i < cast_.size(); ++i) {
        for (const int group : {nodes_group, leaders_group}) {
            name("thread_name", group, cast_.id(i),
                 "\"name\":" + json_text("node " + name_of(cast_.id(i))));
            name("thread_sort_index", group, cast_.id(i), "\"sort_index\":" + std::to_string(i));
        }
    }
}

void Perfetto::write_state(const Record& record) {
    const std::size_t place = cast_.place(record.node);
    presence_[place].apply(record);
    const Presence& presence = presence_[place];
    std::string state(presence.state), leader;
    if (presence.paused) state = "paused";
    if (!presence.up) state = "down";
    if (presence.leads(record.node))
        leader = "leads";
    else if (presence.leader != nobody)
        leader = "follows " + name_of(presence.leader);
    states_[place].change(out_, nodes_group, record.node, record.time, state);
    leaders_[place].change(out_, leaders_group, record.node, record.time, leader);
}

void Perfetto::write_turn(const Record& record, Time until) {
    const std::string sender = record.kind == Kind::arrive ? " from " + name_of(record.other) : "";
    const std::string name = record.kind == Kind::arrive
                                 ? std::string(flights_.text_of(record)) + sender
                                 : sentence(describe(record));
    turns_ += event_text("X", name, nodes_group, record.node,
                         at_time(record.time) + ",\"dur\":" + microseconds(until - record.time));
    if (record.kind == Kind::arrive) write_flow(record, false);
}

// Only where both ends are known: half an arrow confuses viewers.
void Perfetto::write_flow(const Record& record, bool begins) {
    const Record* sent = begins ? &record : flights_.sent(record);
    const Record* ended = sent == nullptr ? nullptr : flights_.ended(*sent);
    if (record.flight == 0 || ended == nullptr || ended->kind != Kind::arrive) return;
    if (!begins && ended != &record) return;  // a second arrival of the same copy
    turns_ += event_text(begins ? "s" : "f", "message", nodes_group, record.node,
                         at_time(record.time) + ",\"cat\":\"message\",\"id\":" +
                             std::to_string(record.flight) + (begins ? "" : ",\"bp\":\"e\""));
}

void Perfetto::write_instant(const Record& record, std::string_view name, bool everywhere) {
    turns_ += event_text("i", name, nodes_group, record.node,
                         at_time(record.time) + ",\"s\":\"" + (everywhere ? "g" : "t") + "\"");
}

std::string Perfetto::write() && {
    out_ = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
    write_names();
    find_turns();
    for (std::size_t i = 0; i < trace_.records.size(); ++i) {
        const Record& record = trace_.records[i];
        const bool known = cast_.contains(record.node);
        switch (record.kind) {
            case Kind::network:
            case Kind::violation: write_instant(record, describe(record).words, true); break;
            case Kind::send:
                if (known) write_flow(record, true);
                break;
            case Kind::lose: {
                const std::string text(flights_.text_of(record));
                const std::string name = "lost: " + text + " from " + name_of(record.other);
                write_instant(record, name + " (" + record.text + ")", false);
                break;
            }
            case Kind::state:
            case Kind::follow:
                if (known) write_state(record);
                break;
            case Kind::store:
            case Kind::report: write_instant(record, describe(record).words, false); break;
            default:
                if (!known) break;
                write_state(record);
                write_turn(record, turn_ends_[i]);
        }
    }
    const Time end = trace_.records.empty() ? Time{} : trace_.records.back().time + turn_;
    for (std::size_t i = 0; i < cast_.size(); ++i) {
        states_[i].change(out_, nodes_group, cast_.id(i), end, "");
        leaders_[i].change(out_, leaders_group, cast_.id(i), end, "");
    }
    out_ += turns_;
    out_.resize(out_.size() - 2);  // the last comma
    return std::move(out_) + "\n]}\n";
}

}  // namespace

std::string perfetto(const Trace& trace) { return Perfetto(trace).write(); }

}  // namespace conclave::trace
