// The diagram proper: every instant becomes as few lines as hold its events without a clash, the
// events of one node always below each other in their order.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "conclave/trace/arrow.hpp"
#include "conclave/trace/moment.hpp"
#include "conclave/trace/page.hpp"
#include "conclave/trace/stage.hpp"

namespace conclave::trace {

class Lifelines {
public:
    Lifelines(const Trace& trace, const Cast& cast, const Stage& stage, Page& page);

    void draw_ids();
    // An empty piece of lifelines where much more time passes than usual.
    void draw_pause();
    void draw(Time time, const std::vector<Event>& events);
    // Records that are not drawn still change who is up and who leads.
    void skip(const std::vector<Event>& events);
    // The ids once more, with what everybody believes at the end.
    void draw_outcome();

private:
    // A part of an event that goes on one line.
    struct Piece {
        const Event* event = nullptr;
        std::size_t row = 0;
        std::vector<const Record*> records{};  // of a note: what it tells
        std::string words{};                   // of a note or a banner
        std::size_t at = 0;                    // where the words of a note begin
        char32_t mark = 0;
        Tone tone = Tone::quiet;
        bool sender_down = false;  // of a message: before this instant
    };
    using Span = std::pair<std::size_t, std::size_t>;  // [first, end) columns
    struct Row {
        std::vector<Span> taken;
        std::vector<std::size_t> pieces;
    };

    void lay_message(const Event& event);
    void lay_note(const Event& event);
    void lay_banner(const Event& event);
    void lay_words(Piece piece);
    std::size_t find_row(Span span, std::size_t earliest) const;
    void add_piece(Piece piece, Span span);
    std::size_t note_room(std::size_t place) const;

    void draw_lifeline(Line& line, std::size_t place) const;
    void draw_lifelines(Line& line) const;
    void draw_piece(Line& line, const Piece& piece);
    void draw_note(Line& line, const Piece& piece);
    void draw_banner(Line& line, const Piece& piece) const;

    const Trace& trace_;
    const Cast& cast_;
    const Stage& stage_;
    Page& page_;
    std::vector<Presence> presence_;  // at the line being drawn
    std::size_t rows_since_ids_ = 0;

    // Of the instant at hand
    std::vector<Piece> pieces_;
    std::vector<Row> rows_;
    std::vector<std::size_t> earliest_;  // by place: the first line for its next event
    std::size_t floor_ = 0;              // no event goes above this line
    bool lone_note_ = false;
};

}  // namespace conclave::trace
