// Equal values get equal numbers. Worlds are made of few different parts, many times over; a world
// is then a short row of numbers, and comparing, copying and hashing it costs no more.
//
// Several threads may intern at once; a number, once given, can be looked up without a lock,
// because values never move.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "conclave/core/bytes.hpp"
#include "conclave/core/check.hpp"
#include "conclave/core/key.hpp"

namespace conclave::checker {

template <class T>
class Interner {
public:
    explicit Interner(std::uint64_t salt) : salt_(mix(salt)) {}

    std::uint32_t intern(const T& value) {
        Bytes bytes;
        encode(value, bytes);
        std::string letters(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const std::lock_guard lock(mutex_);
        const auto [at, fresh] = numbers_.try_emplace(std::move(letters), size_);
        if (fresh) append(value, key_of(at->first, salt_));
        return at->second;
    }

    const T& operator[](std::uint32_t number) const { return slot(number).value; }
    // Of the value, not of its number: the same whoever came first.
    std::uint64_t key(std::uint32_t number) const { return slot(number).key; }
    std::uint32_t size() const { return size_; }

private:
    struct Slot {
        T value;
        std::uint64_t key;
    };
    static constexpr std::uint32_t first_chunk = 1024;

    // Chunk c holds first_chunk * 2^c values.
    static std::pair<std::uint32_t, std::uint32_t> locate(std::uint32_t number) {
        const std::uint32_t shifted = number / first_chunk + 1;
        const auto chunk = static_cast<std::uint32_t>(std::bit_width(shifted)) - 1;
        return {chunk, number - first_chunk * ((1u << chunk) - 1)};
    }
    const Slot& slot(std::uint32_t number) const {
        const auto [chunk, within] = locate(number);
        return chunks_[chunk].load(std::memory_order_acquire)[within];
    }
    void append(const T& value, std::uint64_t key) {
        const auto [chunk, within] = locate(size_);
        check(chunk < chunks_.size(), "too many different parts of worlds");
        if (!owners_[chunk]) {
            owners_[chunk] = std::make_unique<Slot[]>(std::size_t{first_chunk} << chunk);
            chunks_[chunk].store(owners_[chunk].get(), std::memory_order_release);
        }
        owners_[chunk][within] = {value, key};
        ++size_;
    }

    std::uint64_t salt_;
    std::mutex mutex_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::array<std::atomic<Slot*>, 20> chunks_{};
    std::array<std::unique_ptr<Slot[]>, 20> owners_;
    std::uint32_t size_ = 0;
};

}  // namespace conclave::checker
