// Any text is refused, or is a policy that reads back as written.
#include "conclave/clock/step_policy.hpp"
#include "conclave/core/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto policy = clock::parse_step_policy(text))
        check(clock::parse_step_policy(to_text(*policy)) == policy, "it reads back as written");
    return 0;
}
