// Any bytes are refused, or are a content that reads back as written and gives an interval.
#include <algorithm>
#include <cstring>

#include "conclave/core/check.hpp"
#include "conclave/page/page_layout.hpp"

namespace {

using namespace conclave;

// Of all contents those that a reader would go on with; the rest is refused soon.
page::Words sensible(page::Words words) {
    words[0] &= ~(std::uint64_t{1} << 63);  // clocks count from 0 up
    words[1] &= ~(std::uint64_t{1} << 63);
    for (const std::size_t rate : {2UL, 3UL, 6UL, 8UL}) words[rate] %= 200'000'000'000;
    words[4] %= 2;
    words[7] &= ~(std::uint64_t{1} << 63);
    words[9] %= 3;
    return words;
}

void judge(const page::Content& content, std::uint64_t later) {
    check(page::decode(page::encode(content)) == content, "what was read can be written");
    const Duration age{static_cast<std::int64_t>(later % 61'000'000'000)};
    const Duration room = Time::max() - std::max(content.at.raw, content.at.real);
    if (room < 2 * age) return;  // no clock gets there
    const TimeInterval interval =
        page::interval_at(content, {content.at.raw + age, content.at.real + age});
    check(interval.earliest <= interval.latest, "an interval has a beginning and an end");
    check(interval.status != TimeStatus::unknown || interval == TimeInterval{},
          "what is unknown holds all times");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    page::PageLayout page;
    std::array<std::uint64_t, sizeof page / sizeof(std::uint64_t) + 1> bytes{};
    std::memcpy(bytes.data(), data, std::min(size, sizeof bytes));
    std::memcpy(static_cast<void*>(&page), bytes.data(), sizeof page);
    page::refuse(page, {});
    if (const auto content = page::read(page)) judge(*content, bytes.back());
    page::Words words{};
    std::copy_n(bytes.begin(), words.size(), words.begin());
    if (const auto content = page::decode(sensible(words))) judge(*content, bytes[words.size()]);
    return 0;
}
