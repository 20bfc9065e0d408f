// Any text is refused, or is a duration that reads back as written.
#include "conclave/core/check.hpp"
#include "conclave/core/time.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto duration = parse_duration(text))
        check(parse_duration(format_duration(*duration)) == duration, "it reads back as written");
    return 0;
}
