// The same events for groups that do not fit side by side: one line each,
//   12.5ms  7 → 8  Election(9)
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/trace/moment.hpp"
#include "conclave/trace/page.hpp"

namespace conclave::trace {

class List {
public:
    List(const Trace& trace, const Cast& cast, Page& page);

    void draw(Time time, const std::vector<Event>& events);
    void skip(const std::vector<Event>& events);
    void draw_outcome();

private:
    std::size_t draw_messages(Time time, std::span<const Event> events);
    std::size_t draw_notes(Time time, std::span<const Event> events);
    void draw_banner(Time time, const Event& event);
    void add(Time time, std::string_view who, std::string_view what, Tone tone);
    std::string names(const std::vector<std::size_t>& places) const;
    std::string aligned(const std::vector<std::size_t>& places) const;
    std::string all_but(std::size_t place, const std::vector<std::size_t>& places) const;

    const Cast& cast_;
    Page& page_;
    std::vector<Presence> presence_;
    std::size_t id_columns_ = 1;
};

}  // namespace conclave::trace
