// checker.wasm: every behaviour of a small system, loaded when somebody asks.
#include "web/module/exports.hpp"
#include "web/module/searched.hpp"

CONCLAVE_MODULE(conclave::browser::answer_check)

namespace conclave::checker {

std::span<const Engine> engines() {
    static const std::vector<Engine> all = search_engines<simulator::Runs::documents>();
    return all;
}

}  // namespace conclave::checker
