// simulator.wasm: the algorithms of the documents. Clusters and the other algorithms are as large
// again and have modules of their own.
#include "conclave/simulator/cluster/cluster.hpp"
#include "web/module/exports.hpp"
#include "web/module/listed.hpp"

CONCLAVE_MODULE(conclave::browser::answer)

namespace conclave::simulator {

std::span<const Engine> engines() {
    static const std::vector<Engine> all = list_engines<Runs::documents>();
    return all;
}
std::span<const Engine> cluster_engines() { return {}; }

}  // namespace conclave::simulator
