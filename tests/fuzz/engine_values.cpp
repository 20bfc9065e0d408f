// Whatever an engine stores or an operator types, it is read or refused.
#include <cstdint>
#include <string_view>

#include "conclave/engines/value.hpp"
#include "conclave/engines/via.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave::engines;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    Via via;
    Value value, again;
    if (read_via(text, via).empty() && via.endpoints.empty()) __builtin_trap();
    if (read_value(text, value) &&
        (!read_value(to_text(value), again) || !(again.claim == value.claim)))
        __builtin_trap();
    return 0;
}
