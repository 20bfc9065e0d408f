#include "conclave/net/address.hpp"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace conclave::net {

namespace {

std::optional<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc{} || end != text.data() + text.size() || port == 0) return {};
    return port;
}

std::optional<Address> parse_ipv4(const std::string& host) {
    Address address;
    if (inet_pton(AF_INET, host.c_str(), address.bytes.data()) != 1) return {};
    return address;
}

std::optional<Address> parse_ipv6(std::string host) {
    Address address{.family = Family::ipv6};
    if (const auto at = host.find('%'); at != std::string::npos) {
        address.scope = if_nametoindex(host.c_str() + at + 1);
        if (address.scope == 0) return {};
        host.resize(at);
    }
    if (inet_pton(AF_INET6, host.c_str(), address.bytes.data()) != 1) return {};
    return address;
}

}  // namespace

bool Address::is_loopback() const {
    if (family == Family::ipv4) return bytes[0] == 127;
    return bytes[15] == 1 &&
           std::all_of(bytes.begin(), bytes.end() - 1, [](std::uint8_t b) { return b == 0; });
}

bool Address::is_multicast() const {
    return family == Family::ipv4 ? bytes[0] >> 4 == 14 : bytes[0] == 0xff;
}

Address Address::with_port(std::uint16_t other) const {
    Address address = *this;
    address.port = other;
    return address;
}

std::optional<Address> parse_address(std::string_view text, std::uint16_t port) {
    std::string host(text);
    const bool bracket = text.starts_with('[');
    const std::size_t colon = text.rfind(':');
    const bool many = std::count(text.begin(), text.end(), ':') > 1;
    if (colon != std::string_view::npos && (bracket ? text[colon - 1] == ']' : !many)) {
        const auto given = parse_port(text.substr(colon + 1));
        if (!given) return {};
        port = *given;
        host.resize(colon);
    }
    if (bracket) {
        if (!host.ends_with(']')) return {};
        host = host.substr(1, host.size() - 2);
    }
    auto address = host.find(':') != std::string::npos ? parse_ipv6(host) : parse_ipv4(host);
    if (address) address->port = port;
    return address;
}

std::string host_text(const Address& address) {
    std::array<char, INET6_ADDRSTRLEN> buffer{};
    const bool ipv6 = address.family == Family::ipv6;
    inet_ntop(ipv6 ? AF_INET6 : AF_INET, address.bytes.data(), buffer.data(), buffer.size());
    std::string host = buffer.data();
    std::array<char, IF_NAMESIZE> name{};
    if (address.scope != 0 && if_indextoname(address.scope, name.data()) != nullptr)
        host += "%" + std::string(name.data());
    return ipv6 ? "[" + host + "]" : host;
}

std::string text(const Address& address) {
    return host_text(address) + ":" + std::to_string(address.port);
}

Address any_address(Family family, std::uint16_t port) {
    return {.family = family, .bytes = {}, .port = port, .scope = 0};
}

RawAddress to_raw(const Address& address) {
    RawAddress raw;
    if (address.family == Family::ipv4) {
        sockaddr_in in{};
        in.sin_family = AF_INET;
        in.sin_port = htons(address.port);
        std::memcpy(&in.sin_addr, address.bytes.data(), 4);
        std::memcpy(&raw.storage, &in, raw.size = sizeof in);
    } else {
        sockaddr_in6 in{};
        in.sin6_family = AF_INET6;
        in.sin6_port = htons(address.port);
        in.sin6_scope_id = address.scope;
        std::memcpy(&in.sin6_addr, address.bytes.data(), 16);
        std::memcpy(&raw.storage, &in, raw.size = sizeof in);
    }
    return raw;
}

std::optional<Address> from_raw(const sockaddr* raw) {
    Address address;
    if (raw == nullptr) return {};
    if (raw->sa_family == AF_INET) {
        sockaddr_in in{};
        std::memcpy(&in, raw, sizeof in);
        std::memcpy(address.bytes.data(), &in.sin_addr, 4);
        address.port = ntohs(in.sin_port);
        return address;
    }
    if (raw->sa_family != AF_INET6) return {};
    sockaddr_in6 in{};
    std::memcpy(&in, raw, sizeof in);
    address.family = Family::ipv6;
    std::memcpy(address.bytes.data(), &in.sin6_addr, 16);
    address.port = ntohs(in.sin6_port);
    address.scope = in.sin6_scope_id;
    return address;
}

}  // namespace conclave::net
