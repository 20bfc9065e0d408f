// What both programs know of the laboratory: conclave-lab performs these verbs, and conclave lists
// them in its help and passes them on.
#pragma once

#include <string_view>

namespace conclave::cli {

struct LaboratoryVerb {
    std::string_view name;     // as conclave-lab is asked for it
    std::string_view typed;    // as conclave is
    std::string_view purpose;  // completes "conclave TYPED ..."
};

inline constexpr LaboratoryVerb list_in_laboratory{"list", "list",
                                                   "shows the algorithms and what they are for."};
inline constexpr LaboratoryVerb sim_in_laboratory{
    "sim", "sim", "runs an election in imaginary time and checks what the algorithm promises."};
inline constexpr LaboratoryVerb check_in_laboratory{"check", "check",
                                                    "explores every behaviour of a small system."};
inline constexpr LaboratoryVerb claims_in_laboratory{
    "claims", "claims", "re-derives the papers' results and prints measured beside stated."};
inline constexpr LaboratoryVerb timed_sim_in_laboratory{
    "timed-sim", "timed sim",
    "runs a network of clocks in imaginary time, as a file describes it."};

}  // namespace conclave::cli
