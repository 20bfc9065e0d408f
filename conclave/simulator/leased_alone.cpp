#include "conclave/lease/willing.hpp"
#include "conclave/simulator/leased_hosting.hpp"

namespace conclave::simulator {

Engine lease_alone() { return leased_engine<lease::Willing>(); }

}  // namespace conclave::simulator
