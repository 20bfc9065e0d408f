#include "conclave/timed/daemon/sending.hpp"

#include <algorithm>

namespace conclave::timed {

Sending::Sending(net::Loop& loop, std::uint16_t first, Transmit transmit,
                 std::function<void(const Ended&)> ended)
    : loop_(loop),
      counter_(first),
      transmit_(std::move(transmit)),
      ended_(std::move(ended)),
      alarm_(loop, [this] { ring(); }) {}

std::uint16_t Sending::next_number() {
    if (++counter_ == 0) ++counter_;
    return counter_;
}

void Sending::post(Order order) {
    order.datagram.sequence = next_number();
    const Time now = loop_.time();
    Item item{std::move(order), now, first_wait_};
    if (item.order.delay > Duration{0}) {
        item.due += item.order.delay;
    } else {
        transmit_(item.order);
        item.sent = 1;
        item.due += item.wait;
        item.wait *= 2;
    }
    items_.push_back(std::move(item));
    plan();
}

void Sending::plan() {
    Time due = never;
    for (const Item& item : items_) due = std::min(due, item.due);
    alarm_.set(due);
}

void Sending::ring() {
    const Time now = loop_.time();
    std::list<Item> lost;
    for (auto at = items_.begin(); at != items_.end();) {
        const auto next = std::next(at);
        if (at->due <= now) {
            if (at->sent == at->order.copies) {
                lost.splice(lost.end(), items_, at);
            } else {
                transmit_(at->order);
                ++at->sent;
                at->due = now + at->wait;
                at->wait *= 2;
            }
        }
        at = next;
    }
    plan();
    for (const Item& item : lost) ended_({item.order.to, item.order.datagram.type, false});
}

bool Sending::acknowledge(Type type, Id from, std::uint16_t number) {
    const auto at = std::find_if(items_.begin(), items_.end(), [&](const Item& item) {
        return item.order.wanted == type && item.order.datagram.sequence == number &&
               (item.order.to == from || item.order.to == everyone) && item.sent != 0;
    });
    if (at == items_.end()) return false;
    const Ended ended{from, at->order.datagram.type, true};
    items_.erase(at);
    plan();
    ended_(ended);
    return true;
}

void Sending::forget(Type type) {
    items_.remove_if([&](const Item& item) { return item.order.datagram.type == type; });
    plan();
}

void Sending::forget_all() {
    items_.clear();
    plan();
}

void Sending::forget_same(Id to, Type type) {
    items_.remove_if(
        [&](const Item& item) { return item.order.to == to && item.order.datagram.type == type; });
    plan();
}

}  // namespace conclave::timed
