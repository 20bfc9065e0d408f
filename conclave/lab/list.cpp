// conclave list: the algorithms, from their cards.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "conclave/core/text.hpp"
#include "conclave/lab/verbs.hpp"
#include "conclave/simulator/engines.hpp"
#include "conclave/simulator/spelling.hpp"
#include "conclave/simulator/validate.hpp"
#include "conclave/trace/columns.hpp"

namespace conclave::cli {

namespace {

using simulator::Engine;

struct ListGiven {
    std::string algorithm;
    bool dot = false, json = false;
};

std::string spaced(std::string_view name) {
    std::string words(name);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

// "timeout=2ms patience=5ms" -> pairs
std::vector<std::pair<std::string_view, std::string_view>> settings_of(const Engine& engine) {
    std::vector<std::pair<std::string_view, std::string_view>> pairs;
    for (const std::string_view setting : simulator::split_text(engine.settings, ' '))
        if (const auto pair = simulator::split_pair(setting, "=")) pairs.push_back(*pair);
    return pairs;
}

std::vector<std::string_view> promises_of(const Card& card) {
    std::vector<std::string_view> kept;
    if (card.promises.one_leader) kept.push_back("one leader at any time");
    if (card.promises.best) kept.push_back("the best is elected");
    if (card.promises.informed) kept.push_back("everybody learns who leads");
    return kept;
}

template <class Names>
std::string join(const Names& names) {
    std::string list;
    for (const auto& name : names) list += (list.empty() ? "" : ", ") + std::string(name);
    return list.empty() ? "none" : list;
}

template <class Names>
std::string json_list(const Names& names) {
    std::string list;
    for (const auto& name : names) list += (list.empty() ? "" : ",") + quote(name);
    return "[" + list + "]";
}

std::string to_json(const Engine& engine) {
    const Card& card = *engine.card;
    std::string settings;
    for (const auto& [key, value] : settings_of(engine))
        settings += (settings.empty() ? "" : ",") + quote(key) + ":" + quote(value);
    return "{\"name\":" + quote(card.name) + ",\"paper\":" + quote(card.paper) +
           ",\"network\":" + quote(spaced(name_of(card.network))) +
           ",\"links\":" + quote(name_of(card.links)) + ",\"messages\":" + quote(card.messages) +
           ",\"assumes\":" + quote(card.assumes) +
           ",\"promises\":{\"one_leader\":" + json(card.promises.one_leader) +
           ",\"best\":" + json(card.promises.best) +
           ",\"informed\":" + json(card.promises.informed) + "},\"settings\":{" + settings +
           "},\"message_types\":" + json_list(engine.messages) +
           ",\"timers\":" + json_list(engine.timers) + ",\"rows\":" + json_list(engine.rows) + "}";
}

constexpr std::size_t page_width = 80;

// The value stands beside its title; what does not fit goes on below itself.
void print_line(std::string title, std::string_view value, std::size_t column = 10) {
    for (const std::string& piece : trace::wrap(value, page_width - column)) {
        title.resize(column, ' ');
        std::puts((title + piece).c_str());
        title.clear();
    }
}

void print_card(const Engine& engine) {
    const Card& card = *engine.card;
    print_line("name", std::string(card.name));
    print_line("paper", std::string(card.paper));
    print_line("network",
               spaced(name_of(card.network)) + (card.links == Links::fifo ? ", fifo links" : ""));
    print_line("costs", std::string(card.messages) + " messages");
    print_line("assumes", std::string(card.assumes));
    print_line("promises", join(promises_of(card)));
    print_line("says", join(engine.messages));
    print_line("waits for", join(engine.timers));
    std::string title = "settings";
    for (const auto& [key, value] : settings_of(engine)) {
        print_line(title, "--set " + std::string(key) + "=" + std::string(value));
        title = "";
    }
    if (engine.settings.empty()) print_line(title, "none");
    for (std::size_t i = 0; i < engine.rows.size(); ++i)
        print_line(i == 0 ? "rows" : "", std::to_string(i + 1) + ": " + engine.rows[i]);
}

// Three short lines each: one long line would not fit a terminal.
void print_table() {
    std::size_t width = 0;
    for (const Engine& engine : simulator::engines())
        width = std::max(width, engine.card->name.size());
    for (const Engine& engine : simulator::engines()) {
        const Card& card = *engine.card;
        std::string network = spaced(name_of(card.network));
        network.resize(14, ' ');
        print_line(std::string(card.name), network + std::string(card.paper), width + 2);
        print_line("  messages", card.messages, 12);
        print_line("  assumes", card.assumes, 12);
    }
}

int show(const ListGiven& given) {
    if (given.algorithm.empty()) {
        if (given.dot)
            throw Refusal{"--dot draws one algorithm: name it, as in conclave list tempo --dot"};
        if (!given.json) return print_table(), Exit::yes;
        std::string all;
        for (const Engine& engine : simulator::engines())
            all += (all.empty() ? "" : ",\n ") + to_json(engine);
        std::puts(("[" + all + "]").c_str());
        return Exit::yes;
    }
    const Engine* engine = simulator::find_engine(given.algorithm);
    if (engine == nullptr) throw Refusal{simulator::unknown_algorithm(given.algorithm)};
    if (given.dot && engine->dot.empty())
        throw Refusal{"--dot cannot draw " + given.algorithm +
                      ": it has no transition table, leave --dot out"};
    if (given.dot)
        std::fputs(engine->dot.c_str(), stdout);
    else if (given.json)
        std::puts(to_json(*engine).c_str());
    else
        print_card(*engine);
    return Exit::yes;
}

std::function<int()> prepare_list(Command& command) {
    const auto given = std::make_shared<ListGiven>();
    command.argument("ALGORITHM", "show this one with its messages, timers, settings and rows",
                     given->algorithm);
    command.flag("dot", "print its transition table for Graphviz", given->dot);
    command.flag("json", "for programs", given->json);
    return [given] { return show(*given); };
}

}  // namespace

Verb list_verb() {
    return {list_in_laboratory.name,
            list_in_laboratory.purpose,
            {"conclave list", "conclave list chang-roberts", "conclave list --json"},
            prepare_list};
}

}  // namespace conclave::cli
