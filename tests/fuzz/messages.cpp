// Any bytes are refused, or are the one spelling of a message: for every algorithm.
#include "conclave/algorithms.hpp"
#include "conclave/core/check.hpp"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t chosen = data[0] % AllAlgorithms::count;
    const Input input(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
    std::size_t i = 0;
    AllAlgorithms::for_each([&]<class A>() {
        if (i++ == chosen) read_message<typename A::Turn::Message>(input);
    });
    return 0;
}
