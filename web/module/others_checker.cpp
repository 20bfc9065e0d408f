// others_checker.wasm: the same for the algorithms of others.wasm.
#include "web/module/exports.hpp"
#include "web/module/searched.hpp"

CONCLAVE_MODULE(conclave::browser::answer_check)

namespace conclave::checker {

std::span<const Engine> engines() {
    static const std::vector<Engine> all = search_engines<simulator::Runs::others>();
    return all;
}

}  // namespace conclave::checker
