#include "conclave/timed/daemon_config.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "conclave/net/interfaces.hpp"

namespace conclave::timed {

namespace {

using options::Given;

bool has(const std::vector<Given>& given, std::string_view name) {
    return std::any_of(given.begin(), given.end(),
                       [&](const Given& each) { return each.name == name; });
}

void refuse_missing(const DaemonConfig& config, const std::vector<Given>& given) {
    if (!has(given, "clock"))
        throw DaemonConfigRefusal{
            "--clock is missing: system corrects this machine's clock, virtual "
            "one inside the process, none only looks"};
    if (config.key.empty() && !config.insecure && config.trusted.empty())
        throw DaemonConfigRefusal{
            "--key is missing: make one with conclave keygen FILE and give it to "
            "all daemons, or say whom to believe with --trust, or --insecure"};
}

void refuse_contradictions(const DaemonConfig& config, const std::vector<Given>& given) {
    const auto refuse_both = [&](const char* one, const char* other) {
        if (has(given, one) && has(given, other))
            throw DaemonConfigRefusal{std::string("--") + one + " and --" + other +
                                      " exclude each other: leave out one"};
    };
    refuse_both("insecure", "key");
    refuse_both("no-control", "control");
    if (config.clock != ClockKind::virtual_ && (has(given, "offset") || has(given, "drift")))
        throw DaemonConfigRefusal{"--offset and --drift are for --clock virtual: leave them out"};
    if (!config.chrony_sock.empty() && config.clock == ClockKind::system)
        throw DaemonConfigRefusal{
            "--chrony-sock and --clock system exclude each other, since chrony corrects the clock: "
            "give --clock none"};
}

// A broadcast address is needed, and the machine knows which. One whose network is not up yet will.
void find_network(DaemonConfig& config) {
    if (config.address && config.broadcast) return;
    for (const net::Interface& each : net::list_interfaces()) {
        const auto address = each.address(net::Family::ipv4);
        if (!address || !each.broadcast || (each.loopback && !config.address)) continue;
        const bool given =
            config.address &&
            std::find_if(each.addresses.begin(), each.addresses.end(), [&](const net::Address& a) {
                return a.bytes == config.address->bytes;
            }) != each.addresses.end();
        if (config.address && !given) continue;
        if (!config.address) config.address = address->with_port(0);
        if (!config.broadcast) config.broadcast = each.broadcast->with_port(0);
        return;
    }
    throw DaemonConfigRefusal{
        config.address
            ? "--broadcast is missing, and no interface has " + net::text(*config.address) +
                  ": give the network's, such as "
                  "10.0.0.255"
            : "--address is missing, and no interface of this machine broadcasts: "
              "give --address and --broadcast",
        exit_code::internal};
}

}  // namespace

std::string default_control() {
    const char* runtime = geteuid() == 0 ? nullptr : std::getenv("XDG_RUNTIME_DIR");
    return std::string(runtime == nullptr ? "/run" : runtime) + "/conclave/timed.sock";
}

std::string page_beside(const std::string& control) {
    constexpr std::string_view socket = ".sock";
    const std::size_t end = control.size() - (control.ends_with(socket) ? socket.size() : 0);
    return control.substr(0, end) + ".page";
}

std::string describe(const DaemonConfig& config) { return config_table().describe(config); }

DaemonConfig make_config(const std::vector<Given>& given) {
    DaemonConfig config;
    const std::string problem =
        config_table().read(given, config, "conclave timed --help lists what there is");
    if (!problem.empty()) throw DaemonConfigRefusal{problem};
    refuse_missing(config, given);
    refuse_contradictions(config, given);
    if (config.clock == ClockKind::none) config.eligible = false;
    if (config.name.empty()) {
        std::array<char, 256> host{};
        gethostname(host.data(), host.size() - 1);
        config.name = host.data();
    }
    if (config.control.empty()) config.control = default_control();
    if (config.page.empty() && !config.no_control) config.page = page_beside(config.control);
    if (config.no_control) config.control.clear();
    find_network(config);
    return config;
}

}  // namespace conclave::timed
