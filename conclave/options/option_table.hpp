// All options of a program part, and what follows from them: settings from given values, given
// values from settings, rows for help and manual.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "conclave/options/option.hpp"

namespace conclave::options {

// "--expect cannot be 'x': give a whole number from 1 to 64"
std::string refuse_value(const Given& given, const Row& row, const Answer& answer);
// "--expect is given twice: leave out one"
std::string refuse_twice(const Given& given);

template <class Settings>
class Table {
public:
    // The groups live as long as the program.
    template <std::size_t Size>
    constexpr Table(
        const OptionGroup<Settings> (&groups)[Size])  // NOLINT(google-explicit-constructor)
        : groups_(groups) {}

    const Option<Settings>* find(std::string_view name) const {
        for (const auto& group : groups_)
            for (const auto& option : group.options)
                if (option.name == name) return &option;
        return nullptr;
    }

    template <class Use>
    void for_each(const Use& use) const {
        for (const auto& group : groups_)
            for (const auto& option : group.options) use(option);
    }

    std::vector<Section> sections() const {
        std::vector<Section> sections;
        for (const auto& group : groups_)
            sections.push_back({group.title, {group.options.begin(), group.options.end()}});
        return sections;
    }
    std::vector<Row> rows() const {
        std::vector<Row> rows;
        for_each([&](const Option<Settings>& option) { rows.push_back(option); });
        return rows;
    }

    // Reads the values into the settings, those of lesser places first. Empty, or the sentence that
    // refuses the first one that is unknown, said twice in one place, or wrong. `otherwise` is the
    // remedy for an unknown name with no known one near.
    std::string read(const std::vector<Given>& given, Settings& settings,
                     const std::string& otherwise) const {
        for (const Place place : {Place::file, Place::environment, Place::line}) {
            std::set<std::string> seen;
            for (const Given& each : given) {
                if (each.place != place) continue;
                const bool again = !seen.insert(each.name).second;
                if (std::string problem = read_one(each, again, settings, otherwise);
                    !problem.empty())
                    return problem;
            }
        }
        return {};
    }

    // The words that make settings like these of `usual` ones.
    std::vector<Given> write(const Settings& settings, const Settings& usual) const {
        std::vector<Given> given;
        for_each([&](const Option<Settings>& option) {
            const Values values = option.write(settings);
            if (values == option.write(usual)) return;
            for (const std::string& value : values)
                given.push_back({std::string(option.name), value, {}, Place::line});
        });
        return given;
    }

    // One line an option, "name = value": all of them, as they are.
    std::string describe(const Settings& settings) const {
        std::string text;
        for_each([&](const Option<Settings>& option) {
            std::string line;
            for (const std::string& value : option.write(settings))
                line += (line.empty() ? "" : option.kind == Kind::rest ? " " : ",") + value;
            text += std::string(option.name) + " = " + (line.empty() ? "(none)" : line) + "\n";
        });
        return text;
    }

private:
    std::string read_one(const Given& given, bool again, Settings& settings,
                         const std::string& otherwise) const {
        const Option<Settings>* option = find(given.name);
        if (option == nullptr) return refuse_name(given, otherwise);
        const bool list = option->kind == Kind::often || option->kind == Kind::arguments ||
                          option->kind == Kind::rest;
        if (again && !list) return refuse_twice(given);
        const Answer answer = option->read(settings, given.value);
        return answer ? std::string() : refuse_value(given, *option, answer);
    }
    std::string refuse_name(const Given& given, const std::string& otherwise) const {
        std::vector<std::string_view> names;
        for_each([&](const Option<Settings>& option) {
            if (option.named()) names.push_back(option.name);
        });
        return refuse_unknown(given, names, otherwise);
    }

    std::span<const OptionGroup<Settings>> groups_;
};

// Takes those that belong to the table out of `given`.
template <class Settings>
std::vector<Given> take(const Table<Settings>& table, std::vector<Given>& given) {
    std::vector<Given> taken;
    std::erase_if(given, [&](const Given& each) {
        const bool belongs = table.find(each.name) != nullptr;
        if (belongs) taken.push_back(each);
        return belongs;
    });
    return taken;
}

}  // namespace conclave::options
