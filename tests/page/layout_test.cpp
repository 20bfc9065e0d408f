#include "conclave/page/page_layout.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace conclave::page {
namespace layout_test {

using namespace std::chrono_literals;

constexpr BootId boot{1, 2};

// A content of which every part follows from one number.
Content numbered(std::int64_t n) {
    const clock::Rate rate{n % 1000};
    return {.at = {Time{n}, Time{n + 1}},
            .real_rate = rate,
            .slack = rate,
            .source = static_cast<Source>(n & 1),
            .offset = Duration{n},
            .rate = rate,
            .error = Duration{n},
            .growth = rate,
            .status = static_cast<TimeStatus>(n % 3)};
}

TEST(Page, is_empty_until_something_is_written) {
    PageLayout page;
    prepare(page, boot);
    EXPECT_EQ(refuse(page, boot), "");
    EXPECT_FALSE(read(page));
    write(page, numbered(7));
    EXPECT_EQ(read(page), numbered(7));
    write(page, numbered(8));
    EXPECT_EQ(read(page), numbered(8));
}

TEST(Page, of_another_kind_version_or_boot_is_refused) {
    PageLayout page;
    EXPECT_NE(refuse(page, boot), "");
    prepare(page, boot);
    EXPECT_NE(refuse(page, {1, 3}), "");
    EXPECT_NE(refuse(page, {0, 2}), "");
    page.versioned = PageLayout::version + 1;
    EXPECT_NE(refuse(page, boot), "");
}

// A writer that was stopped while it wrote keeps nobody waiting.
TEST(Page, half_a_content_is_not_seen) {
    PageLayout page;
    prepare(page, boot);
    write(page, numbered(7));
    write(page, numbered(8));
    for (std::size_t i = 0; i < word_count / 2; ++i) page.places[1][i] = 99;  // of the third
    EXPECT_EQ(read(page), numbered(8));
}

TEST(Page, is_never_read_torn_while_it_is_written_as_fast_as_can_be) {
    PageLayout page;
    prepare(page, boot);
    write(page, numbered(1));
    std::atomic<bool> ends = false;
    std::thread writer([&] {
        for (std::int64_t n = 2; !ends.load(std::memory_order_relaxed); ++n)
            write(page, numbered(n));
    });
    std::array<std::thread, 3> readers;
    std::atomic<int> torn = 0, whole = 0;
    for (std::thread& reader : readers)
        reader = std::thread([&] {
            std::int64_t last = 0;
            for (int i = 0; i < 100'000; ++i) {
                const auto content = read(page);
                if (!content) continue;  // written too often while it was read
                const std::int64_t n = content->at.raw.count();
                if (*content != numbered(n) || n < last) ++torn;
                last = n;
                ++whole;
            }
        });
    for (std::thread& reader : readers) reader.join();
    ends = true;
    writer.join();
    EXPECT_EQ(torn, 0);
    EXPECT_GT(whole, 0);
}

}  // namespace layout_test
}  // namespace conclave::page
