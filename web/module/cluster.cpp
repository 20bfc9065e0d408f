// cluster.wasm: whole members with guardian and command, loaded when a scenario says cluster=on.
#include "web/module/exports.hpp"
#include "web/module/listed.hpp"

CONCLAVE_MODULE(conclave::browser::answer)

namespace conclave::simulator {

std::span<const Engine> engines() {
    static const std::vector<Engine> all = list_engines<Runs::none>();
    return all;
}

}  // namespace conclave::simulator
