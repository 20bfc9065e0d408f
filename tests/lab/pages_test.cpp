// The laboratory's pages as the build packs them into the program.
#include "conclave/lab/pages.hpp"

#include <gtest/gtest.h>

namespace conclave::cli {
namespace pages_test {

TEST(Pages, a_bundle_gives_back_its_files) {
    const auto files = read_bundle("index.html 5 3\nassets/a.wasm.gz 4 0\n\nplainzipgzip");
    ASSERT_TRUE(files);
    ASSERT_EQ(files->size(), 2u);
    EXPECT_EQ(files->at(0).name, "index.html");
    EXPECT_EQ(files->at(0).plain, "plain");
    EXPECT_EQ(files->at(0).gzipped, "zip");
    EXPECT_EQ(files->at(1).plain, "gzip");
    EXPECT_TRUE(files->at(1).gzipped.empty());
}

TEST(Pages, a_damaged_bundle_is_refused) {
    for (const char* bundle :
         {"", "index.html 5 3", "index.html 5 3\n\nplain", "index.html 5 3\n\nplainziptoo much",
          "index.html five 3\n\nplainzip", "5 3\n\nplainzip", "/etc/passwd 1 0\n\nx",
          "../up 1 0\n\nx", "a 18446744073709551615 2\n\nab"})
        EXPECT_FALSE(read_bundle(bundle)) << bundle;
}

TEST(Pages, browsers_are_told_what_a_file_is) {
    EXPECT_EQ(content_type("index.html"), "text/html; charset=utf-8");
    EXPECT_EQ(content_type("assets/a.js"), "text/javascript; charset=utf-8");
    EXPECT_EQ(content_type("assets/a.wasm.gz"), "application/octet-stream");
}

TEST(Pages, what_the_build_embedded_can_be_read) {
    if (embedded_bundle().empty()) return;  // built without pages
    const auto files = read_bundle(embedded_bundle());
    ASSERT_TRUE(files);
    EXPECT_GT(files->size(), 5u);
}

}  // namespace pages_test
}  // namespace conclave::cli
