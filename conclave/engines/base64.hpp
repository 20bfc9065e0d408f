// Bytes as etcd's JSON has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace conclave::engines {

inline constexpr std::string_view base64_letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

inline std::string to_base64(std::string_view bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::string_view part = bytes.substr(at, 3);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i)
            bits = bits << 8 | (i < part.size() ? static_cast<unsigned char>(part[i]) : 0u);
        for (std::size_t i = 0; i < 4; ++i)
            text += i <= part.size() ? base64_letters[bits >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

// Up to the first letter that is none.
inline std::string from_base64(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : text) {
        const std::size_t letter = base64_letters.find(c);
        if (letter == std::string_view::npos) break;
        bits = bits << 6 | static_cast<std::uint32_t>(letter);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 255);
    }
    return bytes;
}

}  // namespace conclave::engines
