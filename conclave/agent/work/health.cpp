#include "conclave/agent/work/health.hpp"

#include "conclave/agent/settings/node_config.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

namespace {

constexpr std::uint16_t http_port = 80;

// A name is not looked up: that may take longer than the answer is worth.
std::optional<net::Address> address_of(std::string_view text, std::uint16_t port) {
    std::string spelled(text);
    if (spelled.starts_with("localhost")) spelled.replace(0, 9, "127.0.0.1");
    auto address = net::parse_address(spelled, port);
    return address && address->port != 0 ? address : std::nullopt;
}

}  // namespace

std::optional<HealthCheck> parse_check(std::string_view text) {
    constexpr std::string_view tcp = "tcp:", http = "http:";
    const bool other_scheme = text.substr(0, text.find(' ')).find("://") != text.npos;
    if (text.empty() || text.starts_with("https:")) return std::nullopt;
    if (text.starts_with(tcp)) {
        const auto address = address_of(text.substr(tcp.size()), 0);
        if (!address) return std::nullopt;
        return ConnectCheck{*address, {}};
    }
    if (!text.starts_with(http)) {
        if (other_scheme) return std::nullopt;
        return ShellCheck{std::string(text)};
    }
    std::string_view place = text.substr(http.size());
    if (place.starts_with("//")) place.remove_prefix(2);
    const std::string_view host = place.substr(0, place.find('/'));
    const std::string_view path = host.size() < place.size() ? place.substr(host.size()) : "/";
    const auto address = address_of(host, http_port);
    const auto odd = [](char c) { return c <= ' ' || c == '\x7f'; };
    if (!address || std::any_of(place.begin(), place.end(), odd)) return std::nullopt;
    return ConnectCheck{*address, "GET " + std::string(path) + " HTTP/1.0\r\nHost: " +
                                      std::string(host) + "\r\nUser-Agent: conclave\r\n\r\n"};
}

Health::Health(net::Loop& loop, HealthSettings settings, Changed changed)
    : settings_(std::move(settings)),
      changed_(std::move(changed)),
      again_(loop, [this] { ask(); }),
      script_(loop),
      visit_(loop) {}

void Health::ask() {
    asked_ = net::boot_time();
    const auto done = [this](bool well, const std::string& words) { hear(well, words); };
    if (const auto* shell = std::get_if<ShellCheck>(&settings_.check))
        return script_.start(shell->command, {}, settings_.limit, done);
    const auto& connect = std::get<ConnectCheck>(settings_.check);
    visit_.start(connect.to, connect.request, settings_.limit, done);
}

void Health::hear(bool well, const std::string& words) {
    again_.set(std::max(asked_ + settings_.every, net::boot_time()));
    against_ = well_ && *well_ != well ? against_ + 1 : 0;
    if (well_ && against_ < (well ? settings_.rise : settings_.fall)) return;
    against_ = 0;
    well_ = well;
    changed_(well, words);
}

std::unique_ptr<Health> make_health(net::Loop& loop, const Config& config,
                                    Health::Changed changed) {
    if (config.health.check.empty()) return nullptr;
    return std::make_unique<Health>(
        loop,
        HealthSettings{*parse_check(config.health.check), config.health.every,
                       config.health.timeout, config.health.rise, config.health.fall},
        std::move(changed));
}

}  // namespace conclave::agent
