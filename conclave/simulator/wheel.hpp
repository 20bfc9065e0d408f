// What is due, for delays of all kinds: buckets of time within buckets of time.
//
// A time is a number of eleven digits of six bits. What differs from the present in its highest
// digits waits in a bucket for that digit; when its bucket's time has come, it is dealt out to the
// buckets of the next digit. A bucket that holds only a few items is sorted instead: it becomes the
// run, whose items leave one by one. Each item is moved a few times, however many others wait,
// where a heap as large as the memory cache costs a miss a level.
//
// Equal times leave in the order in which they came: buckets keep it, sorting keeps it, and nothing
// can have entered a lower bucket before its upper one was dealt out.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "conclave/core/time.hpp"
#include "conclave/simulator/chunks.hpp"

namespace conclave::simulator {

template <class T>
class Wheel {
public:
    struct Item {
        Time time;
        T what;
    };

    // `item` is not due before what left last.
    void push(const Item& item) {
        if (item.time <= run_last_)
            enter_run(item);
        else
            enter_bucket(item);
    }

    Time next_time() const {
        if (next_ != run_.size()) return run_[next_].time;
        if (levels_ == 0) return never;
        const Level& level = wheel_[lowest_level()];
        return level.buckets[lowest_bit(level.filled)].least;
    }

    Item pop() {
        if (next_ == run_.size()) start_run();
        Item item = std::move(run_[next_++]);
        base_ = item.time;
        return item;
    }

private:
    static constexpr unsigned digit_bits = 6, digits = 11;
    static constexpr std::size_t few = 24;   // so many are rather sorted than dealt out
    static constexpr std::size_t many = 96;  // and a run that has grown so long is dealt out

    struct Bucket {
        Chunk<Item>*first = nullptr, *last = nullptr;
        std::size_t size = 0;
        Time least = never;
    };
    struct Level {
        std::uint64_t filled = 0;  // a bit for each bucket that is not empty
        std::array<Bucket, 64> buckets;
    };

    static unsigned lowest_bit(std::uint64_t bits) {
        return static_cast<unsigned>(std::countr_zero(bits));
    }
    unsigned lowest_level() const { return lowest_bit(levels_); }

    // Sorted from the back: late-comers stay behind those of the same time.
    void enter_run(const Item& item) {
        if (next_ == run_.size()) run_.clear(), next_ = 0;
        run_.push_back(item);
        std::size_t at = run_.size() - 1;
        if (at == next_ || run_[at - 1].time <= item.time) return;
        for (; at != next_ && item.time < run_[at - 1].time; --at)
            run_[at] = std::move(run_[at - 1]);
        run_[at] = item;
        if (run_.size() - next_ > many) deal_out_run();
    }

    void enter_bucket(const Item& item) {
        const auto time = static_cast<std::uint64_t>(item.time.count());
        const auto differs = time ^ static_cast<std::uint64_t>(base_.count());
        const unsigned digit = (static_cast<unsigned>(std::bit_width(differs)) - 1) / digit_bits;
        const std::uint64_t slot = time >> (digit * digit_bits) & 63;
        Level& level = wheel_[digit];
        levels_ |= std::uint64_t{1} << digit;
        level.filled |= std::uint64_t{1} << slot;
        Bucket& bucket = level.buckets[slot];
        const std::size_t place = bucket.size++ % Chunk<Item>::room;
        if (place == 0) {
            Chunk<Item>* const chunk = stock_.take();
            (bucket.first == nullptr ? bucket.first : bucket.last->next) = chunk;
            bucket.last = chunk;
        }
        bucket.last->items[place] = item;
        bucket.least = std::min(bucket.least, item.time);
    }

    // Few items become the run as they are. Of more, those due first do, and the others are dealt
    // out.
    void start_run() {
        run_.clear();
        next_ = 0;
        const unsigned digit = lowest_level();
        Level& level = wheel_[digit];
        const Bucket bucket = std::exchange(level.buckets[lowest_bit(level.filled)], {});
        level.filled &= level.filled - 1;
        if (level.filled == 0) levels_ &= levels_ - 1;
        base_ = bucket.least;
        run_last_ = bucket.size <= few ? last_of_bucket(base_, digit) : base_;
        empty(bucket);
    }

    static Time last_of_bucket(Time time, unsigned digit) {
        const auto within = (std::int64_t{1} << (digit * digit_bits)) - 1;
        return Time{time.count() | within};
    }

    void empty(const Bucket& bucket) {
        std::size_t left = bucket.size;
        for (Chunk<Item>* chunk = bucket.first; chunk != nullptr;) {
            const std::size_t filled = std::min(left, Chunk<Item>::room);
            for (std::size_t i = 0; i < filled; ++i) push(chunk->items[i]);
            left -= filled;
            Chunk<Item>* const done = chunk;
            chunk = chunk->next;
            stock_.give_back(done);
        }
    }

    // What is due now stays; the rest goes to buckets that are finer than the run was.
    void deal_out_run() {
        const std::vector<Item> all(run_.begin() + static_cast<std::ptrdiff_t>(next_), run_.end());
        run_.clear();
        next_ = 0;
        run_last_ = base_;
        for (const Item& item : all) push(item);
    }

    Time base_{};               // what left last; nothing earlier can come any more
    Time run_last_{};           // what is due later is in a bucket, else in the run
    std::vector<Item> run_;     // sorted by time
    std::size_t next_ = 0;      // of the run
    std::uint64_t levels_ = 0;  // a bit for each level with a bucket that is not empty
    std::array<Level, digits> wheel_;
    Stock<Item> stock_;
};

}  // namespace conclave::simulator
