#include "conclave/trace/lifelines.hpp"

#include <algorithm>

#include "conclave/trace/columns.hpp"

namespace conclave::trace {

Lifelines::Lifelines(const Trace& trace, const Cast& cast, const Stage& stage, Page& page)
    : trace_(trace),
      cast_(cast),
      stage_(stage),
      page_(page),
      presence_(first_presence(trace, cast)),
      earliest_(cast.size()) {}

void Lifelines::draw_ids() {
    Line line(stage_.width);
    for (std::size_t i = 0; i < cast_.size(); ++i)
        line.write(stage_.x(i), name_of(cast_.id(i)), Tone::strong);
    page_.add(line);
    rows_since_ids_ = 0;
}

void Lifelines::draw_pause() {
    Line line(stage_.width);
    draw_lifelines(line);
    page_.add(line, U'⋮');
}

void Lifelines::skip(const std::vector<Event>& events) {
    for (const Event& event : events)
        if (event.shape == Event::Shape::note)
            for (const Record* record : event.records) presence_[event.place].apply(*record);
}

void Lifelines::draw_outcome() {
    std::vector<std::string> beliefs;
    std::size_t widest = 0;
    for (std::size_t i = 0; i < cast_.size(); ++i) {
        const Presence& presence = presence_[i];
        const bool leads = presence.leads(cast_.id(i));
        const std::string follows = presence.leader == nobody ? "" : "→" + name_of(presence.leader);
        beliefs.push_back(!presence.up ? "╳" : leads ? "★" : follows);
        widest = std::max(widest, name_of(cast_.id(i)).size() + 1 + columns_of(beliefs.back()));
    }
    Line line(stage_.width);
    const bool below = widest >= stage_.spacing;
    if (below) draw_ids();
    for (std::size_t i = 0; i < cast_.size(); ++i) {
        const Tone tone = beliefs[i] == "★"   ? Tone::good
                          : beliefs[i] == "╳" ? Tone::bad
                                              : Tone::plain;
        std::size_t at = stage_.x(i);
        if (!below) at = line.write(at, name_of(cast_.id(i)), Tone::strong) + 1;
        line.write(at, beliefs[i], tone);
    }
    page_.add(line);
}

// ------------------------------------------------------------------ which line

void Lifelines::draw(Time time, const std::vector<Event>& events) {
    constexpr std::size_t page_length = 48;  // then the ids come again, for who scrolls
    pieces_.clear();
    rows_.clear();
    std::fill(earliest_.begin(), earliest_.end(), 0);
    floor_ = 0;
    const auto is_note = [](const Event& event) { return event.shape == Event::Shape::note; };
    lone_note_ = std::count_if(events.begin(), events.end(), is_note) == 1;
    for (const Event& event : events) {
        switch (event.shape) {
            case Event::Shape::message: lay_message(event); break;
            case Event::Shape::note: lay_note(event); break;
            case Event::Shape::banner: lay_banner(event); break;
        }
    }
    if (rows_since_ids_ >= page_length && !rows_.empty()) draw_ids();
    Line line(stage_.width);
    for (const Row& row : rows_) {
        line.clear();
        draw_lifelines(line);
        for (const std::size_t piece : row.pieces) draw_piece(line, pieces_[piece]);
        page_.add(time, line);
        ++rows_since_ids_;
    }
}

// The next search for the same node begins where this one ends, so that all searches of a crowded
// instant together pass each row at most once for each node.
std::size_t Lifelines::find_row(Span span, std::size_t earliest) const {
    std::size_t row = std::max(earliest, floor_);
    const auto clash = [&](Span taken) {
        return taken.first < span.second && span.first < taken.second;
    };
    const auto free = [&](const Row& taken) {
        return std::none_of(taken.taken.begin(), taken.taken.end(), clash);
    };
    while (row < rows_.size() && !free(rows_[row])) ++row;
    return row;
}

void Lifelines::add_piece(Piece piece, Span span) {
    if (piece.row >= rows_.size()) rows_.resize(piece.row + 1);
    rows_[piece.row].taken.push_back(span);
    rows_[piece.row].pieces.push_back(pieces_.size());
    pieces_.push_back(std::move(piece));
}

void Lifelines::lay_message(const Event& event) {
    const bool sender_down = !presence_[event.place].up;
    const Arrow arrow(event, stage_, sender_down);
    std::size_t earliest = 0;
    for (const std::size_t to : event.to) earliest = std::max(earliest, earliest_[to]);
    if (event.sent == event.records.front()->time)  // it took no time at all
        earliest = std::max(earliest, earliest_[event.place]);
    const Span span{arrow.first(), arrow.end()};
    const std::size_t row = find_row(span, earliest);
    // The effects of a single message may stand on its line; those of many stand below, for all.
    for (const std::size_t to : event.to) earliest_[to] = row + (event.to.size() > 1 ? 1 : 0);
    add_piece({.event = &event, .row = row, .sender_down = sender_down}, span);
}

// For several words of one node. Where it is narrow they may run over a lifeline, if they are
// alone.
std::size_t Lifelines::note_room(std::size_t place) const {
    constexpr std::size_t narrow = 10;
    if (stage_.spacing < narrow && lone_note_) return 2 * narrow;
    return place + 1 < stage_.count ? stage_.spacing - 3 : stage_.width - stage_.x(place) - 2;
}

void Lifelines::lay_note(const Event& event) {
    Piece piece{.event = &event};
    for (const Record* record : event.records) {
        Phrase phrase = describe(*record);
        // That everybody starts at the beginning needs no words.
        if (record->kind == Kind::start && record->time == trace_.records.front().time)
            phrase.words.clear();
        const auto joined = [&] {
            const bool both = !piece.words.empty() && !phrase.words.empty();
            return piece.words + (both ? ", " : "") + phrase.words;
        };
        const bool full = columns_of(joined()) > note_room(event.place);
        const bool marked = piece.mark != 0 && !piece.words.empty() && phrase.mark != 0;
        if (!piece.records.empty() && (full || marked)) {
            lay_words(std::move(piece));
            piece = {.event = &event};
        }
        piece.words = joined();
        if (phrase.mark != 0) piece.mark = phrase.mark;
        piece.tone = std::max(piece.tone, phrase.tone);
        piece.records.push_back(record);
    }
    lay_words(std::move(piece));
}

// Right of the lifeline; left of it where the line ends too soon.
void Lifelines::lay_words(Piece piece) {
    const std::size_t place = piece.event->place, x = stage_.x(place);
    const std::size_t right_room = stage_.width > x + 2 ? stage_.width - x - 2 : 0;
    const std::size_t left_room = x > 2 ? x - 2 : 0;
    const std::size_t columns = columns_of(piece.words);
    Span span;
    if (columns > right_room && left_room > right_room) {
        piece.words = clip(piece.words, left_room);
        piece.at = x - 1 - columns_of(piece.words);
        span = {piece.at - 1, x + 2};
    } else {
        piece.words = clip(piece.words, right_room);
        // Close to its own lifeline if that saves the next one.
        const bool tight = place + 1 < stage_.count && columns + 1 == stage_.spacing;
        piece.at = x + (tight ? 1 : 2);
        const std::size_t end = piece.at + columns_of(piece.words);
        const std::size_t covered = (end - 1) / stage_.spacing * stage_.spacing;
        span = {x + 1, covered > x ? std::max(end, covered + 2) : end};
    }
    piece.row = find_row(span, earliest_[place]);
    earliest_[place] = piece.row + 1;
    add_piece(std::move(piece), span);
}

void Lifelines::lay_banner(const Event& event) {
    const Record& record = *event.records.front();
    const bool violation = record.kind == Kind::violation;
    const std::string text = violation ? "VIOLATION  " + record.text : record.text;
    for (const std::string& piece : wrap(text, stage_.width - 6)) {
        add_piece({.event = &event, .row = rows_.size(), .words = piece}, {0, stage_.width});
    }
    floor_ = rows_.size();
}

// ------------------------------------------------------------------ on that line

void Lifelines::draw_lifeline(Line& line, std::size_t place) const {
    const Presence& presence = presence_[place];
    const bool leads = presence.leads(cast_.id(place));
    const char32_t running = leads ? U'┃' : U'│', stopped = leads ? U'┋' : U'┊';
    const char32_t glyph = !presence.up ? U' ' : presence.paused ? stopped : running;
    line.put(stage_.x(place), glyph, leads ? Tone::good : Tone::quiet);
}

void Lifelines::draw_lifelines(Line& line) const {
    for (std::size_t place = 0; place < cast_.size(); ++place) draw_lifeline(line, place);
}

void Lifelines::draw_piece(Line& line, const Piece& piece) {
    switch (piece.event->shape) {
        case Event::Shape::message:
            return Arrow(*piece.event, stage_, piece.sender_down).draw(line, presence_, cast_);
        case Event::Shape::note: return draw_note(line, piece);
        case Event::Shape::banner: return draw_banner(line, piece);
    }
}

void Lifelines::draw_note(Line& line, const Piece& piece) {
    const std::size_t place = piece.event->place, x = stage_.x(place);
    for (const Record* record : piece.records) presence_[place].apply(*record);
    draw_lifeline(line, place);
    if (piece.mark != 0) line.put(x, piece.mark, piece.mark == U'┬' ? Tone::quiet : piece.tone);
    if (piece.words.empty()) return;
    line.write(piece.at, piece.words, piece.tone);
}

void Lifelines::draw_banner(Line& line, const Piece& piece) const {
    const bool violation = piece.event->records.front()->kind == Kind::violation;
    const Tone tone = violation ? Tone::bad : Tone::alert;
    const std::size_t columns = columns_of(piece.words);
    const std::size_t end = std::min(stage_.width, std::max(stage_.right, columns + 6));
    line.fill(0, end, violation ? U'█' : U'═', tone);
    line.fill(2, 4 + columns, U' ');
    line.write(3, piece.words, tone);
}

}  // namespace conclave::trace
