// How long the prefix of the network is that an address belongs to.
//
// Asked by ioctl on a UDP socket, for the daemon opens no other kind. Where the system does not
// say, the ones at the end of the broadcast address tell, in whole bytes.
#pragma once

#include "conclave/net/address.hpp"

namespace conclave::timed {

int subnet_bits(const net::Address& address, const net::Address& broadcast);

// Do the first bits of two IPv4 addresses agree?
bool share_bits(const net::Address& a, const net::Address& b, int bits);

}  // namespace conclave::timed
