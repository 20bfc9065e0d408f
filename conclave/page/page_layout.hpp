// The page in shared memory: a heading that never changes, and two places for the content.
//
// The writer fills the place that nobody is sent to, then sends everybody there by counting on. So
// a reader never waits, not even for a writer that was stopped in the middle; only if two contents
// were written while it read one, it reads again. All words are atomic: what is torn is noticed,
// and no two threads race.
#pragma once

#include <atomic>

#include "conclave/page/content.hpp"

namespace conclave::page {

using Word = std::atomic<std::uint64_t>;
static_assert(Word::is_always_lock_free && sizeof(Word) == sizeof(std::uint64_t));

using BootId = std::array<std::uint64_t, 2>;  // a page of another boot says nothing

struct PageLayout {
    static constexpr std::uint64_t mark = 0x3145'4741'5054'4c43;  // "CLTPAGE1" in memory
    static constexpr std::uint64_t version = 1;

    Word marked{}, versioned{};
    std::array<Word, 2> boot{};
    alignas(64) Word count{};  // of the contents that were written
    std::array<std::array<Word, word_count>, 2> places{};
};
static_assert(sizeof(PageLayout) == 256);

// Before anybody else sees the page.
inline void prepare(PageLayout& page, const BootId& boot) {
    page.marked.store(PageLayout::mark, std::memory_order_relaxed);
    page.versioned.store(PageLayout::version, std::memory_order_relaxed);
    for (std::size_t i = 0; i < boot.size(); ++i)
        page.boot[i].store(boot[i], std::memory_order_relaxed);
}

// There is one writer. A release of each word: who sees one of them sees the count before it.
inline void write(PageLayout& page, const Content& content) {
    const std::uint64_t next = page.count.load(std::memory_order_relaxed) + 1;
    const Words words = encode(content);
    for (std::size_t i = 0; i < words.size(); ++i)
        page.places[next & 1][i].store(words[i], std::memory_order_release);
    page.count.store(next, std::memory_order_release);
}

// Empty: this is a page, of this boot, that this program understands. Else why it is not.
inline std::string_view refuse(const PageLayout& page, const BootId& boot) {
    constexpr auto relaxed = std::memory_order_relaxed;
    if (page.marked.load(relaxed) != PageLayout::mark) return "it is no page of a time daemon";
    if (page.versioned.load(relaxed) != PageLayout::version)
        return "it has another version than this program understands";
    if (page.boot[0].load(relaxed) != boot[0] || page.boot[1].load(relaxed) != boot[1])
        return "it was written before this machine was started";
    return {};
}

// Nothing: nothing was written yet, it makes no sense, or it changed all the time.
inline std::optional<Content> read(const PageLayout& page) {
    constexpr int attempts = 1000;
    for (int i = 0; i < attempts; ++i) {
        const std::uint64_t count = page.count.load(std::memory_order_acquire);
        if (count == 0) return std::nullopt;
        Words words{};
        for (std::size_t j = 0; j < words.size(); ++j)
            words[j] = page.places[count & 1][j].load(std::memory_order_acquire);
        if (page.count.load(std::memory_order_relaxed) == count) return decode(words);
    }
    return std::nullopt;
}

}  // namespace conclave::page
