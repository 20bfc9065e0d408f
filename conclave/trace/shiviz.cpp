// ShiViz draws an edge wherever a clock shows that one event knew of another. A broadcast is one
// event; a loss is none, since nobody notices it, but its send says so.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conclave/core/text.hpp"
#include "conclave/trace/cast.hpp"
#include "conclave/trace/columns.hpp"
#include "conclave/trace/exports.hpp"
#include "conclave/trace/phrases.hpp"

namespace conclave::trace {

namespace {

using Clock = std::map<Id, std::uint64_t>;  // without zeroes; `nobody` stands for the network

std::string host_of(Id id) {
    return id == nobody ? "network" : std::string("n").append(name_of(id));
}

class Shiviz {
public:
    explicit Shiviz(const Trace& trace) : trace_(trace), flights_(trace) {}
    std::string write() &&;

private:
    void write_send(std::size_t at);
    void find_copies(std::size_t at);
    void write_arrival(const Record& record);
    void write_event(const Record& record, const std::string& words);

    const Trace& trace_;
    Flights flights_;
    std::unordered_map<Id, Clock> clocks_;
    // By flight, until it has arrived; the copies of a broadcast share theirs.
    std::unordered_map<std::uint64_t, std::shared_ptr<const Clock>> carried_;
    std::shared_ptr<const Clock> sent_;  // with the latest send
    std::size_t copies_end_ = 0;         // up to here sends are copies of a broadcast
    std::string out_;
};

void Shiviz::write_event(const Record& record, const std::string& words) {
    Clock& clock = clocks_[record.node];
    ++clock[record.node];
    out_ += format_duration(record.time) + " ";
    for (std::string_view rest = words; !rest.empty();) append_glyph(out_, take_glyph(rest));
    (out_ += '\n') += host_of(record.node) + " {";
    bool first = true;
    for (const auto& [id, ticks] : clock) {
        if (!first) out_ += ", ";
        out_ += quote(host_of(id)) + ':' + std::to_string(ticks);
        first = false;
    }
    out_ += "}\n";
}

void Shiviz::write_send(std::size_t at) {
    const Record& record = trace_.records[at];
    if (at >= copies_end_) {
        std::string words = "sends " + record.text + " to " + name_of(record.other);
        if (record.other == everyone) find_copies(at);
        for (std::size_t i = at; i < std::max(at + 1, copies_end_); ++i) {
            const Record& copy = trace_.records[i];
            const Record* loss = copy.kind == Kind::send ? flights_.ended(copy) : nullptr;
            if (loss != nullptr && loss->kind == Kind::lose)
                words += " (lost for " + name_of(copy.other) + ": " + loss->text + ")";
        }
        write_event(record, words);
        sent_ = std::make_shared<const Clock>(clocks_[record.node]);
    }
    const Record* ended = flights_.ended(record);
    if (ended != nullptr && ended->kind == Kind::arrive) carried_[record.flight] = sent_;
}

void Shiviz::find_copies(std::size_t at) {
    const Record& first = trace_.records[at];
    for (copies_end_ = at + 1; copies_end_ < trace_.records.size(); ++copies_end_) {
        const Record& record = trace_.records[copies_end_];
        if (record.kind == Kind::lose && record.other == first.node) continue;
        if (record.kind != Kind::send || record.node != first.node || record.other == everyone ||
            record.time != first.time || record.text != first.text)
            break;
    }
}

void Shiviz::write_arrival(const Record& record) {
    const auto carried = carried_.find(record.flight);
    if (carried != carried_.end()) {
        Clock& clock = clocks_[record.node];
        for (const auto& [id, ticks] : *carried->second) clock[id] = std::max(clock[id], ticks);
        carried_.erase(carried);  // should it come once more, its receiver knows it already
    }
    write_event(record,
                "gets " + std::string(flights_.text_of(record)) + " from " + name_of(record.other));
}

std::string Shiviz::write() && {
    out_ = "(?<time>\\S+) (?<event>.*)\\n(?<host>\\S+) (?<clock>\\{.*\\})\n\n";
    for (std::size_t i = 0; i < trace_.records.size(); ++i) {
        const Record& record = trace_.records[i];
        switch (record.kind) {
            case Kind::send: write_send(i); break;
            case Kind::arrive: write_arrival(record); break;
            case Kind::lose: break;
            default: write_event(record, plain_words(record));
        }
    }
    return std::move(out_);
}

}  // namespace

std::string shiviz(const Trace& trace) { return Shiviz(trace).write(); }

}  // namespace conclave::trace
