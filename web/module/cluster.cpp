// cluster.wasm: whole members with guardian and command, loaded when a scenario says cluster=on.
#include "web/module/described.hpp"
#include "web/module/exports.hpp"

CONCLAVE_MODULE(conclave::browser::answer)

namespace conclave::simulator {

std::span<const Engine> engines() {
    static const std::vector<Engine> all = described_engines();
    return all;
}

}  // namespace conclave::simulator
