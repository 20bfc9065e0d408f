// conclave status: how a node stands.
#include "conclave/tool/ask.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

Verb status_verb() {
    return {"status",
            "says how a node of this machine stands",
            {"conclave status --group jobs"},
            [](Command& command) { return print_answer(command, "status text", "status"); }};
}

}  // namespace conclave::cli
