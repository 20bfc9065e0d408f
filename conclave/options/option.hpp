// An option bound to a field of a part's settings: a row that knows how its value is read and
// written.
//
//     constexpr Option<Config> group_options[] = {
//         once<&Config::detect, Span<40 * ms>>("detect", "replace a silent leader after this time",
//         "1s"), flag<&Config::witness>("witness", "vote, but never lead"),
//     };
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/options/forms.hpp"
#include "conclave/options/row.hpp"

namespace conclave::options {

using Values = std::vector<std::string>;

template <class Settings>
struct Option : Row {
    Answer (*read)(Settings& settings, std::string_view value) = nullptr;
    // The values that make fresh settings like these; none: nothing was given, and nothing follows.
    Values (*write)(const Settings& settings) = nullptr;

    constexpr Option with(Hint named) const {
        Option copy = *this;
        copy.hint = named;
        return copy;
    }
    constexpr Option called(std::string_view form_name) const {
        Option copy = *this;
        copy.form = form_name;
        return copy;
    }
    constexpr Option such_as(std::string_view value) const {
        Option copy = *this;
        copy.example = value;
        return copy;
    }
};

// Options under a title of the help.
template <class Settings>
struct OptionGroup {
    std::string_view title;
    std::span<const Option<Settings>> options;
};

namespace detail {

// The class whose member this is, or the argument of a function that finds a field.
template <class Class, class Field>
Class owner_of(Field Class::*);

template <auto Field, class Form, class Settings>
Answer read_field(Settings& settings, std::string_view value) {
    auto& field = std::invoke(Field, settings);
    if constexpr (requires { field.has_value(); }) {
        typename std::remove_reference_t<decltype(field)>::value_type read{};
        Answer answer = Form::read(value, read);
        if (answer) field = std::move(read);
        return answer;
    } else {
        return Form::read(value, field);
    }
}

template <auto Field, class Form, class Settings>
Values write_field(const Settings& settings) {
    const auto& field = std::invoke(Field, settings);
    if constexpr (requires { field.has_value(); }) {
        if (!field) return {};
        return {Form::write(*field)};
    } else {
        std::string value(Form::write(field));
        if (value.empty()) return {};
        return {std::move(value)};
    }
}

template <auto Field, class Form, class Settings>
Answer add_to_field(Settings& settings, std::string_view value) {
    auto& list = std::invoke(Field, settings);
    typename std::remove_reference_t<decltype(list)>::value_type item{};
    Answer answer = Form::read(value, item);
    if (answer) list.push_back(std::move(item));
    return answer;
}

template <auto Field, class Form, class Settings>
Values write_list(const Settings& settings) {
    Values values;
    for (const auto& item : std::invoke(Field, settings)) values.emplace_back(Form::write(item));
    return values;
}

template <auto Field>
using Owner = decltype(owner_of(Field));

}  // namespace detail

// A row of this kind for one value, or for a list of them.
namespace detail {

template <auto Field, class Form, class Settings>
constexpr Option<Settings> one_value(const Row& row) {
    return {row, &read_field<Field, Form, Settings>, &write_field<Field, Form, Settings>};
}
template <auto Field, class Form, class Settings>
constexpr Option<Settings> list_of(const Row& row) {
    return {row, &add_to_field<Field, Form, Settings>, &write_list<Field, Form, Settings>};
}

}  // namespace detail

// Each of these makes a row from a field and a form. `usual` is the default, as help prints it.
template <auto Field, class Form, class Settings = detail::Owner<Field>>
constexpr Option<Settings> once(std::string_view name, std::string_view help,
                                std::string_view usual = {}) {
    return detail::one_value<Field, Form, Settings>({name, Kind::once, Form::name, help, usual});
}
template <auto Field, class Settings = detail::Owner<Field>>
constexpr Option<Settings> flag(std::string_view name, std::string_view help) {
    return detail::one_value<Field, Truth, Settings>({name, Kind::flag, {}, help, {}, "true"});
}
template <auto Field, class Form, class Settings = detail::Owner<Field>>
constexpr Option<Settings> often(std::string_view name, std::string_view help) {
    return detail::list_of<Field, Form, Settings>({name, Kind::often, Form::name, help});
}
// --name or --name VALUE: the field, a std::optional<std::string>, is then empty or the value.
template <auto Field, class Form, class Settings = detail::Owner<Field>>
constexpr Option<Settings> maybe(std::string_view name, std::string_view help,
                                 std::string_view usual = {}) {
    return detail::one_value<Field, Form, Settings>({name, Kind::maybe, Form::name, help, usual});
}
template <auto Field, class Form = Text, class Settings = detail::Owner<Field>>
constexpr Option<Settings> argument(std::string_view name, std::string_view help) {
    return detail::one_value<Field, Form, Settings>({name, Kind::argument, name, help});
}
template <auto Field, class Settings = detail::Owner<Field>>
constexpr Option<Settings> arguments(std::string_view name, std::string_view help) {
    return detail::list_of<Field, Text, Settings>({name, Kind::arguments, name, help});
}
template <auto Field, class Settings = detail::Owner<Field>>
constexpr Option<Settings> rest(std::string_view name, std::string_view help) {
    return detail::list_of<Field, Text, Settings>({name, Kind::rest, name, help});
}

}  // namespace conclave::options
