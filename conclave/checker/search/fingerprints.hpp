// The set of worlds seen, as 64-bit fingerprints: open addressing, eight bytes a slot, inserts by
// compare-and-swap. It starts small and grows by a third when nobody inserts and four slots of five
// are used: 10 to 13.4 bytes a world.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace conclave::checker {

class Fingerprints {
public:
    Fingerprints() : slots_(std::make_unique<Slot[]>(count_)) {}

    void prefetch(std::uint64_t print) const { __builtin_prefetch(&slots_[home(print)]); }

    // True if it is new.
    bool insert(std::uint64_t print) {
        if (print == 0) print = 1;  // 0 marks an empty slot
        for (std::uint64_t i = home(print);; i = after(i)) {
            std::uint64_t held = slots_[i].load(std::memory_order_relaxed);
            if (held == print) return false;
            if (held != 0) continue;
            if (slots_[i].compare_exchange_strong(held, print, std::memory_order_relaxed))
                return true;
            if (held == print) return false;
        }
    }

    // How many more fit before it must grow, once `held` are in.
    std::uint64_t room(std::uint64_t held) const {
        const std::uint64_t most = count_ / 5 * 4;
        return held < most ? most - held : 0;
    }

    // Only while nobody inserts.
    void grow() {
        auto old = std::move(slots_);
        const std::uint64_t old_count = count_;
        count_ = count_ / 3 * 4;
        slots_ = std::make_unique<Slot[]>(count_);
        for (std::uint64_t i = 0; i < old_count; ++i)
            if (const std::uint64_t print = old[i].load(std::memory_order_relaxed); print != 0)
                place(print);
    }

    std::uint64_t bytes() const { return 8 * count_; }

private:
    using Slot = std::atomic<std::uint64_t>;
    __extension__ using Wide = unsigned __int128;
    std::uint64_t home(std::uint64_t print) const {
        return static_cast<std::uint64_t>((Wide{print} * count_) >> 64);
    }
    std::uint64_t after(std::uint64_t i) const { return i + 1 == count_ ? 0 : i + 1; }
    // One that is known to be new, while nobody else is here: all other threads wait for this.
    void place(std::uint64_t print) {
        std::uint64_t i = home(print);
        while (slots_[i].load(std::memory_order_relaxed) != 0) i = after(i);
        slots_[i].store(print, std::memory_order_relaxed);
    }
    std::uint64_t count_ = 3 << 14;
    std::unique_ptr<Slot[]> slots_;
};

}  // namespace conclave::checker
