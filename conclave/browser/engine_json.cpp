#include "conclave/browser/engine_json.hpp"

#include <algorithm>

#include "conclave/core/text.hpp"
#include "conclave/simulator/scenario/readings.hpp"
#include "conclave/simulator/scenario/spelling.hpp"

namespace conclave::browser {

using simulator::Engine;

namespace {

template <class Names>
std::string json_list(const Names& names) {
    std::string list;
    for (const auto& name : names) list += (list.empty() ? "" : ",") + quote(name);
    return "[" + list + "]";
}

}  // namespace

std::string spaced(std::string_view name) {
    std::string words(name);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::vector<std::pair<std::string_view, std::string_view>> settings_of(const Engine& engine) {
    std::vector<std::pair<std::string_view, std::string_view>> pairs;
    for (const std::string_view setting : simulator::split_text(engine.settings, ' '))
        if (const auto pair = simulator::split_pair(setting, "=")) pairs.push_back(*pair);
    return pairs;
}

std::string row_json(const options::Row& row) {
    return "{\"name\":" + quote(row.name) + ",\"kind\":" + json(row.kind) +
           ",\"form\":" + quote(row.form) + ",\"example\":" + quote(row.example) +
           ",\"purpose\":" + quote(row.help) + "}";
}

std::string engine_json(const Engine& engine) {
    const Card& card = *engine.card;
    std::string settings;
    for (const auto& [key, value] : settings_of(engine))
        settings += (settings.empty() ? "" : ",") + quote(key) + ":" + quote(value);
    std::string readings;
    for (const Reading& reading : simulator::readings_named(card.name))
        readings += (readings.empty() ? "" : ",") + ("{\"setting\":" + quote(reading.setting)) +
                    ",\"value\":" + quote(reading.value) +
                    ",\"sentence\":" + quote(reading.sentence) + "}";
    return "{\"name\":" + quote(card.name) + ",\"paper\":" + quote(card.paper) +
           ",\"network\":" + quote(spaced(name_of(card.network))) +
           ",\"links\":" + quote(name_of(card.links)) + ",\"messages\":" + quote(card.messages) +
           ",\"assumes\":" + quote(card.assumes) +
           ",\"promises\":{\"one_leader\":" + json(card.promises.one_leader) +
           ",\"best\":" + json(card.promises.best) +
           ",\"informed\":" + json(card.promises.informed) + "},\"settings\":{" + settings +
           "},\"readings\":[" + readings + "],\"message_types\":" + json_list(engine.messages) +
           ",\"timers\":" + json_list(engine.timers) + ",\"rows\":" + json_list(engine.rows) + "}";
}

}  // namespace conclave::browser
