// Any bytes are refused, or are a datagram that reads back as written.
#include "conclave/core/check.hpp"
#include "conclave/wire/tsp.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave;
    const std::span input(reinterpret_cast<const std::byte*>(data), size);
    if (const auto datagram = wire::read_datagram(input)) {
        const Bytes again = wire::write_datagram(*datagram);
        check(again.size() == wire::TspDatagram::length, "a datagram has one length");
        check(wire::read_datagram(again).has_value(), "what was read can be written");
    }
    return 0;
}
