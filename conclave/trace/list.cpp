#include "conclave/trace/list.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "conclave/trace/columns.hpp"

namespace conclave::trace {

namespace {

struct Note {
    std::string words;
    Tone tone = Tone::quiet;
};

Note note_of(const Event& event) {
    Note note;
    for (const Record* record : event.records) {
        const Phrase phrase = describe(*record);
        note.words += (note.words.empty() ? "" : ", ") + sentence(phrase);
        note.tone = std::max(note.tone, phrase.tone);
    }
    return note;
}

}  // namespace

List::List(const Trace& trace, const Cast& cast, Page& page)
    : cast_(cast), page_(page), presence_(first_presence(trace, cast)) {
    for (std::size_t i = 0; i < cast.size(); ++i)
        id_columns_ = std::max(id_columns_, name_of(cast.id(i)).size());
}

void List::draw(Time time, const std::vector<Event>& events) {
    for (std::size_t i = 0; i < events.size();) {
        switch (events[i].shape) {
            case Event::Shape::message:
                i += draw_messages(time, std::span(events).subspan(i));
                break;
            case Event::Shape::note: i += draw_notes(time, std::span(events).subspan(i)); break;
            case Event::Shape::banner: draw_banner(time, events[i++]); break;
        }
    }
    skip(events);
}

// The same said by many to the same in a row, as an answer to a broadcast: one line.
std::size_t List::draw_messages(Time time, std::span<const Event> events) {
    const Event& first = events.front();
    std::vector<std::size_t> from{first.place};
    std::size_t count = 1;
    const auto alike = [&](const Event& event) {
        return event.shape == Event::Shape::message && event.lost() == first.lost() &&
               event.text == first.text && event.reason() == first.reason() && event.to == first.to;
    };
    for (; count < events.size() && alike(events[count]); ++count)
        from.push_back(events[count].place);
    const std::string who =
        aligned(from) + (first.lost() ? " ✗ " : " → ") + all_but(first.place, first.to);
    const std::string reason = first.lost() ? " (" + std::string(first.reason()) + ")" : "";
    add(time, who, std::string(first.text) + reason, first.lost() ? Tone::bad : Tone::plain);
    return count;
}

// The same for many nodes in a row, as after a broadcast: one line.
std::size_t List::draw_notes(Time time, std::span<const Event> events) {
    const Note note = note_of(events.front());
    std::vector<std::size_t> places{events.front().place};
    std::size_t count = 1;
    const auto alike = [&](const Event& event) {
        return event.shape == Event::Shape::note && note_of(event).words == note.words;
    };
    for (; count < events.size() && alike(events[count]); ++count)
        places.push_back(events[count].place);
    add(time, aligned(places), note.words, note.tone);
    return count;
}

void List::draw_banner(Time time, const Event& event) {
    const Phrase phrase = describe(*event.records.front());
    const bool violation = event.records.front()->kind == Kind::violation;
    add(time, violation ? "████" : "════", phrase.words, phrase.tone);
}

void List::skip(const std::vector<Event>& events) {
    for (const Event& event : events)
        if (event.shape == Event::Shape::note)
            for (const Record* record : event.records) presence_[event.place].apply(*record);
}

// The nodes by the end that they share, the leaders first.
void List::draw_outcome() {
    std::map<std::pair<int, std::string>, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < cast_.size(); ++i) {
        const Presence& presence = presence_[i];
        if (presence.leads(cast_.id(i)))
            groups[{0, "★ leads"}].push_back(i);
        else if (presence.up && presence.leader != nobody)
            groups[{1, "→" + name_of(presence.leader)}].push_back(i);
        else
            groups[presence.up ? std::pair{2, "no leader"} : std::pair{3, "╳ down"}].push_back(i);
    }
    for (const auto& [group, places] : groups) {
        constexpr std::array<Tone, 4> tones{Tone::good, Tone::plain, Tone::plain, Tone::bad};
        Line line(page_.body_width());
        const std::size_t at = line.write(0, names(places), Tone::strong);
        line.write(at + 1, group.second, tones[static_cast<std::size_t>(group.first)]);
        page_.add(line);
    }
}

void List::add(Time time, std::string_view who, std::string_view what, Tone tone) {
    const std::size_t at = std::max(columns_of(who), 2 * id_columns_ + 3) + 2;
    const std::size_t room = page_.body_width() > at + 20 ? page_.body_width() - at : 20;
    bool first = true;
    for (const std::string& piece : wrap(what, room)) {
        Line line(page_.body_width());
        if (first) line.write(0, who, tone == Tone::plain ? Tone::strong : tone);
        line.write(at, piece, tone);
        page_.add(time, line);
        first = false;
    }
}

std::string List::aligned(const std::vector<std::size_t>& places) const {
    const std::string text = names(places);
    return std::string(id_columns_ - std::min(id_columns_, text.size()), ' ') + text;
}

std::string List::all_but(std::size_t place, const std::vector<std::size_t>& places) const {
    const bool all = places.size() + 1 == cast_.size() && places.size() > 1;
    return all && std::find(places.begin(), places.end(), place) == places.end() ? "all"
                                                                                 : names(places);
}

// "2-5,9", or how many if that would be long.
std::string List::names(const std::vector<std::size_t>& places) const {
    constexpr std::size_t most = 24;
    std::vector<std::uint32_t> ids;
    for (const std::size_t place : places)
        ids.push_back(static_cast<std::uint32_t>(cast_.id(place)));
    std::sort(ids.begin(), ids.end());
    std::string text;
    for (std::size_t i = 0; i < ids.size() && text.size() <= most; ++i) {
        if (!text.empty()) text += ',';
        text += std::to_string(ids[i]);
        std::size_t end = i;
        while (end + 1 < ids.size() && ids[end + 1] == ids[end] + 1) ++end;
        if (end > i) (text += end > i + 1 ? '-' : ',') += std::to_string(ids[end]);
        i = end;
    }
    return text.size() <= most ? text : counted(ids.size(), "node");
}

}  // namespace conclave::trace
