// conclave leader, conclave is-leader: who leads, and may this node act?
#include <cstdio>

#include "conclave/tool/ask.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

int name_leader(const Asked& asked) {
    const std::string leader = asked.ask(asked.json ? "leader json" : "leader");
    const bool nobody = leader.empty() || leader == R"({"leader":null})";
    std::puts(leader.empty() ? "nobody leads" : leader.c_str());
    return nobody ? Exit::no : Exit::yes;
}

// A node that does not answer may not act: to a script that is "no", not a mistake of its own.
int tell_leading(const Asked& asked) {
    std::string answer = "no";
    try {
        answer = asked.ask("is-leader");
    } catch (const Unanswered& unanswered) {
        std::fprintf(stderr, "conclave is-leader: %s\n", unanswered.sentence.c_str());
    }
    const bool leads = answer == "yes";
    std::puts(asked.json ? leads ? "{\"leads\":true}" : "{\"leads\":false}" : answer.c_str());
    return leads ? Exit::yes : Exit::no;
}

}  // namespace

Verb leader_verb() {
    return node_verb<Asked>({"leader",
                             "names the leader of a group; exit code 1: there is none",
                             {"conclave leader --group jobs"}},
                            only_node_options<Asked>, name_leader);
}

Verb is_leader_verb() {
    return node_verb<Asked>(
        {"is-leader",
         "tells whether the node of this machine leads and may act; exit code 1: it does not",
         {"conclave is-leader --group jobs"}},
        only_node_options<Asked>, tell_leading);
}

}  // namespace conclave::cli
