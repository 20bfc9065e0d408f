#include "conclave/trace/diagram.hpp"

#include <algorithm>

#include "conclave/trace/columns.hpp"
#include "conclave/trace/legend.hpp"
#include "conclave/trace/lifelines.hpp"
#include "conclave/trace/list.hpp"
#include "conclave/trace/page.hpp"
#include "conclave/trace/stage.hpp"

namespace conclave::trace {

namespace {

// The records that the window leaves out at either end.
struct Margins {
    std::size_t before = 0, after = 0;
};

template <class Picture>
Margins draw_moments(const Trace& trace, Moments& moments, const DiagramOptions& options,
                     Picture& picture, Legend& legend) {
    constexpr int much = 5;  // times the usual gap: then a pause is shown
    const Duration gap = usual_gap(trace) * much;
    Margins margins;
    Time previous = Time::max();
    for (std::size_t at = 0; at < trace.records.size();) {
        const auto instant = instant_at(trace, at);
        at += instant.size();
        const Time time = instant.front().time;
        const std::vector<Event>& events = moments.gather(instant);
        if (time < options.first || time > options.last) {
            (time < options.first ? margins.before : margins.after) += instant.size();
            if (time < options.first) picture.skip(events);
            continue;
        }
        if (events.empty()) continue;
        if constexpr (requires { picture.draw_pause(); })
            if (previous < time && gap > Duration{0} && time - previous > gap) picture.draw_pause();
        previous = time;
        legend.notice(events);
        picture.draw(time, events);
    }
    return margins;
}

void say_violations(const Trace& trace, Page& page) {
    constexpr std::size_t most = 5;
    std::size_t count = 0;
    for (const Record& record : trace.records) {
        if (record.kind != Kind::violation || ++count > most) continue;
        page.say("VIOLATION at " + short_time(record.time) + ": " + record.text, Tone::bad);
    }
    if (count > most) page.say("and " + counted(count - most, "more violation"), Tone::bad);
}

void say_unarrived(const Trace& trace, const Flights& flights, Page& page) {
    constexpr std::size_t most = 3;
    std::size_t count = 0;
    std::string examples;
    for (const Record& record : trace.records) {
        if (record.kind != Kind::send || record.other == everyone) continue;
        if (flights.ended(record) != nullptr || ++count > most) continue;
        examples += (examples.empty() ? "" : ", ") + record.text + " " + name_of(record.node) +
                    "→" + name_of(record.other);
    }
    if (count > 0)
        page.say("still on the way: " + examples +
                 (count > most ? " and " + grouped(count - most) + " more" : ""));
}

void say_margins(Margins margins, const DiagramOptions& options, Page& page) {
    std::string text;
    if (margins.before > 0)
        text = counted(margins.before, "record") + " before " + short_time(options.first);
    if (margins.after > 0)
        text += (text.empty() ? "" : " and ") + counted(margins.after, "record") + " after " +
                short_time(options.last);
    if (!text.empty()) page.say("left out: " + text, Tone::alert);
}

}  // namespace

std::string diagram(const Trace& trace, const DiagramOptions& wanted) {
    DiagramOptions options = wanted;
    options.width = std::max<std::size_t>(options.width, 40);
    const Cast cast(trace);
    const Flights flights(trace);
    Moments moments(trace, cast, flights);
    const Texts texts = measure_texts(trace, cast, flights, options);
    const auto stage = set_stage(texts, cast, options.width);
    Page page(options, texts.time, stage ? stage->left : texts.time + 2, texts.whole);
    if (!trace.title.empty()) {
        page.say(trace.title, Tone::strong);
        page.say("");
    }
    Legend legend;
    Margins margins;
    if (stage) {
        Lifelines lifelines(trace, cast, *stage, page);
        lifelines.draw_ids();
        margins = draw_moments(trace, moments, options, lifelines, legend);
        page.finish_rows();
        lifelines.draw_outcome();
    } else {
        List list(trace, cast, page);
        margins = draw_moments(trace, moments, options, list, legend);
        page.finish_rows();
        page.say("");
        list.draw_outcome();
    }
    page.say("");
    say_margins(margins, options, page);
    say_violations(trace, page);
    if (margins.after == 0) say_unarrived(trace, flights, page);
    const std::string signs = legend.text(stage.has_value());
    if (!signs.empty()) page.say(signs, Tone::quiet);
    return std::move(page).text();
}

}  // namespace conclave::trace
