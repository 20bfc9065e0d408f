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
#include <string>
#include <unordered_map>

#include "conclave/core/bytes.hpp"
#include "conclave/core/check.hpp"
#include "conclave/core/key.hpp"

namespace conclave::checker {

// A list that grows and never moves what is in it. One writer at a time.
template <class T>
class Chunks {
public:
    const T& operator[](std::uint32_t number) const {
        const auto [chunk, within] = locate(number);
        return chunks_[chunk].load(std::memory_order_acquire)[within];
    }
    void put(std::uint32_t number, const T& value) {
        const auto [chunk, within] = locate(number);
        check(chunk < chunks_.size(), "too many different parts of worlds");
        if (!owners_[chunk]) {
            owners_[chunk] = std::make_unique<T[]>(std::size_t{first_chunk} << chunk);
            chunks_[chunk].store(owners_[chunk].get(), std::memory_order_release);
        }
        owners_[chunk][within] = value;
    }

private:
    static constexpr std::uint32_t first_chunk = 1024;

    // Chunk c holds first_chunk * 2^c values.
    static std::pair<std::uint32_t, std::uint32_t> locate(std::uint32_t number) {
        const std::uint32_t shifted = number / first_chunk + 1;
        const auto chunk = static_cast<std::uint32_t>(std::bit_width(shifted)) - 1;
        return {chunk, number - first_chunk * ((1u << chunk) - 1)};
    }

    std::array<std::atomic<T*>, 20> chunks_{};
    std::array<std::unique_ptr<T[]>, 20> owners_;
};

// From the bytes of a value to its number.
class Numbers {
public:
    explicit Numbers(std::uint64_t salt) : salt_(mix(salt)) {}

    // For bytes that are new, `keep` gets their number and key before anybody else does.
    template <class Keep>
    std::uint32_t number_of(const Bytes& bytes, const Keep& keep) {
        std::string letters(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const std::lock_guard lock(mutex_);
        const auto [at, fresh] = numbers_.try_emplace(std::move(letters), size_);
        if (fresh) keep(size_++, key_of(at->first, salt_));
        return at->second;
    }

private:
    std::uint64_t salt_;
    std::mutex mutex_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::uint32_t size_ = 0;
};

template <class T>
class Interner {
public:
    explicit Interner(std::uint64_t salt) : numbers_(salt) {}

    std::uint32_t intern(const T& value) {
        Bytes bytes;
        encode(value, bytes);
        return numbers_.number_of(bytes, [&](std::uint32_t number, std::uint64_t key) {
            slots_.put(number, {value, key});
        });
    }

    const T& operator[](std::uint32_t number) const { return slots_[number].value; }
    // Of the value, not of its number: the same whoever came first.
    std::uint64_t key(std::uint32_t number) const { return slots_[number].key; }

private:
    struct Slot {
        T value;
        std::uint64_t key;
    };

    Numbers numbers_;
    Chunks<Slot> slots_;
};

}  // namespace conclave::checker
