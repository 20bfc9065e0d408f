// The key that the members of a group share, and the file it lives in.
//
// A key file holds one key a line: the first seals what is sent, all of them open what arrives. So
// a key changes without a pause: add the new one as the second line everywhere, then make it the
// first everywhere, then drop the old one. The file is a secret: one that others can read is
// refused, and keys are wiped from memory when they are no longer needed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conclave/core/bytes.hpp"

namespace conclave::wire {

class Key {
public:
    static constexpr std::size_t size = 32, tag_size = 16;
    using Secret = std::array<std::byte, size>;
    using Tag = std::array<std::byte, tag_size>;

    explicit Key(const Secret& secret);
    static Key random();
    Key(const Key&) = default;
    Key& operator=(const Key&) = default;
    ~Key();

    // A datagram's mark of the key it was sealed with; tells nothing about the key itself.
    std::uint32_t hint() const { return hint_; }
    Tag tag(Input bytes) const;
    bool sealed(Input bytes, Input tag) const;  // takes as long for a wrong tag as for a right one
    const Secret& secret() const { return secret_; }

private:
    Secret secret_;
    std::uint32_t hint_ = 0;
};

struct Keys {
    static constexpr std::size_t most = 2;  // the present one and the next, or the former

    std::vector<Key> keys{};  // empty: nothing is sealed
    bool empty() const { return keys.empty(); }
    const Key* find(std::uint32_t hint) const;
};

// One sentence: which file, what is wrong with it, what to do.
struct KeyRefusal {
    std::string sentence;
};

std::variant<Keys, KeyRefusal> read_keys(const std::string& path);
std::variant<Keys, KeyRefusal> parse_keys(std::string_view text, const std::string& path);

// Makes a new key and a new file that only its owner can read; never replaces a file.
std::variant<Key, KeyRefusal> make_key_file(const std::string& path);

// 64 bits that nobody can guess: ids, sessions and challenges.
std::uint64_t random_number();

// 64 bits of a word, the same everywhere: which group a datagram belongs to.
std::uint64_t digest_of(std::string_view word);

}  // namespace conclave::wire
