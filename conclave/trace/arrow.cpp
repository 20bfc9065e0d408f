#include "conclave/trace/arrow.hpp"

#include <algorithm>
#include <utility>

#include "conclave/trace/columns.hpp"

namespace conclave::trace {

Arrow::Arrow(const Event& event, const Stage& stage, bool sender_down)
    : event_(event), stage_(stage), low_(event.place), high_(event.place), label_(event.text) {
    for (const std::size_t to : event.to) {
        low_ = std::min(low_, to);
        high_ = std::max(high_, to);
    }
    if (sender_down) label_ += ", sent " + short_time(event.sent);
    first_ = stage.x(low_);
    end_ = stage.x(high_) + 1;
    place_label();
    // No note beside the sender on this line: it would look as if the message had caused it.
    end_ = std::max(end_, stage.x(event.place) + 2);
}

bool Arrow::ends_at(std::size_t place) const {
    return std::find(event_.to.begin(), event_.to.end(), place) != event_.to.end();
}

void Arrow::place_label() {
    const std::string bare = label_;
    if (event_.lost() && !event_.reason().empty())
        label_ += " (" + std::string(event_.reason()) + ")";
    if (low_ == high_) {  // to itself
        label_ = (event_.lost() ? "✗ " : "↺ ") + label_;
        return label_outside();
    }
    if (label_inside()) return;
    const bool could_part = label_ != bare && event_.to.size() == 1 && rightward();
    const std::size_t beside = stage_.x(high_) + 2, columns = columns_of(event_.reason());
    if (could_part && beside + columns <= stage_.width) {
        const std::string whole = std::exchange(label_, bare);
        if (label_inside()) {
            reason_ = event_.reason();
            end_ = beside + columns + 1;
            return;
        }
        label_ = whole;
    }
    label_outside();
}

bool Arrow::label_inside() {
    for (std::size_t gap = event_.place; gap < high_; ++gap)
        if (label_in_gap(gap)) return true;
    for (std::size_t gap = event_.place; gap > low_; --gap)
        if (label_in_gap(gap - 1)) return true;
    return event_.to.size() == 1 && label_across();
}

// Between two neighbouring lifelines, on the sender's side, with one dash before it at least.
bool Arrow::label_in_gap(std::size_t gap) {
    const bool right = gap >= event_.place;
    const std::size_t head = ends_at(right ? gap + 1 : gap) ? 1 : 0;
    const std::size_t inner = stage_.spacing - 1, columns = columns_of(label_);
    if (columns + 1 + std::max<std::size_t>(head, 1) > inner) return false;
    const std::size_t lead = columns + 4 + head > inner ? 1 : 2;
    label_at_ = stage_.x(gap) + 1 + (right ? lead : inner - lead - columns);
    return true;
}

// Over the lifelines it passes.
bool Arrow::label_across() {
    const std::size_t inner = stage_.x(high_) - stage_.x(low_) - 1, columns = columns_of(label_);
    if (columns + 4 > inner) return false;
    label_at_ = rightward() ? stage_.x(low_) + 3 : stage_.x(high_) - 2 - columns;
    return true;
}

// Right of everything, or else left of it; cut if neither has the room.
void Arrow::label_outside() {
    const std::size_t right = end_ + 1;
    const std::size_t right_room = stage_.width > right ? stage_.width - right : 0;
    const std::size_t left_room = first_ > 1 ? first_ - 1 : 0;
    const std::size_t columns = columns_of(label_);
    if (columns <= right_room || right_room >= left_room) {
        label_ = clip(label_, right_room);
        label_at_ = right;
        end_ = right + columns_of(label_) + 1;
    } else {
        label_ = clip(label_, left_room);
        label_at_ = first_ - 1 - columns_of(label_);
        first_ = label_at_ == 0 ? 0 : label_at_ - 1;
    }
}

void Arrow::draw(Line& line, std::span<const Presence> presence, const Cast& cast) const {
    const bool lost = event_.lost();
    const Tone tone = lost ? Tone::bad : Tone::plain;
    const std::size_t from = event_.place;
    if (low_ != high_) {
        line.fill(stage_.x(low_) + 1, stage_.x(high_), lost ? U'╌' : U'─', tone);
        for (std::size_t place = low_ + 1; place < high_; ++place) {
            if (!presence[place].up) continue;
            const bool leads = presence[place].leads(cast.id(place));
            line.put(stage_.x(place), leads ? U'╂' : U'┼', leads ? Tone::good : tone);
        }
        for (const std::size_t to : event_.to) {
            const std::size_t at = to > from ? stage_.x(to) - 1 : stage_.x(to) + 1;
            line.put(at, lost ? U'✗' : to > from ? U'▶' : U'◀', tone);
        }
        const bool up = presence[from].up, leads = presence[from].leads(cast.id(from));
        const char32_t one_way = rightward() ? (leads ? U'┠'
                                                : up  ? U'├'
                                                      : U'╶')
                                             : (leads ? U'┨'
                                                : up  ? U'┤'
                                                      : U'╴');
        line.put(stage_.x(from), event_.to.size() > 1 ? U'●' : one_way, leads ? Tone::good : tone);
    }
    if (columns_of(label_) > 0) line.write(label_at_, label_, lost ? Tone::bad : Tone::strong);
    if (!reason_.empty()) line.put(line.write(stage_.x(high_) + 2, reason_, Tone::bad), U' ');
    // Air around a label that lies over other lifelines.
    if (label_at_ >= stage_.x(high_) + 2) line.put(label_at_ + columns_of(label_), U' ');
    if (label_at_ + 1 < stage_.x(low_) && label_at_ > 0) line.put(label_at_ - 1, U' ');
}

}  // namespace conclave::trace
