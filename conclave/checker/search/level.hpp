// The worlds at one distance from the first, and how each world was first reached.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace conclave::checker {

struct Level {
    std::vector<std::uint32_t> words;  // world after world
    std::vector<std::uint64_t> prints;
    std::size_t size() const { return prints.size(); }
    void clear() {
        words.clear();
        prints.clear();
    }
    // A copy of the world, to be changed.
    std::uint32_t* add(const std::uint32_t* world, std::size_t width, std::uint64_t print) {
        words.insert(words.end(), world, world + width);
        prints.push_back(print);
        return &words[words.size() - width];
    }
    void append(Level& other) {
        if (size() == 0) return std::swap(*this, other);
        words.insert(words.end(), other.words.begin(), other.words.end());
        prints.insert(prints.end(), other.prints.begin(), other.prints.end());
        other.clear();
    }
};

// How a world was reached; kept only while a counterexample is being rebuilt.
struct Link {
    enum class How : std::uint8_t { first, reduced, full, stay };  // stay: it is the parent itself
    std::uint32_t parent;   // of a first world: its own place among them
    std::uint16_t ordinal;  // among the parent's successors, reduced or not
    How how;
};
struct Ancestry {
    std::vector<Link> links;
};

}  // namespace conclave::checker
