// others.wasm: algorithms beside those of the documents, loaded when somebody chooses one.
#include "conclave/simulator/cluster/cluster.hpp"
#include "web/module/exports.hpp"
#include "web/module/listed.hpp"

CONCLAVE_MODULE(conclave::browser::answer)

namespace conclave::simulator {

std::span<const Engine> engines() {
    static const std::vector<Engine> all = list_engines<Runs::others>();
    return all;
}
std::span<const Engine> cluster_engines() { return {}; }

}  // namespace conclave::simulator
