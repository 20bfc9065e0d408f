#include "conclave/lab/pages.hpp"

#include <array>
#include <charconv>
#include <utility>

#ifdef CONCLAVE_PAGES
__asm__(
    ".section .rodata\n"
    "conclave_pages_begin:\n"
    ".incbin \"" CONCLAVE_PAGES
    "\"\n"
    "conclave_pages_end:\n"
    ".previous\n");
extern "C" const char conclave_pages_begin[], conclave_pages_end[];
#endif

namespace conclave::cli {

namespace {

struct Heading {
    std::string name;
    std::size_t plain = 0, gzipped = 0;
};

bool read_size(std::string_view digits, std::size_t& size) {
    const auto* const end = digits.data() + digits.size();
    const auto result = std::from_chars(digits.data(), end, size);
    return !digits.empty() && result.ec == std::errc{} && result.ptr == end;
}

std::optional<Heading> read_heading(std::string_view line) {
    const std::size_t last = line.rfind(' ');
    const std::size_t middle =
        last == 0 || last == line.npos ? line.npos : line.rfind(' ', last - 1);
    if (middle == line.npos || middle == 0) return std::nullopt;
    Heading heading{std::string(line.substr(0, middle))};
    const bool sized = read_size(line.substr(middle + 1, last - middle - 1), heading.plain) &&
                       read_size(line.substr(last + 1), heading.gzipped);
    const bool inside = heading.name.find("..") == std::string::npos && heading.name[0] != '/';
    return sized && inside ? std::optional(heading) : std::nullopt;
}

}  // namespace

std::optional<std::vector<PageFile>> read_bundle(std::string_view bundle) {
    std::vector<Heading> headings;
    for (;;) {
        const std::size_t end = bundle.find('\n');
        if (end == bundle.npos) return std::nullopt;
        const std::string_view line = bundle.substr(0, end);
        bundle.remove_prefix(end + 1);
        if (line.empty()) break;
        auto heading = read_heading(line);
        if (!heading) return std::nullopt;
        headings.push_back(std::move(*heading));
    }
    std::vector<PageFile> files;
    for (Heading& heading : headings) {
        if (heading.plain > bundle.size() || heading.gzipped > bundle.size() - heading.plain)
            return std::nullopt;
        files.push_back({std::move(heading.name), bundle.substr(0, heading.plain),
                         bundle.substr(heading.plain, heading.gzipped)});
        bundle.remove_prefix(heading.plain + heading.gzipped);
    }
    return bundle.empty() ? std::optional(files) : std::nullopt;
}

std::string_view embedded_bundle() {
#ifdef CONCLAVE_PAGES
    return {conclave_pages_begin,
            static_cast<std::size_t>(conclave_pages_end - conclave_pages_begin)};
#else
    return {};
#endif
}

std::string_view content_type(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> known{
        {{".html", "text/html; charset=utf-8"},
         {".js", "text/javascript; charset=utf-8"},
         {".css", "text/css; charset=utf-8"},
         {".txt", "text/plain; charset=utf-8"}}};
    for (const auto& [ending, type] : known)
        if (name.ends_with(ending)) return type;
    return "application/octet-stream";
}

}  // namespace conclave::cli
