#include "conclave/engines/value.hpp"

#include <charconv>

namespace conclave::engines {

namespace {

constexpr std::string_view front = "conclave 1 ";
constexpr std::size_t holder_most = 64;
constexpr std::int64_t promise_most = std::int64_t{3600} * 1'000'000'000;

template <class Number>
bool take_number(std::string_view& text, Number& into) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
    if (error != std::errc{} || end == text.data() + text.size() || *end != ' ') return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return true;
}

}  // namespace

std::string to_text(const Value& value) {
    return std::string(front) + std::to_string(value.claim.life) + " " +
           std::to_string(value.claim.beat) + " " + std::to_string(value.claim.promise.count()) +
           " " + value.holder;
}

bool read_value(std::string_view text, Value& into) {
    into = {};
    std::int64_t promise = 0;
    if (!text.starts_with(front)) return false;
    text.remove_prefix(front.size());
    if (!take_number(text, into.claim.life) || !take_number(text, into.claim.beat) ||
        !take_number(text, promise))
        return false;
    const bool sound = promise >= 0 && promise <= promise_most && text.size() <= holder_most &&
                       text.find_first_of("\n\r\t ") == std::string_view::npos;
    if (!sound || (into.claim.free() && promise != 0)) return false;
    into.claim.promise = Duration{promise};
    into.holder = text;
    return true;
}

Value founding_value(Duration promise) { return {{founding_life, 0, promise}, {}}; }

}  // namespace conclave::engines
