// Gusella & Zatti (1985), "An Election Algorithm for a Distributed Clock Synchronization Program",
// report UCB/CSD 86/275: the election of TEMPO, the Berkeley time daemon.
//
// The master adjusts its slaves' clocks periodically, which resets an election timer in each. When
// the master disappears, the slave whose timer expires first stands as candidate; each slave
// accepts the first candidate it hears and refuses the others, and a candidate that is refused
// backs off. N machines that are left after a crash elect a master with 3N-1 messages, a broadcast
// counting once. Two masters may coexist for a while: after a partition, until a newcomer reports.
#pragma once

#include "conclave/core/reliable.hpp"
#include "conclave/core/table.hpp"
#include "conclave/election/tempo_daemon.hpp"

namespace conclave {

namespace tempo {

using enum TimeDaemon::State;
using D = TimeDaemon;
template <class Event>
inline constexpr auto upon = EventsOf<TimeDaemon>::index<Event>;

// Sections 5 and 6.1, row for row. Where the text leaves a cell open the choice is ours, and
// docs/algorithms/tempo.md gives the reason; a cell without a row is ignored.
// clang-format off
inline constexpr auto table = std::to_array<Row<D>>({
//  in           upon                       if                  do                   then
  { startup,     upon<Start>,               always,             &D::ask_for_master,  startup     },
  { startup,     upon<Tsp::Masterack>,      always,             &D::look_twice,      consistency },
  { startup,     upon<D::AskTimer>,         always,             &D::ask,             startup     },
  { startup,     upon<Tsp::Masterreq>,      &D::keeps,          &D::keep,            startup     },
  { startup,     upon<Tsp::Election>,       &D::keeps,          &D::keep,            startup     },
  { startup,     upon<D::StartupTimer>,     &D::has_heard,      &D::arm,             slave       },
  { startup,     upon<D::StartupTimer>,     always,             &D::wait_longer,     no_master   },
  // ours
  { startup,     upon<Tsp::Masterup>,       always,             &D::join,            slave       },

  { no_master,   upon<Tsp::Masterreq>,      always,             &D::arm,             slave       },
  { no_master,   upon<Tsp::Election>,       always,             &D::arm,             slave       },
  { no_master,   upon<Tsp::Masterup>,       always,             &D::join,            slave       },
  { no_master,   upon<D::NoMasterTimer>,    always,             &D::take_over,       master      },
  // ours
  { no_master,   upon<Tsp::Masterack>,      always,             &D::look_twice,      consistency },

  { consistency, upon<Tsp::Masterack>,      &D::from_another,   &D::report_conflict, slave       },
  { consistency, upon<D::ConsistencyTimer>, always,             &D::settle,          slave       },
  // ours
  { consistency, upon<Tsp::Masterup>,       always,             &D::join,            slave       },

  { slave,       upon<Tsp::Sync>,           always,             &D::obey,            slave       },
  { slave,       upon<Tsp::Masterup>,       always,             &D::join,            slave       },
  { slave,       upon<Tsp::Election>,       always,             &D::accept,          accept      },
  { slave,       upon<D::ElectionTimer>,    always,             &D::stand,           candidate   },
  // ours
  { slave,       upon<Call>,                always,             &D::stand,           candidate   },
  // options
  { slave,       upon<Tsp::Deputy>,         always,             &D::obey_as_deputy,  slave       },
  { slave,       upon<Suspect>,             &D::succeeds,       &D::stand,           candidate   },

  // ours
  { accept,      upon<Tsp::Election>,       &D::from_favourite, &D::accept,          accept      },
  { accept,      upon<Tsp::Sync>,           always,             &D::obey,            accept      },
  { accept,      upon<D::ElectionTimer>,    always,             &D::arm,             accept      },
  // the paper's
  { accept,      upon<Tsp::Election>,       always,             &D::refuse,          accept      },
  { accept,      upon<Tsp::Masterup>,       always,             &D::join,            accept      },
  { accept,      upon<D::AcceptTimer>,      always,             &D::release,         slave       },
  // options
  { accept,      upon<Tsp::Deputy>,         always,             &D::obey_as_deputy,  accept      },

  { candidate,   upon<Tsp::Accept>,         always,             &D::count,           candidate   },
  { candidate,   upon<Tsp::Refuse>,         always,             &D::back_off,        slave       },
  { candidate,   upon<Tsp::Election>,       always,             &D::refuse,          candidate   },
  { candidate,   upon<Tsp::Quit>,           always,             &D::step_down,       slave       },
  { candidate,   upon<D::CandidateTimer>,   always,             &D::take_over,       master      },
  // ours
  { candidate,   upon<Tsp::Masterup>,       always,             &D::join,            slave       },
  { candidate,   upon<Tsp::Sync>,           always,             &D::obey,            slave       },

  { master,      upon<D::SyncTimer>,        always,             &D::adjust,          master      },
  { master,      upon<Suspect>,             always,             &D::strike_off,      master      },
  { master,      upon<Tsp::Slaveup>,        always,             &D::enlist,          master      },
  { master,      upon<Tsp::Masterreq>,      always,             &D::greet,           master      },
  { master,      upon<Tsp::Resolve>,        always,             &D::acknowledge,     master      },
  { master,      upon<Tsp::Election>,       always,             &D::cut_short,       master      },
  { master,      upon<Tsp::Conflict>,       always,             &D::find_rivals,     conflict    },
  { master,      upon<Tsp::Quit>,           always,             &D::step_down,       slave       },
  // ours
  { master,      upon<Tsp::Accept>,         always,             &D::enlist,          master      },
  { master,      upon<Tsp::Masterup>,       always,             &D::dismiss,         conflict    },
  // options
  { master,      upon<D::AnnounceTimer>,    always,             &D::announce,        master      },

  { conflict,    upon<Tsp::Masterack>,      always,             &D::dismiss,         conflict    },
  { conflict,    upon<D::ConflictTimer>,    always,             &D::announce,        master      },
  // ours: it is still a master
  { conflict,    upon<D::SyncTimer>,        always,             &D::adjust,          conflict    },
  { conflict,    upon<Suspect>,             always,             &D::strike_off,      conflict    },
  { conflict,    upon<Tsp::Slaveup>,        always,             &D::enlist,          conflict    },
  { conflict,    upon<Tsp::Masterreq>,      always,             &D::greet,           conflict    },
  { conflict,    upon<Tsp::Resolve>,        &D::obeys,          &D::acknowledge,     conflict    },
  { conflict,    upon<Tsp::Election>,       always,             &D::cut_short,       conflict    },
  { conflict,    upon<Tsp::Quit>,           &D::obeys,          &D::step_down,       slave       },
  { conflict,    upon<Tsp::Masterup>,       always,             &D::dismiss,         conflict    },
});

static_assert(every_row_can_fire(table));
static_assert(every_state_is_live(table, startup, 8));

}  // namespace tempo

// The timer of a state ends with it.
inline void TimeDaemon::leave(State left, Turn& turn) {
    switch (left) {
        case State::startup:     return turn.stop<StartupTimer>();
        case State::no_master:   return turn.stop<NoMasterTimer>();
        case State::consistency: return turn.stop<ConsistencyTimer>();
        case State::candidate:   return turn.stop<CandidateTimer>();
        case State::conflict:    return turn.stop<ConflictTimer>();
        case State::slave:       return;  // the election timer runs on in accept ...
        case State::master:      return;  // ... and the master's timers in conflict
        case State::accept:      return;  // which only its timer ends
    }
}
// clang-format on

template <class Event>
    requires TimeDaemon::Events::contains<Event>
void TimeDaemon::on(const Event&, Turn& turn) {
    const State before = state;
    fire(tempo::table, *this, tempo::upon<Event>, turn);
    if (state != before && !Timers::contains<Event>) leave(before, turn);
}
inline void TimeDaemon::on(Suspect suspect, Turn& turn) {
    turn.from = suspect.id;  // the rows see the subject as if it had said so itself
    fire(tempo::table, *this, tempo::upon<Suspect>, turn);
}
constexpr const auto& TimeDaemon::rows() { return tempo::table; }

using Tempo = Reliable<TimeDaemon>;

static_assert(Algorithm<Tempo>);

}  // namespace conclave
