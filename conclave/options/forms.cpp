#include "conclave/options/forms.hpp"

#include <charconv>

namespace conclave::options {

template <std::integral Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (text.empty() || read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return number;
}
template std::optional<int> parse_number(std::string_view);
template std::optional<std::int64_t> parse_number(std::string_view);
template std::optional<std::uint16_t> parse_number(std::string_view);
template std::optional<std::uint32_t> parse_number(std::string_view);
template std::optional<std::uint64_t> parse_number(std::string_view);

Answer read_integer(std::string_view text, std::int64_t least, std::int64_t most,
                    std::int64_t& into) {
    const auto number = parse_number<std::int64_t>(text);
    if (!number || *number < least || *number > most)
        return wrong("give a whole number from " + std::to_string(least) + " to " +
                     std::to_string(most));
    into = *number;
    return {};
}

Answer Seed::read(std::string_view text, std::uint64_t& into) {
    const auto number = parse_number<std::uint64_t>(text);
    if (!number) return wrong("give a whole number from 0 to 18446744073709551615");
    into = *number;
    return {};
}

Answer read_duration(std::string_view text, Duration least, Duration most, Duration& into) {
    const auto value = parse_duration(text);
    if (!value && parse_duration(std::string(text) + "s"))
        return wrong("the unit is missing: " + std::string(text) + "s?");
    const bool bounded = most != Duration::max();
    if (!value || *value < least || *value > most)
        return wrong(bounded ? "give a duration from " + format_duration(least) + " to " +
                                   format_duration(most)
                     : least > Duration{0} ? "give a duration of at least " + format_duration(least)
                                           : "give a duration, such as 250ms");
    into = *value;
    return {};
}

std::string_view choice_at(std::string_view names, std::size_t place) {
    const auto all = split_text(names, '|');
    return place < all.size() ? all[place] : std::string_view{};
}

Answer read_choice(std::string_view text, std::string_view names, std::size_t& into) {
    const auto all = split_text(names, '|');
    const auto found = std::find(all.begin(), all.end(), text);
    if (found != all.end()) {
        into = static_cast<std::size_t>(found - all.begin());
        return {};
    }
    std::string list;
    for (const std::string_view name : all) list += (list.empty() ? "" : ", ") + std::string(name);
    return wrong("choose from " + list);
}

Answer Text::read(std::string_view text, std::string& into) {
    into = text;
    return {};
}

Answer Path::read(std::string_view text, std::string& into) {
    into = text;
    return text.empty() ? wrong("give a path") : Answer{};
}

Answer Truth::read(std::string_view text, bool& into) {
    into = text == "true";
    return text == "true" || text == "false" ? Answer{} : wrong("give true or false");
}

std::vector<std::string_view> split_text(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = text.find(at);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<std::pair<std::string_view, std::string_view>> split_pair(std::string_view text,
                                                                        std::string_view at) {
    const auto place = text.find(at);
    if (place == std::string_view::npos) return std::nullopt;
    return std::pair{text.substr(0, place), text.substr(place + at.size())};
}

}  // namespace conclave::options
