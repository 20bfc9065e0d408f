// Where the lifelines stand: as close together as the texts between them allow.
#pragma once

#include <cstddef>
#include <optional>

#include "conclave/trace/cast.hpp"
#include "conclave/trace/diagram.hpp"

namespace conclave::trace {

// How much room the texts of a trace would like.
struct Texts {
    Duration whole{};  // how long the run takes
    std::size_t time = 4;
    std::size_t message = 0;
    std::size_t note = 0;
    std::size_t reason = 0;     // why a message was lost
    std::size_t last_note = 0;  // of the node at the right edge
};
Texts measure_texts(const Trace& trace, const Cast& cast, const Flights& flights,
                    const DiagramOptions& options);

struct Stage {
    std::size_t count = 0;
    std::size_t left = 0;   // where the body begins, right of the times
    std::size_t width = 0;  // of the body
    std::size_t spacing = 1;
    std::size_t right = 0;  // where horizontal rules end

    std::size_t x(std::size_t place) const { return place * spacing; }
};
// Nothing if the nodes do not fit side by side.
std::optional<Stage> set_stage(const Texts& texts, const Cast& cast, std::size_t width);

}  // namespace conclave::trace
