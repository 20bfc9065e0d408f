// All that can be said to a node before it starts: options before environment before file before
// defaults.
//
// Every setting has one name: `stop-timeout` is --stop-timeout, CONCLAVE_STOP_TIMEOUT and
// stop-timeout in the file, and one row of the table in config.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/agent/exit_code.hpp"
#include "conclave/core/time.hpp"
#include "conclave/net/address.hpp"

namespace conclave::agent {

struct NamedAddress {
    std::string name{};
    std::optional<net::Address> address{};
};

enum class Restart : std::uint8_t { no, on_failure, always };
enum class WhenDone : std::uint8_t { stay, leave };

struct Config {
    std::string group{}, name{};
    std::uint32_t expect = 0;             // 0: the roster is given by `members`
    std::vector<NamedAddress> members{};  // all with addresses, or none
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
    static constexpr std::uint16_t usual_port = 7675;  // firewalls need one to open
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
    Duration grace{};     // so long before a lease ends that is not renewed the command is told
    Duration watchdog{};  // 0: the command need not say that it is alive
    std::string on_leader{}, on_follower{}, on_lost{}, on_no_leader{};
    Duration hook_timeout = std::chrono::seconds(10);
    std::string health{};  // a check, see health.hpp; empty: always well
    Duration health_every = std::chrono::seconds(1), health_timeout = std::chrono::seconds(1);
    std::uint32_t rise = 2, fall = 3;
    std::optional<net::Address> http{};     // where it answers to programs
    std::vector<std::string> http_hosts{};  // names by which they may call it
    bool stretch = false;                   // take longer times, if this machine cannot keep these
    std::vector<std::string> command{};

    static constexpr int margins = 20;  // in a detection time
    // So long before the lease ends the command is killed: a busy machine takes its time.
    Duration margin() const {
        using std::chrono::milliseconds;
        return std::clamp<Duration>(detect / margins, milliseconds(10), milliseconds(100));
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
    bool by_address() const { return !members.empty() && members.front().address.has_value(); }
};

// A sentence that names the field, the value and what would be right.
struct ConfigRefusal {
    std::string sentence{};
    int code = exit_code::refused;
};
[[noreturn]] inline void refuse(std::string sentence, int code = exit_code::refused) {
    throw ConfigRefusal{std::move(sentence), code};
}

struct ConfigWord {
    std::string_view name, form, purpose;
    bool flag = false;  // needs no value on the command line
    // Empty when all is well, else what would be right.
    std::string (*read)(Config& config, std::string_view value);
};
std::span<const ConfigWord> config_words();

enum class Source : std::uint8_t { file, environment, option };  // the later one wins

// A word and its value, as somebody wrote it; `where` is for the sentence: "--expect".
struct Given {
    std::string name{}, value{}, where{};
    Source source = Source::option;
};

// Where nodes keep their state unless told otherwise.
std::string default_state();
std::vector<Given> read_environment();
std::vector<Given> read_config_file(const std::string& path);  // throws a ConfigRefusal
// Later ones win. Throws a ConfigRefusal.
Config make_config(const std::vector<Given>& given, std::vector<std::string> command);
// One line a setting, all of them: as they were given, or as they follow.
std::string describe(const Config& config);

}  // namespace conclave::agent
