// conclave members: who belongs to the group, and who of them is heard.
#include "conclave/tool/ask.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

Verb members_verb() {
    return {"members",
            "lists the members of a group as a node of this machine sees them",
            {"conclave members --group jobs"},
            [](Command& command) { return print_answer(command, "members text", "members"); }};
}

}  // namespace conclave::cli
