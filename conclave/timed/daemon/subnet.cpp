#include "conclave/timed/daemon/subnet.hpp"

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <bit>
#include <span>

#include "conclave/net/descriptor.hpp"

namespace conclave::timed {

namespace {

std::uint32_t number_of(const net::Address& address) {
    return std::uint32_t{address.bytes[0]} << 24 | std::uint32_t{address.bytes[1]} << 16 |
           std::uint32_t{address.bytes[2]} << 8 | std::uint32_t{address.bytes[3]};
}

int bits_from(const net::Address& broadcast) {
    return 32 - std::countr_one(number_of(broadcast)) / 8 * 8;
}

}  // namespace

bool share_bits(const net::Address& a, const net::Address& b, int bits) {
    if (a.family != b.family || a.family != net::Family::ipv4) return false;
    const std::uint32_t mask = bits == 0 ? 0 : ~std::uint32_t{0} << (32 - bits);
    return ((number_of(a) ^ number_of(b)) & mask) == 0;
}

int subnet_bits(const net::Address& address, const net::Address& broadcast) {
    const net::Descriptor socket(::socket(AF_INET, SOCK_DGRAM, 0));
    std::array<ifreq, 64> rows{};
    ifconf list{};
    list.ifc_len = sizeof rows;
    list.ifc_req = rows.data();
    if (!socket || ioctl(socket.get(), SIOCGIFCONF, &list) != 0) return bits_from(broadcast);
    const std::size_t count = static_cast<std::size_t>(list.ifc_len) / sizeof(ifreq);
    for (ifreq& row : std::span(rows).first(count)) {
        const auto local = net::from_raw(&row.ifr_addr);
        if (!local || ioctl(socket.get(), SIOCGIFNETMASK, &row) != 0) continue;
        row.ifr_netmask.sa_family = AF_INET;
        const auto mask = net::from_raw(&row.ifr_netmask);
        if (!mask) continue;
        const int bits = std::popcount(number_of(*mask));
        if (share_bits(*local, address, bits)) return bits;
    }
    return bits_from(broadcast);
}

}  // namespace conclave::timed
