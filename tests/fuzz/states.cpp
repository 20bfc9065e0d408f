// Any bytes are refused with a sentence, or are the one spelling of a state.
#include "conclave/agent/disk/state_file.hpp"
#include "conclave/core/check.hpp"
#include "conclave/wire/group_key.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave;
    const Input input(reinterpret_cast<const std::byte*>(data), size);
    const auto read = [](Input bytes) {
        const auto answer = agent::read_state(bytes, "jobs", "state");
        if (const auto* state = std::get_if<agent::State>(&answer)) {
            const Bytes again = agent::write_state(*state);
            check(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()),
                  "a state has one spelling");
        } else {
            check(!std::get<agent::StateFile::Refused>(answer).sentence.empty(),
                  "a refusal has a sentence");
        }
    };
    read(input);
    // The same with a front and a checksum that are right, or the fuzzer would never get past them.
    Bytes framed = agent::write_state({});
    framed.resize(15 + sizeof(std::uint32_t));
    encode(static_cast<std::uint32_t>(size), framed);
    framed.insert(framed.end(), input.begin(), input.end());
    encode(wire::digest_of({reinterpret_cast<const char*>(framed.data()), framed.size()}), framed);
    read(framed);
    return 0;
}
