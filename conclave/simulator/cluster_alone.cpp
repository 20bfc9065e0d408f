#include "conclave/lease/willing.hpp"
#include "conclave/simulator/cluster_hosting.hpp"

namespace conclave::simulator {

Engine lease_alone() { return machine_engine<member::Machine<lease::Leased<lease::Willing>>>(); }

}  // namespace conclave::simulator
