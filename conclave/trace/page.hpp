// The lines of a diagram on their way out: each with its time in front where that is news, and,
// if there are too many of them, a middle that is left out.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "conclave/trace/canvas.hpp"
#include "conclave/trace/diagram.hpp"

namespace conclave::trace {

class Page {
public:
    // Times end at the column `time_end`, bodies begin at `left`; the run takes the time `whole`.
    Page(const DiagramOptions& options, std::size_t time_end, std::size_t left, Duration whole);

    std::size_t body_width() const { return width_ - left_; }

    void add(Time time, const Line& body);
    // A line that belongs to no time: the ids, or a mark instead of a time.
    void add(const Line& body, char32_t instead_of_time = U' ');
    // A line over the whole width, which is never left out.
    void say(std::string_view text, Tone tone = Tone::plain);
    // From here on nothing is left out.
    void finish_rows();

    std::string text() && { return std::move(out_); }

private:
    struct Row {
        std::optional<Time> time;
        bool news = false;  // the time differs from that of the row before
        char32_t instead_of_time = U' ';
        Line body;
    };
    void take(Row row);
    void drop_row();
    void print(const Row& row, bool with_time);

    std::size_t width_;
    Ink ink_;
    std::size_t time_end_, left_;
    Duration whole_;
    std::size_t head_, tail_;  // how many rows are kept at either end
    std::size_t rows_ = 0;
    std::optional<Time> time_;
    std::deque<Row> kept_;  // of the tail
    std::size_t dropped_ = 0;
    std::optional<Time> dropped_first_, dropped_last_;
    std::string out_;
};

}  // namespace conclave::trace
