// How diagrams and exports put a record into words: the same words everywhere.
#pragma once

#include <cstddef>
#include <string>

#include "conclave/trace/canvas.hpp"
#include "conclave/trace/record.hpp"

namespace conclave::trace {

// An event of one node: a mark for its lifeline (0: none) and a few words.
struct Phrase {
    char32_t mark = 0;
    std::string words;
    Tone tone = Tone::plain;
};
Phrase describe(const Record& record);
// The same where there is no lifeline: "★ leads".
std::string sentence(const Phrase& phrase);
// The same where there is no legend either: "follows 3" for "→3".
std::string plain_words(const Record& record);

std::string name_of(Id id);
// Rounded down to three digits after the point, in a unit for people: "12.483ms", "0".
std::string short_time(Time time);
// The part of a time that people care for in a run of this length: no nanoseconds in seconds.
Time readable_time(Time time, Duration whole);
// With commas: "1,234,567".
std::string grouped(std::size_t number);
// "1 line", "2 lines".
std::string counted(std::size_t number, std::string_view thing);

}  // namespace conclave::trace
