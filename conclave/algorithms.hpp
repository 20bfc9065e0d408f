// The one list of algorithms. Add a line in each half, and the simulator, the checker and the
// command line all know the newcomer. Those that agents can run are in election/deployed.hpp.
#pragma once

#include "conclave/core/types.hpp"
#include "conclave/election/afek_gafni.hpp"
#include "conclave/election/archimedean.hpp"
#include "conclave/election/bully.hpp"
#include "conclave/election/chang_roberts.hpp"
#include "conclave/election/consensus.hpp"
#include "conclave/election/dolev_klawe_rodeh.hpp"
#include "conclave/election/echo.hpp"
#include "conclave/election/franklin.hpp"
#include "conclave/election/garcia_molina.hpp"
#include "conclave/election/hirschberg_sinclair.hpp"
#include "conclave/election/invitation.hpp"
#include "conclave/election/itai_rodeh.hpp"
#include "conclave/election/le_lann.hpp"
#include "conclave/election/multicast.hpp"
#include "conclave/election/nemeth.hpp"
#include "conclave/election/peterson.hpp"
#include "conclave/election/raft.hpp"
#include "conclave/election/repaired_chang_roberts.hpp"
#include "conclave/election/ring_basic.hpp"
#include "conclave/election/ring_collect.hpp"
#include "conclave/election/stoller.hpp"
#include "conclave/election/tempo.hpp"
#include "conclave/election/time_slice.hpp"
#include "conclave/election/yo_yo.hpp"

namespace conclave {

// clang-format off
using AllAlgorithms = Types<
    AfekGafni,
    Archimedean,
    Bully,
    ChangRoberts,
    Consensus,
    DolevKlaweRodeh,
    Echo,
    Franklin,
    GarciaMolina,
    HirschbergSinclair,
    Invitation,
    ItaiRodeh,
    LeLann,
    Multicast,
    Nemeth,
    Peterson,
    Raft,
    RepairedChangRoberts,
    RingBasic,
    RingCollect,
    Stoller,
    Tempo,
    TimeSlice,
    YoYo
>;
// clang-format on

}  // namespace conclave
