// The options of the time daemon: what each is for, and how its value is read and written.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "conclave/core/date.hpp"
#include "conclave/timed/daemon/wire_date.hpp"
#include "conclave/timed/daemon_config.hpp"

namespace conclave::timed {

namespace {

namespace config_options {  // names that others in this folder have, too

using options::Answer, options::Choice, options::Count, options::Hint, options::Path, options::Span,
    options::flag, options::minute, options::ms, options::often, options::once, options::wrong;

// A name that fits into a datagram of the protocol.
struct Name {
    static constexpr std::string_view name = "NAME";
    static Answer read(std::string_view text, std::string& into) {
        into = text;
        const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c > ' '; });
        const bool fits = plain && !text.empty() && text.size() < 64;
        return fits ? Answer{} : wrong("give up to 63 letters, no blanks");
    }
    static std::string write(const std::string& text) { return text; }
};

// An IPv4 address without a port.
struct Host {
    static constexpr std::string_view name = "A.B.C.D";
    static Answer read(std::string_view text, net::Address& into) {
        const auto address = net::parse_address(text);
        if (!address || address->family != net::Family::ipv4 || address->port != 0)
            return wrong("give an IPv4 address, such as 10.0.0.1");
        into = *address;
        return {};
    }
    static std::string write(const net::Address& address) { return net::host_text(address); }
};

struct Listen {
    static constexpr std::string_view name = "ADDRESS";
    static Answer read(std::string_view text, net::Address& into) {
        const auto address = net::parse_address(text);
        if (!address || address->port == 0)
            return wrong("give an IP address and a port: 127.0.0.1:7678");
        into = *address;
        return {};
    }
    static std::string write(const net::Address& address) { return net::text(address); }
};

struct Date {
    static constexpr std::string_view name = "DATE";
    static Answer read(std::string_view text, Time& into) {
        const auto date = parse_date(text);
        if (!date || !is_possible_date(*date))
            return wrong(
                "give a date from 1970 to 2099, such as 2026-01-01 or "
                "2026-01-01T00:00:00Z");
        into = *date;
        return {};
    }
    static std::string write(Time date) { return date == Time{0} ? "" : format_date(date); }
};

// A duration that may have a sign.
struct Offset {
    static constexpr std::string_view name = "DURATION";
    static Answer read(std::string_view text, Duration& into) {
        const bool negative = text.starts_with('-');
        if (negative || text.starts_with('+')) text.remove_prefix(1);
        Duration size{};
        Answer answer =
            options::read_duration(text, Duration{0}, 20 * Duration{365 * options::day}, size);
        if (answer) into = negative ? -size : size;
        return answer;
    }
    static std::string write(Duration value) { return format_duration(value); }
};

std::optional<double> parse_fraction(std::string_view text) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    const bool whole = read.ec == std::errc{} && read.ptr == end && std::isfinite(number);
    return whole ? std::optional(number) : std::nullopt;
}

// Parts per million, with or without the unit.
struct Drift {
    static constexpr std::string_view name = "PPM";
    static Answer read(std::string_view text, clock::Rate& into) {
        if (text.ends_with("ppm")) text.remove_suffix(3);
        if (text.starts_with('+')) text.remove_prefix(1);
        const auto ppm = parse_fraction(text);
        if (!ppm || *ppm < -4000 || *ppm > 4000) return wrong("give up to 4000ppm, such as -20ppm");
        into = {static_cast<std::int64_t>(*ppm * 1e6)};
        return {};
    }
    static std::string write(clock::Rate rate) {
        return std::to_string(static_cast<double>(rate.ppt) / 1e6) + "ppm";
    }
};

struct SlewLimit {
    static constexpr std::string_view name = "PPM";
    static Answer read(std::string_view text, clock::Rate& into) {
        if (text.ends_with("ppm")) text.remove_suffix(3);
        const auto ppm = options::parse_number<std::int64_t>(text);
        if (!ppm || *ppm < 1 ||
            clock::ppm(std::min<std::int64_t>(*ppm, 1'000'000)) > clock::fastest_slew)
            return wrong("give 1ppm to 100000ppm");
        into = clock::ppm(*ppm);
        return {};
    }
    static std::string write(clock::Rate rate) {
        return std::to_string(rate.ppt / clock::ppm(1).ppt) + "ppm";
    }
};

struct Trust {
    static constexpr std::string_view name = "NAME|ADDRESS|NETWORK";
    static Answer read(std::string_view text, Trusted& into) {
        const auto slash = text.find('/');
        const auto network = net::parse_address(text.substr(0, slash));
        if (slash == std::string_view::npos && !network) {
            into = {std::string(text), {}, 0};
            return text.empty() ? wrong("give a name or a network") : Answer{};
        }
        const auto bits = slash == std::string_view::npos
                              ? 32
                              : options::parse_number<int>(text.substr(slash + 1)).value_or(-1);
        if (!network || network->family != net::Family::ipv4 || bits < 0 || bits > 32)
            return wrong("give a daemon's name, an IPv4 address or a network, such as 10.0.0.0/24");
        into = {{}, network, bits};
        return {};
    }
    static std::string write(const Trusted& trusted) {
        return trusted.network
                   ? net::host_text(*trusted.network) + "/" + std::to_string(trusted.bits)
                   : trusted.name;
    }
};

struct Scale {
    static constexpr std::string_view name = "FACTOR";
    static Answer read(std::string_view text, double& into) {
        const auto scale = parse_fraction(text);
        if (!scale || *scale < 1 || *scale > 1000) return wrong("give a number from 1 to 1000");
        into = *scale;
        return {};
    }
    static std::string write(double scale) { return std::to_string(scale); }
};

