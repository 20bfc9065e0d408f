// All that can be said to a time daemon before it starts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conclave/clock/servo.hpp"
#include "conclave/core/time.hpp"
#include "conclave/net/address.hpp"
#include "conclave/options/option_table.hpp"
#include "conclave/process/exit_code.hpp"
#include "conclave/timed/report/wanted.hpp"

namespace conclave::timed {

enum class ClockKind : std::uint8_t { system, virtual_, none };
enum class Mode : std::uint8_t { automatic, own, bsd };

// Peers that are believed without a key: a daemon by its name, or all of a network.
struct Trusted {
    std::string name{};
    std::optional<net::Address> network{};
    int bits = 0;  // of the network
};

struct DaemonConfig {
    std::string name{};
    std::optional<net::Address> address{}, broadcast{};  // found, unless given
    std::uint16_t port = 525;
    std::string state{};    // a folder; empty: nothing is kept
    std::string control{};  // a socket; empty: there is none
    bool no_control = false;
    std::string page{};         // a file for conclave/time_interval.hpp; empty: there is none
    std::string chrony_sock{};  // of a chronyd that is fed; empty: none is
    std::string statistics{};   // a folder; empty: none are written
    Time not_before{};          // since 1970: no clock of this machine is set to an earlier time
    ClockKind clock = ClockKind::none;
    Duration offset{};    // of a virtual clock ...
    clock::Rate drift{};  // ... and how fast it runs away
    std::string key{};    // a file
    bool insecure = false;
    std::vector<Trusted> trusted{};
    bool eligible = true;
    Mode mode = Mode::automatic;
    Duration round = std::chrono::seconds(1);
    double time_scale = 1;
    clock::StepPolicy step{};
    clock::Rate slew_limit = clock::ServoSettings{}.limit;
    std::optional<std::uint64_t> seed{};
    std::optional<net::Address> http{};
    Wanted wanted{};
};

// A sentence that names the field, the value and what would be right.
struct DaemonConfigRefusal {
    std::string sentence{};
    int code = exit_code::refused;
};

// The options of a daemon, in the order of its help.
const options::Table<DaemonConfig>& config_table();

// Throws a DaemonConfigRefusal.
DaemonConfig make_config(const std::vector<options::Given>& given);

// One line an option, all of them, as they will be used.
std::string describe(const DaemonConfig& config);

// Where daemon and verbs meet: the default of --control. The page lies beside the socket, and has
// its name: daemons with different sockets have different pages.
std::string default_control();
std::string page_beside(const std::string& control);

}  // namespace conclave::timed
