// All that can be said to a node before it starts: options before environment before file before
// defaults.
//
// Every option has one name: `stop-timeout` is --stop-timeout, CONCLAVE_STOP_TIMEOUT and
// stop-timeout in the file, and one row of the table in config.cpp.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/agent/settings/member_entry.hpp"
#include "conclave/core/time.hpp"
#include "conclave/member/wish.hpp"
#include "conclave/net/address.hpp"
#include "conclave/options/option_table.hpp"
#include "conclave/process/exit_code.hpp"

namespace conclave::agent {

// A command that the guardian runs when the command is gone, before the lease may pass on.
struct CleanUp {
    std::string line{};  // for a shell; empty: none
    Duration limit{};    // it may take; 0 without a line
    Duration asked{};    // the limit as it was given; 0: it follows from --detect
};

// The command gets SIGTERM this long before an unrenewed lease expires.
struct Grace {
    Duration span{};
    Duration asked{};   // as it was given; 0: it follows from --detect
    Duration detect{};  // while --detect of a running group changes: the shorter one; else 0
};

// When this node is healthy.
struct HealthChecks {
    std::string check{};  // see health.hpp; empty: always well
    Duration every = std::chrono::seconds(1), timeout = std::chrono::seconds(1);
    std::uint32_t rise = 2, fall = 3;  // equal answers in a row that change it
};

// Where it answers to programs.
struct Web {
    std::optional<net::Address> address{};  // nothing: nowhere
    std::vector<std::string> hosts{};       // names by which they may call it
};

enum class Restart : std::uint8_t { no, on_failure, always };
enum class WhenDone : std::uint8_t { stay, leave };

struct Config {
    std::string group{}, name{};
    std::uint32_t expect = 0;             // 0: the roster is given by `members`
    std::vector<NamedAddress> members{};  // all with addresses or hosts, or none
    bool join = false;                    // a group that runs
    bool witness = false;
    bool observer = false;   // no member: neither votes nor stands
    bool no_quorum = false;  // one leader in every connected part
    std::uint32_t priority = 0;
    bool preempt = false;
    std::string key{};  // a file; empty: none
    bool insecure = false;
    std::string state{};  // a folder
    std::string interface{};
    std::uint16_t port = 0;  // of the own socket; 0: the usual one, or any where that is taken
    static constexpr std::string_view usual_meeting = "239.255.76.76:7676";
    net::Address meeting = *net::parse_address(usual_meeting);
    bool broadcast = false;  // to the subnet, instead of multicast
    Duration detect{}, heartbeat{};
    std::string algorithm = "bully";
    std::string contain = "best";
    bool require_contain = false;
    Restart restart = Restart::no;
    WhenDone when_done = WhenDone::stay;  // and go on voting
    Duration stop_timeout = std::chrono::seconds(10);
    Grace grace{};
    Duration watchdog{};  // 0: the command need not say that it is alive
    std::string on_leader{}, on_follower{}, on_lost{}, on_no_leader{};
    CleanUp on_stopped{};
    Duration hook_timeout = std::chrono::seconds(10);
    HealthChecks health{};
    Web web{};
    bool stretch = false;   // take longer times, if this machine cannot keep these
    std::string publish{};  // value that members see while it leads
    std::vector<std::string> command{};

    static constexpr int margins = 20;  // in a detection time
    // Whose lease the command has at least.
    Duration command_detect() const { return grace.detect != Duration{0} ? grace.detect : detect; }
    // So long before the lease ends the command is killed: a busy machine takes its time.
    Duration margin() const {
        using std::chrono::milliseconds;
        return std::clamp<Duration>(command_detect() / margins, milliseconds(10),
                                    milliseconds(100));
    }
    // So soon a live member answers.
    Duration answer() const {
        using std::chrono::milliseconds;
        return std::clamp<Duration>(heartbeat / 5, milliseconds(5), milliseconds(50));
    }
    // A member that should be heard regularly and is not, for so long, is suspected.
    Duration patience() const { return detect * 3 / 4; }
    // The best of those that live calls an election at once, each lesser one so much later: an
    // election that one calls is the quickest.
    Duration queue_time(std::uint32_t better) const { return better * 4 * answer(); }
    // An ask that a live member has not answered by then is probably lost, and is repeated. Unlike
    // an answer it may take a part of any heartbeat: a network may be slow, and nobody waits.
    Duration repeat() const { return std::max(heartbeat / 5, answer()); }
    static constexpr std::int64_t clock_error_ppm = 1000;  // by slewing, and of a bad crystal
    bool by_address() const { return !members.empty() && members.front().is_placed(); }
    // Of the sockets: as the addresses are; hosts are looked up for IPv4 unless they are IPv6.
    net::Family family() const {
        for (const NamedAddress& member : members)
            if (member.address) return member.address->family;
        return by_address() ? net::Family::ipv4 : meeting.family;
    }
};

// A sentence that names the field, the value and what would be right.
struct ConfigRefusal {
    std::string sentence{};
    int code = exit_code::refused;
};
[[noreturn]] inline void refuse(std::string sentence, int code = exit_code::refused) {
    throw ConfigRefusal{std::move(sentence), code};
}

// As it was given, but with the times of its group: what follows from them, or is too long for
// them, is fitted. `shortest`: Grace::detect.
Config with_times(Config given, const member::Times& times, Duration shortest = {});
// "--detect 2s and --heartbeat 500ms".
std::string text_of_times(Duration detect, Duration heartbeat);

// For a node that was a member.
std::string removed_sentence(const Config& config);

// The options of a node, in the order of its help.
const options::Table<Config>& config_table();

// Where nodes keep their state by default.
std::string default_state();
// A configuration file's values. Throws a ConfigRefusal.
std::vector<options::Given> read_config_file(const std::string& path);
// Values from the command line override those of the environment, and these those of the file.
// Throws a ConfigRefusal.
Config make_config(const std::vector<options::Given>& given, std::vector<std::string> command);
// One line an option, all of them: as they were given, or as they follow.
std::string describe(const Config& config);

}  // namespace conclave::agent
