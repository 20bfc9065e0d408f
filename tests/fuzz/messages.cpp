// Any bytes are refused, or are the one spelling of a message: for every algorithm, and, as bodies
// of datagrams in every version, for those that agents run.
#include "conclave/algorithms.hpp"
#include "conclave/core/check.hpp"
#include "conclave/election/deployed.hpp"
#include "conclave/lease/leased.hpp"
#include "conclave/wire/body.hpp"

namespace {

using namespace conclave;

template <class Message>
void read_message(Input input) {
    const auto message = decode_all<Message>(input);
    if (!message) return;
    Bytes again;
    encode(*message, again);
    check(std::equal(again.begin(), again.end(), input.begin(), input.end()),
          "a message has one spelling");
    check(encoded_size(*message) == input.size(), "a message knows its size");
    check(!text(*message).empty() && !json(*message).empty(), "a message has words");
}

template <class A>
void read_bodies(Input input) {
    for (std::uint8_t version = wire::spoken.oldest; version <= wire::spoken.newest; ++version) {
        const auto hear = [&](const auto& message) {
            Bytes again;
            wire::encode_body(message, version, again);
            check(again.size() <= input.size() &&
                      std::equal(again.begin(), again.end(), input.begin()),
                  "a body has one spelling, and what follows is skipped");
        };
        using Messages = typename lease::Leased<A>::Turn::Messages;
        static_cast<void>(wire::read_body(Messages{}, {version, input}, hear));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t chosen = data[0] % AllAlgorithms::count;
    const Input input(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
    std::size_t i = 0;
    AllAlgorithms::for_each([&]<class A>() {
        if (i++ == chosen) read_message<typename A::Turn::Message>(input);
    });
    DeployedAlgorithms::for_each([&]<class A>() { read_bodies<A>(input); });
    return 0;
}
