// Any bytes are refused, or are a content that reads back as written and gives an interval.
#include <algorithm>
#include <cstring>

#include "conclave/core/check.hpp"
#include "conclave/page/layout.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave;
    page::Layout page;
    page::Clocks now;
    std::array<std::byte, sizeof page + sizeof now> bytes{};
    std::memcpy(bytes.data(), data, std::min(size, bytes.size()));
    std::memcpy(static_cast<void*>(&page), bytes.data(), sizeof page);
    std::memcpy(static_cast<void*>(&now), bytes.data() + sizeof page, sizeof now);
    if (now.raw < Time{0} || now.real < Time{0}) return 0;  // no clock shows that
    page::refuse(page, {});
    if (const auto content = page::read(page)) {
        check(page::decode(page::encode(*content)) == content, "what was read can be written");
        const TimeInterval interval = page::interval_at(*content, now);
        check(interval.earliest <= interval.latest, "an interval has a beginning and an end");
        check(interval.status != TimeStatus::unknown || interval == TimeInterval{},
              "what is unknown holds all times");
    }
    return 0;
}
