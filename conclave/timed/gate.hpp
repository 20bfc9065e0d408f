// Whom the daemon believes: everything that arrives passes here, or is dropped for a reason that is
// counted.
//
// With a key only what is sealed with it counts, and what a session says counts once it has proved
// to be alive (wire/replay.hpp), so that a recording does nothing. Without one, who is named by
// --trust, by name or network, is believed, or with --insecure everybody of the local network. A
// stranger is never answered, so nobody can make the daemon shout at others.
//
// What timedc and date ask for (MSITE, TEST, TRACEON, TRACEOFF, SETDATE) is heeded only from this
// machine or under the key. The kernel does not let a datagram in whose source is one of the
// machine's own addresses, so such a source cannot be forged from outside.
#pragma once

#include <variant>

#include "conclave/timed/config.hpp"
#include "conclave/timed/sockets.hpp"
#include "conclave/wire/tsp_trailer.hpp"

namespace conclave::timed {

// Of what is dropped, as status counts it.
using Reason = std::string_view;

struct Heard {
    wire::TspDatagram datagram{};
    std::optional<wire::TspTrailer> trailer{};
    bool authentic = false;  // sealed with the key
    bool local = false;      // from this machine
};

class Gate {
public:
    Gate(const Config& config, const wire::Keys& keys, std::uint64_t session);

    struct Verdict {
        std::variant<Heard, Reason> heard;
        std::optional<wire::Greeting> answer{};  // to be sent back
        bool proved = false;                     // from now on its sender is believed
        bool quits = false;                      // it was a QUIT that is not believed
        std::string twin{};                      // this name is that of a session that is alive
    };
    Verdict judge(const Arrival& arrival, Time now);
    // Could a BSD timed be heard?
    bool believes_bsd() const { return config_.insecure || !config_.trusted.empty(); }

private:
    bool trusts(const std::string& name, const net::Address& from) const;
    bool is_local(const net::Address& from) const;
    bool is_near(const net::Address& from) const;
    Verdict judge_session(Heard heard, const wire::TspTrailer& trailer, Time now);

    const Config& config_;
    const wire::Keys& keys_;
    int subnet_bits_;
    wire::Sessions sessions_;
};

bool is_tool(wire::TspDatagram::Type type);

}  // namespace conclave::timed
