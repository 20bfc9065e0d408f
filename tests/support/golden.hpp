// Texts that a person has looked at and found good. CONCLAVE_REGENERATE=1 writes them anew; look
// at the difference before you believe it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/paths.hpp"

namespace conclave::tests {

// The text is that of tests/FOLDER/golden/NAME.
inline void expect_golden(const std::string& folder, const std::string& name,
                          const std::string& text) {
    const auto path = std::filesystem::path(source_dir) / "tests" / folder / "golden" / name;
    if (std::getenv("CONCLAVE_REGENERATE") != nullptr) {
        std::ofstream(path, std::ios::binary) << text;
        return;
    }
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file.good()) << path << " is missing; CONCLAVE_REGENERATE=1 writes it";
    std::ostringstream golden;
    golden << file.rdbuf();
    EXPECT_EQ(text, golden.str()) << "differs from " << path;
}

}  // namespace conclave::tests
