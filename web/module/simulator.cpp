// simulator.wasm: every algorithm, but no clusters, which are as large again and have a module of
// their own.
#include "conclave/simulator/cluster/cluster.hpp"
#include "web/module/exports.hpp"

CONCLAVE_MODULE(conclave::browser::answer)

namespace conclave::simulator {

std::span<const Engine> cluster_engines() { return {}; }

}  // namespace conclave::simulator
