// Any bytes are refused, or are a trailer that reads back as written; what it says about clocks
// does a master and a slave no harm.
#include "conclave/clock/master.hpp"
#include "conclave/core/check.hpp"
#include "conclave/wire/tsp_trailer.hpp"

namespace {

using namespace conclave;

void obey(const clock::Correction& correction) {
    clock::Keeper keeper;
    const Time raw = std::chrono::seconds(1'800'000'000);
    for (int i = 0; i < 8; ++i) keeper.hear(raw + std::chrono::seconds(i), correction);
}

void learn(const wire::TspTrailer::Answer& answer) {
    const clock::Keeper keeper;
    const Time raw = std::chrono::seconds(1'800'000'000);
    clock::Master master(Id{1}, raw, keeper);
    for (int i = 0; i < 12; ++i) {
        const Time asked = raw + std::chrono::milliseconds(200 * i);
        master.learn(Id{2}, {asked, answer.received, answer.answered, asked + Duration{100'000}},
                     answer.report);
        master.decide(asked, keeper);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // The heading is not what is hard to guess: bytes are tried as a body, too.
    const std::span input(reinterpret_cast<const std::byte*>(data), size);
    const wire::Keys keys;
    auto read = wire::read_trailer(input, keys);
    if (!std::holds_alternative<wire::TspTrailer>(read)) {
        Bytes bytes = wire::write_own({.type = wire::TspDatagram::Type::ack}, {}, keys);
        const std::size_t room = wire::TspTrailer::length - 48 - wire::Key::tag_size;
        for (std::size_t i = 0; i < std::min(room, size); ++i)
            bytes[wire::TspDatagram::length + 48 + i] = input[i];
        read = wire::read_trailer(bytes, keys);
    }
    if (const auto* trailer = std::get_if<wire::TspTrailer>(&read)) {
        const Bytes again = wire::write_own({.type = wire::TspDatagram::Type::ack}, *trailer, keys);
        check(std::holds_alternative<wire::TspTrailer>(wire::read_trailer(again, keys)),
              "what was read can be written");
        if (const auto* probe = std::get_if<wire::TspTrailer::Probe>(&trailer->body))
            obey(probe->correction);
        if (const auto* answer = std::get_if<wire::TspTrailer::Answer>(&trailer->body))
            learn(*answer);
    }
    return 0;
}
