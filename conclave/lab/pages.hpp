// The files of the laboratory's page, as the build put them into this program.
//
// The bundle begins with a line for each file, "NAME PLAIN GZIPPED" with two sizes in bytes, and an
// empty line; then come, file by file, the plain bytes and the compressed ones. A file that is
// compressed already has none of the latter.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace conclave::cli {

struct PageFile {
    std::string name;  // "assets/index.js"
    std::string_view plain, gzipped;
};

// Nothing where the text is no bundle.
std::optional<std::vector<PageFile>> read_bundle(std::string_view bundle);

// Empty where the program was built without pages.
std::string_view embedded_bundle();

// "text/html; charset=utf-8" ..., by the ending of the name.
std::string_view content_type(std::string_view name);

}  // namespace conclave::cli