struct Step {
    static constexpr std::string_view name = "POLICY";
    static Answer read(std::string_view text, clock::StepPolicy& into) {
        const auto step = clock::parse_step_policy(text);
        if (!step)
            return wrong(
                "give a duration from 1ms up, such as 1s or 128ms:3 (in the first three "
                "corrections), first or never; :forward behind it never steps back");
        into = *step;
        return {};
    }
    static std::string write(const clock::StepPolicy& policy) { return to_text(policy); }
};

using C = DaemonConfig;
constexpr auto within = [](auto& config) -> auto& { return config.wanted.within; };
constexpr auto members = [](auto& config) -> auto& { return config.wanted.members; };

constexpr options::Option<DaemonConfig> network_options[] = {
    once<&C::name, Name>("name", "name of this daemon", "the host's name"),
    once<&C::address, Host>("address", "IPv4 address of this machine on the network", "the first"),
    once<&C::broadcast, Host>("broadcast", "broadcast address of the network", "the interface's"),
    once<&C::port, Count<1, 65535>>("port", "UDP port of all daemons", "525").called("PORT"),
    once<&C::key, Path>("key", "believe only daemons with this key, which conclave keygen makes")
        .with(Hint::file),
    flag<&C::insecure>("insecure", "believe everybody on the local network, as BSD timed does"),
    often<&C::trusted, Trust>(
        "trust", "believe this name, address or network without a key; may be repeated"),
    {{"no-master", options::Kind::flag, {}, "never become master"},
     [](C& config, std::string_view value) {
         bool never_master = false;
         Answer answer = options::Truth::read(value, never_master);
         config.eligible = !never_master;
         return answer;
     },
     [](const C& config) { return options::Values{options::Truth::write(!config.eligible)}; }},
    once<&C::mode, Choice<"auto|own|bsd">>(
        "mode",
        "times to keep: own, a round each second; bsd, as BSD timed; auto, bsd once one is "
        "heard",
        "auto"),
    once<&C::round, Span<100 * ms, minute>>("round", "time between two measurements of a slave",
                                            "1s"),
};

constexpr options::Option<DaemonConfig> clock_options[] = {
    once<&C::clock, Choice<"system|virtual|none">>(
        "clock",
        "clock to correct: system, this machine's; virtual, one inside the process; none, "
        "only look"),
    once<&C::step, Step>(
        "step",
        "step over errors larger than a DURATION; DURATION:COUNT only in the first COUNT "
        "corrections; first: only when told the time first; never; :forward behind it "
        "never steps back",
        "1s"),
    once<&C::slew_limit, SlewLimit>("slew-limit", "greatest rate of slewing, 1ppm to 100000ppm",
                                    "50000ppm, a second in 20 s"),
    once<&C::not_before, Date>(
        "not-before",
        "never set the clock before this date, such as 2026-01-01: for machines whose "
        "clock may start in 1970"),
    once<&C::chrony_sock, Path>(
        "chrony-sock",
        "feed the SOCK reference clock of a chronyd, which then owns the clock and "
        "serves NTP; with --clock none")
        .with(Hint::file),
    once<&C::offset, Offset>("offset", "with --clock virtual, start this far ahead, such as -50ms",
                             "0s"),
    once<&C::drift, Drift>("drift", "with --clock virtual, run this much too fast, such as 20ppm",
                           "0ppm"),
};

constexpr options::Option<DaemonConfig> outlet_options[] = {
    once<&C::state, Path>("state", "folder in which the clock's drift is kept over a restart",
                          "none")
        .called("DIR")
        .with(Hint::folder),
    once<&C::control, Path>("control", "socket for status, check, watch, set and resign",
                            "/run/conclave/timed.sock, for others than root in $XDG_RUNTIME_DIR")
        .with(Hint::file),
    flag<&C::no_control>("no-control",
                         "open no control socket, and write no page but that of "
                         "--page"),
    once<&C::page, Path>("page", "file from which conclave timed now and programs read the time",
                         "that of --control, with .page in place of .sock")
        .with(Hint::file),
    once<&C::statistics, Path>("statistics",
                               "folder for tracking.log and measurements.log, a line "
                               "a round, 16 MiB each at most")
        .called("DIR")
        .with(Hint::folder),
    once<within, Span<1>, DaemonConfig>(
        "within",
        "largest error bound that is good enough for READY=1, /synchronised, check and "
        "wait",
        "1ms"),
    once<members, Count<1, 1'000'000>, DaemonConfig>(
        "members",
        "number of clocks, this one included, that must agree on a time that is good "
        "enough",
        "2"),
    once<&C::http, Listen>(
        "http",
        "address and port at which to answer GET /synchronised, /status, /events and "
        "/metrics"),
    once<&C::time_scale, Scale>("time-scale", "divide all times of BSD timed by this, for tests",
                                "1"),
    once<&C::seed, options::Seed>("seed", "seed of all random choices, for tests"),
};

constexpr options::OptionGroup<DaemonConfig> groups[] = {{"network and trust", network_options},
                                                         {"the clock", clock_options},
                                                         {"outlets and standards", outlet_options}};

}  // namespace config_options

}  // namespace

const options::Table<DaemonConfig>& config_table() {
    static constexpr options::Table<DaemonConfig> table(config_options::groups);
    return table;
}

}  // namespace conclave::timed
