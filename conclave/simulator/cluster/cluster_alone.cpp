#include "conclave/lease/willing.hpp"
#include "conclave/member/cell_machine.hpp"
#include "conclave/simulator/cluster/cluster_hosting.hpp"

namespace conclave::simulator {

Engine lease_alone() { return machine_engine<member::Machine<lease::Leased<lease::Willing>>>(); }

Engine cell_alone() { return machine_engine<member::CellMachine>(); }

}  // namespace conclave::simulator
