// Mermaid knows an order but no time, so every line says when. Notes cover one node, or all.
#include <string>
#include <string_view>

#include "conclave/trace/columns.hpp"
#include "conclave/trace/exports.hpp"
#include "conclave/trace/moment.hpp"

namespace conclave::trace {

namespace {

constexpr std::size_t most_bytes = 45'000;  // Mermaid takes 50,000 unless told otherwise

// A semicolon ends a line, a number sign begins a code, and <br> would be obeyed. A title knows no
// codes.
std::string plain_text(std::string_view letters, bool title = false) {
    std::string text;
    while (!letters.empty()) {
        const char32_t glyph = take_glyph(letters);
        if (title && (glyph == U'#' || glyph == U';'))
            text += ' ';
        else if (glyph == U'#' || glyph == U';' || glyph == U'<' || glyph == U'>')
            (text += '#') += std::to_string(static_cast<std::uint32_t>(glyph)) + ';';
        else
            append_glyph(text, glyph);
    }
    return text;
}

std::string actor(Id id) { return std::string("n").append(name_of(id)); }

class Mermaid {
public:
    explicit Mermaid(const Trace& trace)
        : trace_(trace), cast_(trace), flights_(trace), moments_(trace, cast_, flights_) {
        if (!trace.records.empty()) whole_ = trace.records.back().time - trace.records.front().time;
    }

    std::string write(std::size_t most_events) {
        out_ = "sequenceDiagram\n";
        if (!trace_.title.empty()) out_ += "    title " + plain_text(trace_.title, true) + "\n";
        for (std::size_t i = 0; i < cast_.size(); ++i)
            out_ += "    participant " + actor(cast_.id(i)) + " as " + name_of(cast_.id(i)) + "\n";
        std::size_t drawn = 0, left_out = 0;
        for (std::size_t at = 0; at < trace_.records.size();) {
            const auto instant = instant_at(trace_, at);
            at += instant.size();
            for (const Event& event : moments_.gather(instant)) {
                const std::size_t lines =
                    event.shape == Event::Shape::message ? event.to.size() : 1;
                if (left_out > 0 || drawn + lines > most_events || out_.size() > most_bytes) {
                    left_out += lines;
                    continue;
                }
                drawn += lines;
                write_event(event);
            }
        }
        if (left_out > 0) write_note_over_all(counted(left_out, "more event") + " left out");
        return std::move(out_);
    }

private:
    void write_event(const Event& event) {
        const Record& first = *event.records.front();
        const std::string when = short_time(readable_time(first.time, whole_)) + ": ";
        switch (event.shape) {
            case Event::Shape::banner: write_note_over_all(when + describe(first).words); break;
            case Event::Shape::message: {
                const std::string reason =
                    event.lost() ? " (" + std::string(event.reason()) + ")" : "";
                for (const std::size_t to : event.to)
                    out_ += "    " + actor(cast_.id(event.place)) + (event.lost() ? "-x" : "->>") +
                            actor(cast_.id(to)) + ": " + when +
                            plain_text(std::string(event.text) + reason) + "\n";
                break;
            }
            case Event::Shape::note: {
                std::string words;
                for (const Record* record : event.records)
                    words += (words.empty() ? "" : ", ") + plain_words(*record);
                out_ += "    Note over " + actor(cast_.id(event.place)) + ": " + when +
                        plain_text(words) + "\n";
            }
        }
    }

    void write_note_over_all(const std::string& text) {
        if (cast_.size() == 0) return;
        out_ += "    Note over " + actor(cast_.id(0));
        if (cast_.size() > 1) (out_ += ',') += actor(cast_.id(cast_.size() - 1));
        out_ += ": " + plain_text(text) + "\n";
    }

    const Trace& trace_;
    Cast cast_;
    Flights flights_;
    Moments moments_;
    Duration whole_{};
    std::string out_;
};

}  // namespace

std::string mermaid(const Trace& trace, std::size_t most_events) {
    return Mermaid(trace).write(most_events);
}

}  // namespace conclave::trace
