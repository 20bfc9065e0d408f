// Decides which datagrams the daemon believes. Every datagram passes here, or is dropped for a
// reason that is counted.
//
// With a key, only datagrams sealed with it count, and only of a session that has answered a
// challenge (wire/replay.hpp), so recordings have no effect. Without a key, --trust names the peers
// that are believed, by name or network; with --insecure all of the local network are. A stranger
// is never answered, so nobody can make the daemon flood a third party.
//
// Requests of timedc and date (MSITE, TEST, TRACEON, TRACEOFF, SETDATE) count only from this
// machine or under the key. The kernel drops datagrams from outside whose source is one of the
// machine's own addresses, so such a source cannot be forged.
#pragma once

#include <variant>

#include "conclave/timed/daemon/sockets.hpp"
#include "conclave/timed/daemon_config.hpp"
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
    Gate(const DaemonConfig& config, const wire::Keys& keys, std::uint64_t session);

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

    const DaemonConfig& config_;
    const wire::Keys& keys_;
    int subnet_bits_;
    wire::Sessions sessions_;
};

bool is_tool(wire::TspDatagram::Type type);

}  // namespace conclave::timed
