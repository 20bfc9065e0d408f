// Any text is refused, or is a date that reads back as written, to the millisecond.
#include "conclave/core/check.hpp"
#include "conclave/core/date.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave;
    using std::chrono::milliseconds;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto date = parse_date(text);
    if (!date) return 0;
    check(*date >= Time{0}, "no date is before 1970");
    check(parse_date(format_date(*date)) == std::chrono::floor<milliseconds>(*date),
          "it reads back as written");
    return 0;
}
