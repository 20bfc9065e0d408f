// What is due next: arrivals, timers, and what the script says.
//
// Order is (time, kind, number): script before arrivals before timers, so that a reply which takes
// exactly the allowed time is in time. While every message takes the same delay, arrivals come in
// the order of sending and a ring buffer holds them; otherwise a binary heap with the events inline
// does, which at these sizes nothing beats by much.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "conclave/core/time.hpp"

namespace conclave::simulator {

// First in, first out, without a bound.
template <class T>
class RingBuffer {
public:
    bool empty() const { return head_ == tail_; }
    const T& front() const { return slots_[head_ & mask_]; }
    void pop() { ++head_; }
    void push(const T& item) {
        if (tail_ - head_ == slots_.size()) grow();
        slots_[tail_++ & mask_] = item;
    }

private:
    void grow() {
        std::vector<T> wider(std::max<std::size_t>(64, 2 * slots_.size()));
        for (std::size_t i = head_; i != tail_; ++i)
            wider[i - head_] = std::move(slots_[i & mask_]);
        tail_ -= head_;
        head_ = 0;
        slots_ = std::move(wider);
        mask_ = slots_.size() - 1;
    }

    std::vector<T> slots_;
    std::size_t head_ = 0, tail_ = 0, mask_ = 0;
};

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
