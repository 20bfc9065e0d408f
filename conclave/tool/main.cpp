// conclave: what an operator needs to run a group, look at it, steer it, and keep its clocks.
#include "conclave/tool/verbs.hpp"

int main(int count, char** words) {
    using namespace conclave::cli;
    return run_program({"conclave", "conclave elects one coordinator among machines.", groups},
                       count, words);
}
