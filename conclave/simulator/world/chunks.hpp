// Items in the order in which they came, in chunks of memory that are used again and again.
//
// No item ever moves, so a queue of millions grows without holding two copies of itself, and many
// short chains share one stock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace conclave::simulator {

template <class T, std::size_t Room>
struct Chunk {
    static constexpr std::size_t room = Room;
    std::array<T, room> items;
    Chunk* next;
};

// The chunks nobody uses just now.
template <class Chunk>
class Stock {
public:
    Chunk* take() {
        Chunk* chunk = free_;
        if (chunk == nullptr)
            chunk = all_.emplace_back(std::make_unique<Chunk>()).get();
        else
            free_ = chunk->next;
        chunk->next = nullptr;
        return chunk;
    }
    void give_back(Chunk* chunk) { chunk->next = std::exchange(free_, chunk); }

private:
    std::vector<std::unique_ptr<Chunk>> all_;
    Chunk* free_ = nullptr;
};

// First in, first out, without a bound. One chain: its chunks are large, so that one can look
// ahead.
template <class T>
class Queue {
    using Chunk = simulator::Chunk<T, 1024>;

public:
    bool empty() const { return head_ == tail_; }
    const T& front() const { return *head_; }
    // The item so many places behind the first, if it is near; what it holds may be out of date, or
    // be empty.
    const T* ahead(std::ptrdiff_t places) const {
        return head_end_ - head_ > places ? head_ + places : nullptr;
    }
    void pop() {
        if (++head_ == head_end_) [[unlikely]]
            leave_chunk();
    }
    // The new last item, to be filled in.
    T& push() {
        if (tail_ == tail_end_) [[unlikely]]
            enter_chunk();
        return *tail_++;
    }

private:
    void enter_chunk() {
        Chunk* const chunk = stock_.take();
        if (last_ != nullptr) last_->next = chunk;
        last_ = chunk;
        tail_ = chunk->items.data();
        tail_end_ = tail_ + Chunk::room;
        if (first_ == nullptr) enter_first(chunk);
    }
    void leave_chunk() {
        Chunk* const done = first_;
        enter_first(done->next);
        if (first_ == nullptr) last_ = nullptr, tail_ = tail_end_ = nullptr;
        stock_.give_back(done);
    }
    void enter_first(Chunk* chunk) {
        first_ = chunk;
        head_ = chunk == nullptr ? nullptr : chunk->items.data();
        head_end_ = chunk == nullptr ? nullptr : head_ + Chunk::room;
    }

    Stock<Chunk> stock_;
    Chunk *first_ = nullptr, *last_ = nullptr;
    const T *head_ = nullptr, *head_end_ = nullptr;
    T *tail_ = nullptr, *tail_end_ = nullptr;
};

}  // namespace conclave::simulator
