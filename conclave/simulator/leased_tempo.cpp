#include "conclave/election/tuning.hpp"
#include "conclave/simulator/leased_hosting.hpp"

namespace conclave::simulator {

template <>
Guarded<Tempo>::Turn::Settings usual_settings<Guarded<Tempo>>() {
    return deployed_settings<Tempo>();
}

Engine leased_tempo() { return leased_engine<Tempo>(); }

}  // namespace conclave::simulator
