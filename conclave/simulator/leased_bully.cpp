#include "conclave/election/tuning.hpp"
#include "conclave/simulator/leased_hosting.hpp"

namespace conclave::simulator {

template <>
Guarded<Bully>::Turn::Settings usual_settings<Guarded<Bully>>() {
    return deployed_settings<Bully>();
}

Engine leased_bully() { return leased_engine<Bully>(); }

}  // namespace conclave::simulator
