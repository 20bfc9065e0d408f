// The next event: arrivals, timers, and the script.
//
// Order is (time, kind, number): script before arrivals before timers, so that a reply which takes
// exactly the allowed time is in time. A binary heap with the events inline holds timers, and
// arrivals where their numbers are shown; InTransit chooses for the other arrivals.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "conclave/core/time.hpp"

namespace conclave::simulator {

template <class T>
struct Due {
    Time time;
    std::uint64_t number;
    T what;
};

// The earliest first, equal times in the order of their numbers.
template <class T>
class Heap {
public:
    bool empty() const { return items_.empty(); }
    Time next_time() const { return items_.empty() ? never : items_.front().time; }
    const Due<T>& front() const { return items_.front(); }
    void push(Due<T> item) {
        items_.push_back(std::move(item));
        std::push_heap(items_.begin(), items_.end(), later);
    }
    Due<T> pop() {
        std::pop_heap(items_.begin(), items_.end(), later);
        Due<T> item = std::move(items_.back());
        items_.pop_back();
        return item;
    }

private:
    static bool later(const Due<T>& a, const Due<T>& b) {
        return a.time != b.time ? a.time > b.time : a.number > b.number;
    }
    std::vector<Due<T>> items_;
};

}  // namespace conclave::simulator
