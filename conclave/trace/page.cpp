#include "conclave/trace/page.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "conclave/trace/columns.hpp"
#include "conclave/trace/phrases.hpp"

namespace conclave::trace {

Page::Page(const DiagramOptions& options, std::size_t time_end, std::size_t left, Duration whole)
    : width_(options.width),
      ink_{options.colour, options.unicode},
      time_end_(time_end),
      left_(left),
      whole_(whole) {
    const std::size_t most = options.max_rows == 0 ? std::numeric_limits<std::size_t>::max()
                                                   : std::max<std::size_t>(options.max_rows, 4);
    tail_ = options.max_rows == 0 ? 0 : most / 3;
    head_ = most - tail_ - (options.max_rows == 0 ? 0 : 1);  // one for the line that tells of it
}

void Page::add(Time time, const Line& body) {
    time = readable_time(time, whole_);
    take({time, time_ != time, U' ', body});
    time_ = time;
}

void Page::add(const Line& body, char32_t instead_of_time) {
    take({std::nullopt, false, instead_of_time, body});
}

void Page::take(Row row) {
    ++rows_;
    if (rows_ <= head_) return print(row, row.news);
    kept_.push_back(std::move(row));
    if (kept_.size() > tail_ + 1) drop_row();  // a single one takes no more room than its absence
}

void Page::drop_row() {
    const Row& gone = kept_.front();
    if (!dropped_first_) dropped_first_ = gone.time;
    if (gone.time) dropped_last_ = gone.time;
    ++dropped_;
    kept_.pop_front();
}

void Page::finish_rows() {
    if (dropped_ > 0) {
        drop_row();  // the one that was kept in case it would be the only one
        while (!kept_.empty() && kept_.front().instead_of_time != U' ') drop_row();
        Line line(body_width());
        std::string text = counted(dropped_, "line") + " left out";
        if (dropped_first_ && dropped_last_)
            text += ", from " + short_time(*dropped_first_) + " to " + short_time(*dropped_last_);
        line.write(0, text, Tone::alert);
        print({std::nullopt, false, U'⋮', line}, false);
    }
    bool first = dropped_ > 0;
    for (const Row& row : kept_) {
        print(row, row.news || (first && row.time));
        first = first && !row.time;
    }
    kept_.clear();
    head_ = std::numeric_limits<std::size_t>::max();
}

void Page::print(const Row& row, bool with_time) {
    std::string time = with_time && row.time ? short_time(*row.time) : std::string{};
    if (row.instead_of_time != U' ') append_glyph(time, row.instead_of_time);
    std::string body;
    row.body.append_to(body, ink_);
    Line margin(left_ + 1);
    margin.write(time_end_ - std::min(columns_of(time), time_end_), time, Tone::quiet);
    if (body == "\n") return margin.append_to(out_, ink_);
    margin.put(left_, U'|');  // keeps the spaces before it
    margin.append_to(out_, ink_);
    out_.resize(out_.size() - 2);
    out_ += body;
}

void Page::say(std::string_view text, Tone tone) {
    for (const std::string& piece : wrap(text, width_)) {
        Line line(width_);
        line.write(0, piece, tone);
        line.append_to(out_, ink_);
    }
}

}  // namespace conclave::trace
