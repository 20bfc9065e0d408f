#include "conclave/simulator/scenario/spelling.hpp"

#include <algorithm>

#include "conclave/core/text.hpp"

namespace conclave::simulator {

namespace {

bool all_digits(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A decimal number as its digits; the point stands before digits[point].
struct Decimal {
    std::string digits;
    std::size_t point;
};

std::optional<Decimal> parse_decimal(std::string_view text) {
    const auto point = std::min(text.find('.'), text.size());
    const std::string_view whole = text.substr(0, point);
    const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
    if (whole.empty() && fraction.empty()) return std::nullopt;
    if (!all_digits(whole) || !all_digits(fraction)) return std::nullopt;
    return Decimal{std::string(whole) + std::string(fraction), whole.size()};
}

// Doubles the fraction behind the point and returns what is carried over it.
bool double_fraction(std::string& digits) {
    int carry = 0;
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
        const int twice = 2 * (*digit - '0') + carry;
        *digit = static_cast<char>('0' + twice % 10);
        carry = twice / 10;
    }
    return carry != 0;
}

}  // namespace

std::optional<Odds> parse_odds(std::string_view text) {
    const bool percent = !text.empty() && text.back() == '%';
    if (percent) text.remove_suffix(1);
    auto number = parse_decimal(text);
    if (!number) return std::nullopt;
    if (percent) {
        if (number->point < 2) number->digits.insert(0, 2 - number->point, '0');
        number->point = std::max<std::size_t>(number->point, 2) - 2;
    }
    const auto whole = parse_number<std::uint32_t>("0" + number->digits.substr(0, number->point));
    std::string fraction = number->digits.substr(number->point);
    const bool zero = fraction.find_first_not_of('0') == std::string::npos;
    if (!whole || *whole > 1 || (*whole == 1 && !zero)) return std::nullopt;
    Odds odds{*whole};
    for (int bit = 0; bit < 32; ++bit) odds.of_2_32 = 2 * odds.of_2_32 + double_fraction(fraction);
    odds.of_2_32 += double_fraction(fraction);  // to the nearest
    return odds;
}

std::string format_odds(Odds odds) {
    if (odds.of_2_32 >> 32 != 0) return "1";
    if (odds.of_2_32 == 0) return "0";
    std::uint64_t rest = odds.of_2_32, digits = 0;
    for (std::size_t places = 1;; ++places) {
        rest *= 10;
        digits = 10 * digits + (rest >> 32);
        rest &= 0xffffffff;
        for (const std::uint64_t candidate : {digits, digits + 1}) {
            std::string behind = std::to_string(candidate);
            if (behind.size() > places) continue;  // rounded up to 1
            behind.insert(0, places - behind.size(), '0');
            if (parse_odds("0." + behind) == odds) return "0." + behind;
        }
    }
}

std::optional<std::int64_t> parse_ppm(std::string_view text) {
    const bool negative = !text.empty() && text.front() == '-';
    if (negative) text.remove_prefix(1);
    auto number = parse_decimal(text);
    if (!number || number->digits.size() - number->point > 3) return std::nullopt;
    number->digits.append(3 - (number->digits.size() - number->point), '0');
    const auto ppb = parse_number<std::int64_t>(number->digits);
    if (!ppb) return std::nullopt;
    return negative ? -*ppb : *ppb;
}

std::string format_ppm(std::int64_t ppb) {
    const std::string sign = ppb < 0 ? "-" : "";
    const std::uint64_t size =
        ppb < 0 ? 0 - static_cast<std::uint64_t>(ppb) : static_cast<std::uint64_t>(ppb);
    std::string fraction = std::to_string(1000 + size % 1000).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return sign + std::to_string(size / 1000) + (fraction.empty() ? "" : "." + fraction);
}

std::optional<Id> parse_id(std::string_view text) {
    const auto number = parse_number<std::uint32_t>(text);
    if (!number || Id{*number} == nobody || Id{*number} == everyone) return std::nullopt;
    return Id{*number};
}

std::optional<std::vector<Id>> parse_ids(std::string_view text) {
    std::vector<Id> ids;
    for (const std::string_view part : split_text(text, ',')) {
        const auto id = parse_id(part);
        if (!id) return std::nullopt;
        ids.push_back(*id);
    }
    return ids;
}

std::string format_ids(std::span<const Id> ids) {
    std::string list;
    for (const Id id : ids) list += (list.empty() ? "" : ",") + text(id);
    return list;
}

std::optional<Delay> parse_delay(std::string_view text) {
    const bool exponential = text.starts_with("exp:");
    if (exponential) text.remove_prefix(4);
    const auto pair = split_pair(text, "..");
    if (exponential && pair) return std::nullopt;
    const auto low = parse_duration(pair ? pair->first : text);
    const auto high = parse_duration(pair ? pair->second : "0");
    if (!low || !high) return std::nullopt;
    if (pair) return Delay{Delay::Shape::uniform, *low, *high};
    return Delay{exponential ? Delay::Shape::exponential : Delay::Shape::constant, *low, {}};
}

std::string format_delay(const Delay& delay) {
    std::string low = format_duration(delay.low);
    switch (delay.shape) {
        case Delay::Shape::constant: break;
        case Delay::Shape::uniform: return low + ".." + format_duration(delay.high);
        case Delay::Shape::exponential: return "exp:" + low;
    }
    return low;
}

std::optional<Span> parse_span(std::string_view text) {
    const auto pair = split_pair(text, "..");
    const auto from = parse_duration(pair ? pair->first : text);
    if (!from) return std::nullopt;
    if (!pair || pair->second.empty()) return Span{*from, never};
    const auto until = parse_duration(pair->second);
    if (!until) return std::nullopt;
    return Span{*from, *until};
}

std::string format_span(const Span& span) {
    return format_duration(span.from) + ".." +
           (span.until == never ? "" : format_duration(span.until));
}

}  // namespace conclave::simulator
