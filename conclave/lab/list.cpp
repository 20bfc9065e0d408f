// conclave list: the algorithms, from their cards.
#include <algorithm>
#include <cstdio>

#include "conclave/browser/engine_json.hpp"
#include "conclave/lab/lab_verbs.hpp"
#include "conclave/simulator/scenario/readings.hpp"
#include "conclave/simulator/scenario/validate.hpp"
#include "conclave/simulator/simulation_engines.hpp"
#include "conclave/trace/columns.hpp"

namespace conclave::cli {

namespace {

using browser::engine_json, browser::settings_of, browser::spaced;
using simulator::Engine;

struct ListGiven {
    std::string algorithm{};
    bool dot = false, json = false;
};
constexpr options::Option<ListGiven> list_options[] = {
    options::argument<&ListGiven::algorithm>(
        "ALGORITHM", "algorithm to show with its messages, timers, settings and rows"),
    options::flag<&ListGiven::dot>("dot", "print its transition table for Graphviz"),
    options::flag<&ListGiven::json>("json", "print JSON, for programs"),
};
constexpr options::OptionGroup<ListGiven> list_groups[] = {{"", list_options}};

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
    const auto readings = simulator::readings_named(card.name);
    for (std::size_t i = 0; i < readings.size(); ++i) {
        const Reading& reading = readings[i];
        print_line(i == 0 ? "readings" : "", std::string(reading.setting) + "=" +
                                                 std::string(reading.value) + ": " +
                                                 std::string(reading.sentence));
    }
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
            all += (all.empty() ? "" : ",\n ") + engine_json(engine);
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
        std::puts(engine_json(*engine).c_str());
    else
        print_card(*engine);
    return Exit::yes;
}

}  // namespace

Verb list_verb() {
    return make_verb({list_in_laboratory.name,
                      list_in_laboratory.purpose,
                      {"conclave list", "conclave list chang-roberts", "conclave list --json"}},
                     options::Table<ListGiven>(list_groups), show);
}

}  // namespace conclave::cli
