#include "conclave/trace/legend.hpp"

namespace conclave::trace {

void Legend::notice(const std::vector<Event>& events) {
    for (const Event& event : events) {
        if (event.shape == Event::Shape::message) {
            (event.lost() ? lost_ : arrives_) = true;
            fans_out_ = fans_out_ || event.to.size() > 1;
        }
        if (event.shape != Event::Shape::note) continue;
        for (const Record* record : event.records) {
            if (record->kind == Kind::follow)
                (record->other == record->node ? leads_ : follows_) = true;
            timer_ = timer_ || record->kind == Kind::timer;
        }
    }
}

std::string Legend::text(bool lifelines) const {
    std::string text;
    const auto add = [&](bool seen, const char* words) {
        if (seen) text += (text.empty() ? "" : "   ") + std::string(words);
    };
    add(arrives_, lifelines ? "──▶ arrives" : "→ arrives");
    add(lost_, lifelines ? "╌╌✗ lost" : "✗ lost");
    add(fans_out_ && lifelines, "● to several");
    add(leads_, lifelines ? "★ ┃ leads" : "★ leads");
    add(follows_, "→n follows n");
    add(timer_, "◷ timer");
    return text;
}

}  // namespace conclave::trace
