// conclave-lab: algorithms, simulations, searches and claims, for those who study them.
#include "conclave/lab/lab_verbs.hpp"
#include "conclave/lab/pages.hpp"

static std::string features() {
    const bool page = !conclave::cli::embedded_bundle().empty();
    return page ? "with the laboratory's page" : "without the laboratory's page";
}

int main(int count, char** words) {
    using namespace conclave::cli;
    return run_program({"conclave-lab", "conclave-lab runs and checks elections in imaginary time.",
                        groups, features},
                       count, words);
}
