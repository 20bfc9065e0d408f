// The terminal that the tool may be talking to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace conclave::cli {

// Does stdout take colours? Not in a pipe, and not where NO_COLOR is set.
bool wants_colour();
// Columns of stdout; 100 where it is no terminal.
std::size_t terminal_width();

// A line on stderr that says how far something without a known end has come, and goes away.
class StatusLine {
public:
    StatusLine();
    ~StatusLine();
    StatusLine(const StatusLine&) = delete;
    StatusLine& operator=(const StatusLine&) = delete;

    void show(const std::string& line);

private:
    bool visible_;
};

// A bar on stderr that redraws itself and goes away; silent where stderr is no terminal.
class Progress {
public:
    Progress(std::string title, std::uint64_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(std::uint64_t done);

private:
    std::string title_;
    std::uint64_t total_;
    bool visible_;
    std::uint64_t drawn_ = ~std::uint64_t{0};  // in thousandths
};

}  // namespace conclave::cli
