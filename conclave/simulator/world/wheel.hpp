// A queue for delays of all kinds: a short sorted run, and buckets of time within buckets.
//
// A time is a number of eight digits, each a byte. What differs from the present in a high digit
// waits in the bucket for that digit; when the bucket's time has come, its items are dealt out to
// the buckets of the next digit. A bucket of only a few items is sorted instead and becomes the
// run, whose items leave one by one; while little waits at all, all of it is in the run. So an item
// is moved a few times, however many others wait, where a heap moves it a dozen times, and all over
// the memory.
//
// Equal times leave in the order in which they came: buckets keep it, sorting keeps it, and nothing
// can have entered a lower bucket before its upper one was dealt out.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "conclave/core/time.hpp"
#include "conclave/simulator/world/chunks.hpp"

namespace conclave::simulator {

template <class T>
class Wheel {
public:
    // Room for an item, to be filled in at once. It is not due before what left last.
    T& push(Time time) { return enter(time).what; }

    Time next_time() const {
        if (next_ != run_.size()) return run_[next_].time;
        if (levels_ == 0) return never;
        const Level& level = *wheel_[lowest_level()];
        return level.buckets[level.lowest()].least;
    }

    T pop() {
        if (next_ == run_.size()) start_run();
        Item& item = run_[next_++];
        base_ = item.time;
        return std::move(item.what);
    }

    // The item so many places behind the next one, if the run is as long as that.
    const T* ahead(std::size_t places) const {
        return next_ + places < run_.size() ? &run_[next_ + places].what : nullptr;
    }

private:
    static constexpr unsigned digit_bits = 8, digits = 8, slots = 1u << digit_bits;
    static constexpr std::size_t few = 32;   // so many are rather sorted than dealt out
    static constexpr std::size_t many = 64;  // and a run that has grown so long is dealt out

    struct Item {
        Time time;
        T what;
    };
    using Chunk = simulator::Chunk<Item, 64>;
    struct Bucket {
        Chunk *first = nullptr, *last = nullptr;
        std::size_t size = 0;
        Time least = never;
    };
    struct Level {
        std::array<std::uint64_t, slots / 64> filled{};  // a bit for each bucket that is not empty
        std::array<Bucket, slots> buckets;

        std::size_t lowest() const {
            std::size_t word = 0;
            while (filled[word] == 0) ++word;
            return 64 * word + static_cast<std::size_t>(std::countr_zero(filled[word]));
        }
        bool empty() const {
            return std::all_of(filled.begin(), filled.end(), [](auto word) { return word == 0; });
        }
    };

    unsigned lowest_level() const { return static_cast<unsigned>(std::countr_zero(levels_)); }

    Item& enter(Time time) { return time <= run_last_ ? enter_run(time) : enter_bucket(time); }

    // Sorted from the back: late-comers stay behind those of the same time.
    Item& enter_run(Time time) {
        if (2 * next_ >= run_.size()) forget_past();
        std::size_t at = run_.size();
        if (at != next_ && time < run_[at - 1].time) {
            if (at - next_ >= many) return spread_run(time);
            run_.emplace_back();
            for (; at != next_ && time < run_[at - 1].time; --at)
                run_[at] = std::move(run_[at - 1]);
        } else {
            run_.emplace_back();
        }
        run_[at].time = time;
        return run_[at];
    }

    Item& enter_bucket(Time due) {
        const auto time = static_cast<std::uint64_t>(due.count());
        const auto differs = time ^ static_cast<std::uint64_t>(base_.count());
        const unsigned digit = (static_cast<unsigned>(std::bit_width(differs)) - 1) / digit_bits;
        const std::uint64_t slot = time >> (digit * digit_bits) & (slots - 1);
        if (wheel_[digit] == nullptr) wheel_[digit] = std::make_unique<Level>();
        Level& level = *wheel_[digit];
        levels_ |= 1u << digit;
        level.filled[slot / 64] |= std::uint64_t{1} << slot % 64;
        Bucket& bucket = level.buckets[slot];
        const std::size_t place = bucket.size++ % Chunk::room;
        if (place == 0) {
            Chunk* const chunk = stock_.take();
            (bucket.first == nullptr ? bucket.first : bucket.last->next) = chunk;
            bucket.last = chunk;
        }
        bucket.least = std::min(bucket.least, due);
        Item& item = bucket.last->items[place];
        item.time = due;
        return item;
    }

    // Few items become the run as they are. Of more, those due first do; the others are dealt out.
    void start_run() {
        forget_past();
        const unsigned digit = lowest_level();
        Level& level = *wheel_[digit];
        const std::size_t slot = level.lowest();
        const Bucket bucket = std::exchange(level.buckets[slot], {});
        level.filled[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
        if (level.empty()) levels_ &= ~(1u << digit);
        base_ = bucket.least;
        if (bucket.size > few)
            run_last_ = base_;
        else
            run_last_ = levels_ == 0 ? never : last_of_bucket(base_, digit);
        empty(bucket);
    }

    static Time last_of_bucket(Time time, unsigned digit) {
        const auto within = (std::int64_t{1} << (digit * digit_bits)) - 1;
        return Time{time.count() | within};
    }

    void empty(const Bucket& bucket) {
        std::size_t left = bucket.size;
        for (Chunk* chunk = bucket.first; chunk != nullptr;) {
            const std::size_t filled = std::min(left, Chunk::room);
            for (std::size_t i = 0; i < filled; ++i) move_in(chunk->items[i]);
            left -= filled;
            stock_.give_back(std::exchange(chunk, chunk->next));
        }
    }

    void move_in(Item& item) { enter(item.time).what = std::move(item.what); }

    // A run that has grown long: what is due now stays, the rest goes to finer buckets.
    Item& spread_run(Time time) {
        std::vector<Item> all;
        std::swap(all, run_);
        run_last_ = base_;
        for (std::size_t i = std::exchange(next_, 0); i != all.size(); ++i) move_in(all[i]);
        return enter(time);
    }

    void forget_past() {
        run_.erase(run_.begin(), run_.begin() + static_cast<std::ptrdiff_t>(next_));
        next_ = 0;
    }

    Time base_{};               // when the last one left; nothing earlier can come any more
    Time run_last_ = never;     // what is due later is in a bucket, all else in the run
    std::vector<Item> run_;     // sorted by time
    std::size_t next_ = 0;      // of the run
    std::uint32_t levels_ = 0;  // a bit for each level that is not empty
    std::array<std::unique_ptr<Level>, digits> wheel_;
    Stock<Chunk> stock_;
};

}  // namespace conclave::simulator
