// conclave members add, remove, replace, force: other members while the group runs.
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "conclave/tool/change.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

void need(const std::string& word, const char* form, const char* example) {
    if (word.empty())
        throw Refusal{std::string(form) + " is missing: name the member, as in conclave members " +
                      example};
}

constexpr options::Option<Change> add_options[] = {
    options::argument<&Change::entry>(
        "NAME[=ADDRESS]",
        "node to add, which runs with --join; with its address where the members "
        "have addresses"),
    wait_option<Change>};
constexpr options::Option<Change> remove_options[] = {
    options::argument<&Change::leaver>("NAME", "member to remove"), wait_option<Change>};
constexpr options::Option<Change> replace_options[] = {
    options::argument<&Change::leaver>("OLD", "member to remove, which may be down for good"),
    options::argument<&Change::entry>("NEW[=ADDRESS]",
                                      "node to add in its place, which runs with --join"),
    wait_option<Change>};
constexpr options::Option<Change> force_options[] = {
    options::arguments<&Change::kept>("NAME", "member that is left, this node among them"),
    options::once<&Change::confirm, options::Text>(
        "confirm", "phrase that is asked for, where nobody can type it")
        .called("PHRASE"),
    wait_option<Change>};
constexpr options::OptionGroup<Change> force_groups[] = {{"", force_options},
                                                         {"the node", node_options<Change>}};
constexpr options::OptionGroup<Change> add_groups[] = {{"", add_options},
                                                       {"the node", node_options<Change>}};
constexpr options::OptionGroup<Change> remove_groups[] = {{"", remove_options},
                                                          {"the node", node_options<Change>}};
constexpr options::OptionGroup<Change> replace_groups[] = {{"", replace_options},
                                                           {"the node", node_options<Change>}};

// The phrase as an operator gives it, who has read what it stands for.
std::string confirmed(const Change& change, const std::string& phrase, const std::string& costs) {
    if (!change.confirm.empty()) return change.confirm;
    std::fprintf(stderr, "%s\n%s\n", costs.c_str(), phrase.c_str());
    if (isatty(STDIN_FILENO) == 0)
        throw Refusal{"there is no terminal to type it at: read this, and give --confirm '" +
                      phrase + "'"};
    std::string typed;
    std::getline(std::cin, typed);
    return typed;
}

int force(const Change& change) {
    std::string what = "force ";
    for (const std::string& name : change.kept)
        what += (&name == &change.kept[0] ? "" : ",") + name;
    const std::string answer = change.ask("change first " + what);
    if (!answer.starts_with("confirm ")) return pursue(change, what);
    const std::size_t end = answer.find('\n');
    const std::string phrase = answer.substr(8, end - 8);
    if (confirmed(change, phrase, answer.substr(end + 1)) != phrase)
        return print_outcome(false, "nothing has changed: the phrase is '" + phrase + "'",
                             change.json);
    return pursue(change, what + " " + phrase);
}

}  // namespace

Verb members_add_verb() {
    return node_verb<Change>(
        {"members add",
         "adds a member to a running group, once it runs with --join, and waits for it",
         {"conclave members add d --group jobs"}},
        add_groups, [](const Change& change) {
            need(change.entry, "NAME", "add d");
            return pursue(change, "add " + change.entry);
        });
}

Verb members_force_verb() {
    return node_verb<Change>(
        {"members force",
         "makes a group of the members that are left, when a majority is lost for good",
         {"conclave members force b --group jobs"}},
        force_groups, [](const Change& change) {
            if (change.kept.empty())
                throw Refusal{
                    "NAME is missing: name the members that are left, as in conclave members "
                    "force b"};
            return force(change);
        });
}

Verb members_remove_verb() {
    return node_verb<Change>(
        {"members remove",
         "removes a member from a running group; one that leads hands over first",
         {"conclave members remove c --group jobs"}},
        remove_groups, [](const Change& change) {
            need(change.leaver, "NAME", "remove c");
            return pursue(change, "remove " + change.leaver);
        });
}

Verb members_replace_verb() {
    return node_verb<Change>({"members replace",
                              "replaces a member of a running group, dead or alive, in one step",
                              {"conclave members replace c d --group jobs"}},
                             replace_groups, [](const Change& change) {
                                 need(change.leaver, "OLD", "replace c d");
                                 need(change.entry, "NEW", "replace c d");
                                 return pursue(change,
                                               "replace " + change.leaver + " " + change.entry);
                             });
}

}  // namespace conclave::cli
