// KEY=VALUE into the field of that name of an algorithm's Settings. Keys may use - for _.
#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "conclave/core/text.hpp"

namespace conclave {

namespace detail {

template <Number T>
bool parse_value(std::string_view from, T& value) {
    if constexpr (std::same_as<T, bool>) {
        if (from != "on" && from != "off" && from != "yes" && from != "no" && from != "true" &&
            from != "false")
            return false;
        value = from == "on" || from == "yes" || from == "true";
        return true;
    } else if constexpr (has_names<T>) {
        for (std::size_t i = 0; i < enumerators_max; ++i) {
            std::string name(name_of(static_cast<T>(i)));
            std::replace(name.begin(), name.end(), '_', '-');
            if (name != from) continue;
            value = static_cast<T>(i);
            return true;
        }
        return false;
    } else {
        std::int64_t number = 0;
        const auto end = from.data() + from.size();
        const auto result = std::from_chars(from.data(), end, number);
        if (result.ec != std::errc{} || result.ptr != end) return false;
        if (static_cast<std::int64_t>(static_cast<T>(number)) != number) return false;
        value = static_cast<T>(number);
        return true;
    }
}
inline bool parse_value(std::string_view from, Duration& value) {
    const auto parsed = parse_duration(from);
    if (!parsed || *parsed < Duration{0}) return false;
    value = *parsed;
    return true;
}

template <class T>
std::string expected_form() {
    if constexpr (std::same_as<T, Duration>)
        return "a duration such as 250ms";
    else if constexpr (std::same_as<T, bool>)
        return "on or off";
    else if constexpr (has_names<T>) {
        std::string names;
        for (std::size_t i = 0; i < enumerators_max; ++i) {
            std::string name(name_of(static_cast<T>(i)));
            if (name.empty() || (name[0] >= '0' && name[0] <= '9')) break;
            std::replace(name.begin(), name.end(), '_', '-');
            names += (names.empty() ? "" : " or ") + name;
        }
        return names;
    } else
        return "a whole number";
}

}  // namespace detail

inline std::string setting_key(std::string_view field) {
    std::string key(field);
    std::replace(key.begin(), key.end(), '_', '-');
    return key;
}

namespace detail {

// Tries the fields in turn, those of an inner algorithm's settings too.
struct Setter {
    std::string_view key, value;
    std::string problem{}, known{};
    bool found = false;

    template <Plain S>
    void try_fields(S& settings) {
        std::size_t i = 0;
        std::apply([&](auto&... field) { (try_field(field_names<S>[i++], field), ...); },
                   fields(settings));
    }
    template <class T>
    void try_field(std::string_view field_name, T& field) {
        if constexpr (Plain<T>) {
            try_fields(field);
        } else {
            const std::string name = setting_key(field_name);
            known += (known.empty() ? "" : ", ") + name;
            if (found || setting_key(key) != name) return;
            found = true;
            if (!parse_value(value, field))
                problem = "setting " + name + " cannot be '" + std::string(value) + "': give " +
                          expected_form<T>();
        }
    }
};

template <class T>
std::string describe_setting(std::string_view field_name, const T& field) {
    if constexpr (Plain<T>) {
        std::string line;
        std::size_t i = 0;
        const auto add = [&](const auto& each) {
            const std::string one = describe_setting(field_names<T>[i++], each);
            line += (line.empty() || one.empty() ? "" : " ") + one;
        };
        std::apply([&](const auto&... each) { (add(each), ...); }, fields(field));
        return line;
    } else if constexpr (std::same_as<T, bool>) {
        return setting_key(field_name) + "=" + (field ? "on" : "off");
    } else {
        return setting_key(field_name) + "=" + setting_key(text(field));
    }
}

}  // namespace detail

// Empty when all is well, else a sentence that says what would be right.
template <Plain S>
std::string apply_setting(S& settings, std::string_view key, std::string_view value) {
    detail::Setter setter{key, value};
    setter.try_fields(settings);
    if (setter.found) return setter.problem;
    return "there is no setting '" + std::string(key) + "': " +
           (setter.known.empty() ? "this algorithm has none" : "choose from " + setter.known);
}

// "timeout=2ms patience=5ms": every setting with its value.
template <Plain S>
std::string describe_settings(const S& settings) {
    return detail::describe_setting({}, settings);
}

}  // namespace conclave
