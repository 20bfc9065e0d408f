// The timers of TEMPO and what later practice added to it. The proportions are those of 4.3BSD,
// where the master adjusts the clocks every four minutes; the paper gives that interval only.
#pragma once

#include <array>
#include <tuple>

#include "conclave/core/reading.hpp"
#include "conclave/core/time.hpp"

namespace conclave {

// The choices that the paper leaves open: tempo_readings has the sentences that allow each choice.
struct TempoReading {
    enum class AtStartup : std::uint8_t { keep, drop };
    enum class Asking : std::uint8_t { repeated, once };
    enum class Enlisting : std::uint8_t { on_slaveup, on_request };
    enum class InConflict : std::uint8_t { obey, ignore };
    AtStartup at_startup = AtStartup::keep;
    Asking masterreq = Asking::repeated;
    Enlisting newcomers = Enlisting::on_slaveup;
    InConflict in_conflict = InConflict::obey;
};

struct TempoSettings {
    Duration sync = std::chrono::seconds(1);
    Duration r = std::chrono::milliseconds(1500);  // the election timer: uniform over r .. r+R,
    Duration R = std::chrono::milliseconds(2250);  // drawn once at start-up ...
    bool fresh = false;                            // ... or anew whenever it is set
    Duration candidate = std::chrono::milliseconds(12);  // above twice the delay
    Duration accept = std::chrono::milliseconds(120);    // above the length of an election
    Duration startup = std::chrono::milliseconds(25);
    Duration startup_range = std::chrono::milliseconds(250);  // so much longer, at random
    Duration no_master = std::chrono::milliseconds(25);
    Duration consistency = std::chrono::milliseconds(12);
    Duration conflict = std::chrono::milliseconds(12);

    Duration resend = std::chrono::milliseconds(5);  // repeat what is not acknowledged ...
    std::uint32_t copies = 5;                        // ... up to so many copies

    Duration announce{};  // a master announces itself so often; 0: only when it becomes one
    bool deputy = false;  // a master names a deputy, who stands before all others
    bool ranked = false;  // of two masters that would both quit, the greater stays

    TempoReading reading{};

    static constexpr auto parts(auto& s) {
        return std::tie(s.sync, s.r, s.R, s.fresh, s.candidate, s.accept, s.startup,
                        s.startup_range, s.no_master, s.consistency, s.conflict, s.resend, s.copies,
                        s.announce, s.deputy, s.ranked, s.reading);
    }
};

// Most charitable first: who keeps what it hears and asks until it is answered is never a second
// master (T2, T9), as in the authors' daemon; a list of those that accepted or said Slaveup is what
// the paper counts (T19); a master that obeys in Conflict leaves one in the end (T7), one that does
// not leaves two for good.
inline constexpr std::array tempo_readings{
    Reading{"at-startup", "keep",
            "6.1: No Master \"results when no message is received by a time daemon in the Start-up "
            "state\"; the authors' daemon reads a Masterreq or Election that came while it asked, "
            "and becomes a slave"},
    Reading{"at-startup", "drop",
            "6.1: it \"will not become the master\" if it receives a Masterreq or an Election is "
            "said of No Master; of Start-up only that it asks"},
    Reading{"masterreq", "repeated",
            "4: \"retransmission when message losses occur\"; the specification of the protocol "
            "lists Masterack as the acknowledgement of Masterreq"},
    Reading{"masterreq", "once",
            "4: \"some messages need not be sent in a reliable way\"; 6.1: \"a time daemon "
            "broadcasts a Masterreq message\""},
    Reading{"newcomers", "on-slaveup",
            "5.1: \"Slaveup messages, which enable the master to obtain the names of all slaves\""},
    Reading{"newcomers", "on-request",
            "6.1: Masterreq is sent \"to inform the master that a new time daemon exists\""},
    Reading{"in-conflict", "obey",
            "5.3: \"a Quit message to the other master, which returns to the Slave state\""},
    Reading{"in-conflict", "ignore",
            "6.1 says of Conflict only that it \"looks for one, or possibly more, rival masters to "
            "kill\", not that it answers Resolve or obeys Quit meanwhile"},
};

}  // namespace conclave
