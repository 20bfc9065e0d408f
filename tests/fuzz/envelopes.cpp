// Any bytes are dropped for a reason, or are an envelope that is sealed as it came; what it says
// then changes nothing but what is remembered of its session, and that stays small.
#include "conclave/core/check.hpp"
#include "conclave/wire/replay.hpp"

namespace {

using namespace conclave;
using namespace conclave::wire;

// With a key that everybody knows, so that the fuzzer is no better off than whoever has it.
Keys open_secret() {
    Keys keys;
    keys.keys.emplace_back(Key::Secret{});
    return keys;
}

void read_envelope(Input input, const Keys& keys) {
    std::uint64_t group = 0;
    Input field = input.size() < 16 ? input : input.subspan(8);
    if (!decode(group, field)) group = 0;
    const auto opened = open(input, group, keys);
    if (const Drop* drop = std::get_if<Drop>(&opened)) {
        check(static_cast<std::size_t>(*drop) < drop_count, "a drop has a reason");
        return;
    }
    const Bytes again = seal(std::get<Envelope>(opened), keys);
    check(std::equal(again.begin(), again.end(), input.begin(), input.end()),
          "an envelope has one spelling");
    static Sessions sessions(1, 2, random_number);
    static Time now{};
    const auto verdict = sessions.judge(std::get<Envelope>(opened), now += Duration(1000));
    check(!verdict.answer || *verdict.answer != Greeting{}, "an answer says something");
    check(sessions.size() <= 256, "strangers take no more than their place");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Keys keys = open_secret();
    const Input input(reinterpret_cast<const std::byte*>(data), size);
    read_envelope(input, Keys{});
    read_envelope(input, keys);
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto parsed = parse_keys(text, "fuzz");
    if (const Keys* found = std::get_if<Keys>(&parsed))
        check(found->keys.size() <= Keys::most, "a key file holds one key or two");
    return 0;
}
