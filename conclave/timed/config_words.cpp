// The options of the time daemon: what each is for, and how its value is read.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>

#include "conclave/core/date.hpp"
#include "conclave/timed/config.hpp"
#include "conclave/timed/wire_date.hpp"

namespace conclave::timed {

namespace {

using C = Config;
using V = std::string_view;

template <class T>
std::optional<T> number_of(V text) {
    T number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    if constexpr (std::is_floating_point_v<T>)
        if (!std::isfinite(number)) return std::nullopt;
    return number;
}

std::string read_name(C& config, V value) {
    config.name = value;
    const bool plain = std::all_of(value.begin(), value.end(), [](char c) { return c > ' '; });
    return plain && !value.empty() && value.size() < 64 ? "" : "give up to 63 letters, no blanks";
}

std::string read_ipv4(V value, std::optional<net::Address>& into) {
    into = net::parse_address(value);
    if (!into || into->family != net::Family::ipv4 || into->port != 0)
        return "give an IPv4 address, such as 10.0.0.1";
    return {};
}

std::string read_port(C& config, V value) {
    const auto port = number_of<std::uint16_t>(value);
    if (!port || *port == 0) return "give a number from 1 to 65535";
    config.port = *port;
    return {};
}

std::string read_date(V value, Time& into) {
    const auto date = parse_date(value);
    if (!date || !is_possible_date(*date))
        return "give a date from 1970 to 2099, such as 2026-01-01 or 2026-01-01T00:00:00Z";
    into = *date;
    return {};
}

std::string read_path(V value, std::string& into) {
    into = value;
    return value.empty() ? "give a path" : "";
}

std::string read_clock(C& config, V value) {
    if (value == "system")
        config.clock = ClockKind::system;
    else if (value == "virtual")
        config.clock = ClockKind::virtual_;
    else if (value == "none")
        config.clock = ClockKind::none;
    else
        return "choose from system, virtual, none";
    return {};
}

std::string read_offset(C& config, V value) {
    const bool negative = value.starts_with('-');
    if (negative || value.starts_with('+')) value.remove_prefix(1);
    const auto size = parse_duration(value);
    constexpr Duration most = std::chrono::hours(24 * 365 * 20);
    if (!size || *size < Duration{0} || *size > most) return "give a duration, such as -50ms";
    config.offset = negative ? -*size : *size;
    return {};
}

std::string read_drift(C& config, V value) {
    if (value.ends_with("ppm")) value.remove_suffix(3);
    if (value.starts_with('+')) value.remove_prefix(1);
    const auto ppm = number_of<double>(value);
    if (!ppm || *ppm < -4000 || *ppm > 4000) return "give up to 4000ppm, such as -20ppm";
    config.drift = {static_cast<std::int64_t>(*ppm * 1e6)};
    return {};
}

std::string read_trust(C& config, V value) {
    const auto slash = value.find('/');
    const auto network = net::parse_address(value.substr(0, slash));
    if (slash == V::npos && !network) {
        config.trusted.push_back({std::string(value), {}, 0});
        return value.empty() ? "give a name or a network" : "";
    }
    const auto bits = slash == V::npos ? 32 : number_of<int>(value.substr(slash + 1)).value_or(-1);
    if (!network || network->family != net::Family::ipv4 || bits < 0 || bits > 32)
        return "give a daemon's name, an IPv4 address or a network, such as 10.0.0.0/24";
    config.trusted.push_back({{}, network, bits});
    return {};
}

std::string read_mode(C& config, V value) {
    if (value == "auto")
        config.mode = Mode::automatic;
    else if (value == "own")
        config.mode = Mode::own;
    else if (value == "bsd")
        config.mode = Mode::bsd;
    else
        return "choose from auto, own, bsd";
    return {};
}

std::string read_round(C& config, V value) {
    const auto round = parse_duration(value);
    if (!round || *round < std::chrono::milliseconds(100) || *round > std::chrono::minutes(1))
        return "give a duration from 100ms to 1min";
    config.round = *round;
    return {};
}

std::string read_scale(C& config, V value) {
    const auto scale = number_of<double>(value);
    if (!scale || *scale < 1 || *scale > 1000) return "give a number from 1 to 1000";
    config.time_scale = *scale;
    return {};
}

std::string read_step(C& config, V value) {
    const auto step = clock::parse_step_policy(value);
    if (!step)
        return "give a duration from 1ms up, such as 1s or 128ms:3 (in the first three "
               "corrections), "
               "first or never; :forward behind it never steps back";
    config.step = *step;
    return {};
}

std::string read_slew_limit(C& config, V value) {
    if (value.ends_with("ppm")) value.remove_suffix(3);
    const auto ppm = number_of<std::int64_t>(value);
    if (!ppm || *ppm < 1 ||
        clock::ppm(std::min<std::int64_t>(*ppm, 1'000'000)) > clock::fastest_slew)
        return "give 1ppm to 100000ppm";
    config.slew_limit = clock::ppm(*ppm);
    return {};
}

std::string read_seed(C& config, V value) {
    config.seed = number_of<std::uint64_t>(value);
    return config.seed ? "" : "give a whole number";
}

std::string read_within(C& config, V value) {
    const auto within = parse_duration(value);
    if (!within || *within <= Duration{0}) return "give a duration, such as 1ms";
    config.wanted.within = *within;
    return {};
}

std::string read_members(C& config, V value) {
    const auto members = number_of<std::uint32_t>(value);
    if (!members || *members == 0) return "give a whole number from 1 up";
    config.wanted.members = *members;
    return {};
}

std::string read_http(C& config, V value) {
    config.http = net::parse_address(value);
    if (!config.http || config.http->port == 0)
        return "give an IP address and a port: 127.0.0.1:7678";
    return {};
}

constexpr ConfigWord words[] = {
    {"name", "NAME", "name of this daemon (default: the host's name)", false, false, &read_name},
    {"address", "A.B.C.D", "IPv4 address of this machine on the network (default: the first)",
     false, false, [](C& c, V v) { return read_ipv4(v, c.address); }},
    {"broadcast", "A.B.C.D", "broadcast address of the network (default: the interface's)", false,
     false, [](C& c, V v) { return read_ipv4(v, c.broadcast); }},
    {"port", "N", "UDP port of all daemons (default: 525)", false, false, &read_port},
    {"state", "DIR", "folder in which the clock's drift is kept over a restart (default: none)",
     false, false, [](C& c, V v) { return read_path(v, c.state); }},
    {"control", "PATH",
     "socket for status, check, watch, set and resign (default: /run/conclave/timed.sock, for "
     "others than root in $XDG_RUNTIME_DIR)",
     false, false, [](C& c, V v) { return read_path(v, c.control); }},
    {"no-control", "", "open no control socket, and write no page unless --page is given", true,
     false, [](C& c, V) { return c.no_control = true, std::string(); }},
    {"page", "FILE",
     "file from which conclave timed now and programs read the time (default: that of --control, "
     "with .page in place of .sock)",
     false, false, [](C& c, V v) { return read_path(v, c.page); }},
    {"clock", "KIND",
     "clock to correct: system, this machine's; virtual, one inside the process; none, only look",
     false, false, &read_clock},
    {"offset", "D", "with --clock virtual, start this far ahead, such as -50ms (default: 0)", false,
     false, &read_offset},
    {"drift", "PPM", "with --clock virtual, run this much too fast, such as 20ppm (default: 0)",
     false, false, &read_drift},
    {"key", "FILE", "believe only daemons with this key, which conclave keygen makes", false, false,
     [](C& c, V v) { return read_path(v, c.key); }},
    {"insecure", "", "believe everybody on the local network, as BSD timed does", true, false,
     [](C& c, V) { return c.insecure = true, std::string(); }},
    {"trust", "WHO", "believe this name, address or network without a key; may be repeated", false,
     true, &read_trust},
    {"master", "", "may become master (default)", true, false,
     [](C& c, V) { return c.eligible = true, std::string(); }},
    {"no-master", "", "never become master", true, false,
     [](C& c, V) { return c.eligible = false, std::string(); }},
    {"mode", "MODE",
     "times to keep: own, a round each second; bsd, as BSD timed; auto, bsd once one is heard "
     "(default: auto)",
     false, false, &read_mode},
    {"round", "D", "time between two measurements of a slave, 100ms to 1min (default: 1s)", false,
     false, &read_round},
    {"time-scale", "X", "divide all times of BSD timed by this, for tests (default: 1)", false,
     false, &read_scale},
    {"step", "POLICY",
     "step over errors larger than a DURATION; DURATION:COUNT only in so many first corrections; "
     "first: only when told the time first; never; :forward behind it never steps back "
     "(default: 1s)",
     false, false, &read_step},
    {"slew-limit", "PPM",
     "slew other errors by no more than this, 1ppm to 100000ppm (default: 50000ppm, a second in "
     "20 s)",
     false, false, &read_slew_limit},
    {"not-before", "DATE",
     "never set the clock before this date, such as 2026-01-01: for machines whose clock may start "
     "in 1970",
     false, false, [](C& c, V v) { return read_date(v, c.not_before); }},
    {"chrony-sock", "PATH",
     "feed the SOCK reference clock of a chronyd, which then owns the clock and serves NTP; with "
     "--clock none",
     false, false, [](C& c, V v) { return read_path(v, c.chrony_sock); }},
    {"statistics", "DIR",
     "folder for tracking.log and measurements.log, a line a round, 16 MiB each at most", false,
     false, [](C& c, V v) { return read_path(v, c.statistics); }},
    {"within", "D",
     "largest error bound that is good enough for READY=1, /synchronised, check and --wait-sync; "
     "these two ask for another by their own --within (default: 1ms)",
     false, false, &read_within},
    {"members", "N",
     "number of clocks, this one included, that must be behind a time that is good enough "
     "(default: 2)",
     false, false, &read_members},
    {"seed", "N", "seed of all random choices, for tests", false, false, &read_seed},
    {"http", "ADDRESS",
     "address and port at which to answer GET /synchronised, /status, /events and /metrics", false,
     false, &read_http},
};

}  // namespace

std::span<const ConfigWord> config_words() { return words; }

}  // namespace conclave::timed
