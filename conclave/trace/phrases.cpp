#include "conclave/trace/phrases.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "conclave/trace/columns.hpp"

namespace conclave::trace {

namespace {

Phrase describe_follow(const Record& record) {
    if (record.other == record.node) return {U'★', "leads", Tone::good};
    if (record.other == nobody) return {0, "→nobody"};
    return {0, "→" + name_of(record.other)};
}

}  // namespace

Phrase describe(const Record& record) {
    switch (record.kind) {
        case Kind::start: return {U'┬', "starts"};
        case Kind::recover: return {U'┬', "recovers"};
        case Kind::call: return {0, "calls"};
        case Kind::timer: return {0, "◷ " + record.text, Tone::quiet};
        case Kind::suspect: return {0, "suspects " + name_of(record.other), Tone::alert};
        case Kind::trust: return {0, "trusts " + name_of(record.other)};
        case Kind::send: return {0, "sends " + record.text};
        case Kind::arrive: return {0, "gets " + record.text};
        case Kind::lose: return {0, "misses " + record.text, Tone::bad};
        case Kind::state: return {0, record.text};
        case Kind::follow: return describe_follow(record);
        case Kind::store: return {0, "stores " + record.text, Tone::quiet};
        case Kind::report: return {0, '"' + record.text + '"', Tone::alert};
        case Kind::crash: return {U'╳', "crashed", Tone::bad};
        case Kind::pause: return {U'‖', "paused", Tone::alert};
        case Kind::resume: return {0, "resumed"};
        case Kind::network: return {0, record.text, Tone::alert};
        case Kind::violation: return {0, "VIOLATION " + record.text, Tone::bad};
    }
    return {};
}

std::string sentence(const Phrase& phrase) {
    std::string text;
    if (phrase.mark != 0 && phrase.mark != U'┬') {
        append_glyph(text, phrase.mark);
        text += ' ';
    }
    return text + phrase.words;
}

std::string plain_words(const Record& record) {
    if (record.kind != Kind::follow || record.other == record.node)
        return sentence(describe(record));
    return "follows " + (record.other == nobody ? "nobody" : name_of(record.other));
}

std::string name_of(Id id) {
    return id == everyone ? "all" : std::to_string(static_cast<std::uint32_t>(id));
}

std::string short_time(Time time) {
    struct Unit {
        std::string_view name;
        std::int64_t ns;
    };
    constexpr std::array<Unit, 3> units{{{"s", 1'000'000'000}, {"ms", 1'000'000}, {"us", 1'000}}};
    const std::int64_t ns = std::max(time, Time::min() + Time{1}).count();  // so that -ns exists
    if (ns == 0) return "0";
    if (ns < 0) return std::string("-").append(short_time(Time{-ns}));
    for (const Unit& unit : units) {
        if (ns < unit.ns) continue;
        std::string fraction = std::to_string(1000 + ns % unit.ns / (unit.ns / 1000)).substr(1);
        fraction.erase(fraction.find_last_not_of('0') + 1);
        return std::to_string(ns / unit.ns) + (fraction.empty() ? "" : "." + fraction) +
               std::string(unit.name);
    }
    return std::to_string(ns) + "ns";
}

Time readable_time(Time time, Duration whole) {
    using namespace std::chrono_literals;
    const Duration grain = whole >= 100s  ? Duration{1ms}
                           : whole >= 1ms ? Duration{1us}
                                          : Duration{1ns};
    return time - time % grain;
}

std::string grouped(std::size_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

std::string counted(std::size_t number, std::string_view thing) {
    return grouped(number) + " " + std::string(thing) + (number == 1 ? "" : "s");
}

}  // namespace conclave::trace
