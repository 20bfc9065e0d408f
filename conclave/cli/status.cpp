// conclave status: how a node stands.
#include "conclave/cli/ask.hpp"
#include "conclave/cli/verbs.hpp"

namespace conclave::cli {

Verb status_verb() {
    return {"status",
            "says how a node of this machine stands",
            {"conclave status --group jobs"},
            [](Command& command) { return print_answer(command, "status text", "status"); }};
}

}  // namespace conclave::cli
