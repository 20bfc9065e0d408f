// conclave-lab: algorithms, simulations, searches and claims, for those who study them.
#include "conclave/lab/verbs.hpp"

int main(int count, char** words) {
    using namespace conclave::cli;
    return run_program(
        {"conclave-lab", "conclave-lab runs and checks elections in imaginary time.", groups},
        count, words);
}
