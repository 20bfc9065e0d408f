// conclave why: why the present leader leads, and who led before.
#include "conclave/tool/ask.hpp"
#include "conclave/tool/verbs.hpp"

namespace conclave::cli {

Verb why_verb() {
    return {"why",
            "explains the present leader: who could stand, who promised, who led before",
            {"conclave why --group jobs", "conclave why --group jobs --json"},
            [](Command& command) { return print_answer(command, "why", "why json"); }};
}

}  // namespace conclave::cli
