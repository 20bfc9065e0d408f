#include "conclave/trace/save.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "conclave/trace/diagram.hpp"
#include "conclave/trace/exports.hpp"

namespace conclave::trace {

std::optional<Format> format_of(std::string_view path) {
    constexpr std::array<std::pair<std::string_view, Format>, 5> known{{{".txt", Format::diagram},
                                                                        {".json", Format::perfetto},
                                                                        {".shiviz", Format::shiviz},
                                                                        {".mmd", Format::mermaid},
                                                                        {".svg", Format::svg}}};
    for (const auto& [extension, format] : known)
        if (path.size() > extension.size() && path.ends_with(extension)) return format;
    return std::nullopt;
}

std::string render(const Trace& trace, Format format) {
    switch (format) {
        case Format::diagram: return diagram(trace);
        case Format::perfetto: return perfetto(trace);
        case Format::shiviz: return shiviz(trace);
        case Format::mermaid: return mermaid(trace);
        case Format::svg: return svg(trace);
    }
    return {};
}

bool save(const Trace& trace, const std::string& path, std::string& error) {
    const std::optional<Format> format = format_of(path);
    if (!format) {
        error = "The trace file \"" + path + "\" has no known extension; use .txt for a diagram, " +
                ".svg for a picture, .json for Perfetto, .shiviz for ShiViz or .mmd for Mermaid.";
        return false;
    }
    const std::string text = render(trace, *format);
    errno = 0;
    std::FILE* file = std::fopen(path.c_str(), "wb");
    bool good = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    int broken = errno;
    if (file != nullptr && std::fclose(file) != 0 && good) {  // what was buffered did not fit
        good = false;
        broken = errno;
    }
    if (!good)
        error = "The trace file \"" + path + "\" cannot be written (" + std::strerror(broken) +
                "); name a file in a folder that exists and may be written to.";
    return good;
}

}  // namespace conclave::trace
