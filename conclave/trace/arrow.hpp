// One message on one line of the diagram: from its sender's lifeline to that of every receiver.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "conclave/trace/canvas.hpp"
#include "conclave/trace/moment.hpp"
#include "conclave/trace/stage.hpp"

namespace conclave::trace {

class Arrow {
public:
    // `sender_down`: the sender has crashed since; then it is good to know when it sent this.
    Arrow(const Event& event, const Stage& stage, bool sender_down);

    // The columns nothing else may use, [first, end).
    std::size_t first() const { return first_; }
    std::size_t end() const { return end_; }
    void draw(Line& line, std::span<const Presence> presence, const Cast& cast) const;

private:
    void place_label();
    bool label_inside();
    bool label_in_gap(std::size_t gap);
    bool label_across();
    void label_outside();
    bool ends_at(std::size_t place) const;
    bool rightward() const { return high_ > event_.place; }

    const Event& event_;
    const Stage& stage_;
    std::size_t low_, high_;  // the outermost lifelines it touches
    std::string label_;
    std::size_t label_at_ = 0;
    std::string reason_;  // beside the receiver, where the line has no room for it
    std::size_t first_, end_;
};

}  // namespace conclave::trace
