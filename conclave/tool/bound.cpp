// conclave bound: how long the group may be without a leader.
#include "conclave/tool/ask.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

Verb bound_verb() {
    return {"bound",
            "computes how long the group may be without a leader, and what that assumes",
            {"conclave bound --group jobs", "conclave bound --group jobs --json"},
            [](Command& command) { return print_answer(command, "bound", "bound json"); }};
}

}  // namespace conclave::cli
