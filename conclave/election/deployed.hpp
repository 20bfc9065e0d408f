// The one list of algorithms that agents can run, and sim --cluster. The build makes hosts of those
// that this file includes.
#pragma once

#include "conclave/core/types.hpp"
#include "conclave/election/deployed/deployed_bully.hpp"
#include "conclave/election/deployed/deployed_invitation.hpp"
#include "conclave/election/deployed/deployed_multicast.hpp"
#include "conclave/election/deployed/deployed_nemeth.hpp"
#include "conclave/election/deployed/deployed_tempo.hpp"

namespace conclave {

using DeployedAlgorithms = Types<Bully, Invitation, Multicast, Nemeth, Tempo>;

}  // namespace conclave
