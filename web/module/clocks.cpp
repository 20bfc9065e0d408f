// clocks.wasm: a network of time daemons, loaded when somebody looks at clocks.
#include "conclave/browser/clock_runs.hpp"

#include "conclave/simulator/cluster/cluster.hpp"
#include "web/module/exports.hpp"
#include "web/module/listed.hpp"

CONCLAVE_MODULE(conclave::browser::answer_clocks)

namespace conclave::simulator {

std::span<const Engine> engines() {
    static const std::vector<Engine> all = list_engines<Runs::none>();
    return all;
}
std::span<const Engine> cluster_engines() { return {}; }

}  // namespace conclave::simulator
