// The verbs of the laboratory: conclave-lab runs them; conclave lists them in its help and starts
// conclave-lab.
#pragma once

#include <string_view>

namespace conclave::cli {

struct LaboratoryVerb {
    std::string_view name;     // the verb of conclave-lab
    std::string_view typed;    // the words behind "conclave"
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
inline constexpr LaboratoryVerb lab_in_laboratory{
    "lab", "lab",
    "serves the laboratory as a page: every algorithm, stepped and broken by a click."};
inline constexpr LaboratoryVerb timed_sim_in_laboratory{
    "timed-sim", "timed sim",
    "runs a network of clocks in imaginary time, as a file describes it."};

}  // namespace conclave::cli
