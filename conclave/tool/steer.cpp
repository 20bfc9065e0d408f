// conclave resign, pause, resume, vouch: one order to a node of this machine.
#include "conclave/tool/ask.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

using options::OptionGroup;

int order(const Asked& asked, const std::string& line, const char* done) {
    const std::string answer = asked.ask(line);
    return print_outcome(answer == "ok", answer == "ok" ? done : answer, asked.json);
}

struct Resign : Asked {
    std::string successor{};
};
constexpr options::Option<Resign> successor_option[] = {
    options::once<&Resign::successor, options::Text>("to", "member that should lead next",
                                                     "the best one")
        .called("NAME")};
constexpr OptionGroup<Resign> resign_options[] = {{"", successor_option},
                                                  {"the node", node_options<Resign>}};

}  // namespace

Verb resign_verb() {
    return node_verb<Resign>(
        {"resign",
         "hands leadership over from the node of this machine, once its "
         "command has stopped",
         {"conclave resign --group jobs"}},
        resign_options, [](const Resign& resign) {
            const bool named = !resign.successor.empty();
            return order(resign, named ? "resign " + resign.successor : "resign", "hands over");
        });
}

Verb pause_verb() {
    return node_verb<Asked>(
        {"pause",
         "keeps a node's role: a follower does not stand, a leader stays though unhealthy",
         {"conclave pause --group jobs"}},
        only_node_options<Asked>,
        [](const Asked& asked) { return order(asked, "pause", "paused until conclave resume"); });
}

Verb resume_verb() {
    return node_verb<Asked>(
        {"resume",
         "ends a pause; lets a command be started again that was done, or failed on this node",
         {"conclave resume --group jobs"}},
        only_node_options<Asked>,
        [](const Asked& asked) { return order(asked, "resume", "resumed"); });
}

Verb vouch_verb() {
    return node_verb<Asked>(
        {"vouch",
         "lets a node promise again that lost its state beside another that did",
         {"conclave vouch --group jobs"}},
        only_node_options<Asked>,
        [](const Asked& asked) { return order(asked, "vouch", "it promises again"); });
}

}  // namespace conclave::cli
