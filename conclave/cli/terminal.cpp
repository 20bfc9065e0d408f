#include "conclave/cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace conclave::cli {

namespace {

bool is_terminal(int descriptor) {
    const char* kind = std::getenv("TERM");
    return isatty(descriptor) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace

bool wants_colour() {
    const char* refused = std::getenv("NO_COLOR");
    return is_terminal(STDOUT_FILENO) && (refused == nullptr || *refused == '\0');
}

std::size_t terminal_width() {
    winsize size{};
    if (isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
        size.ws_col != 0)
        return std::max<std::size_t>(size.ws_col, 40);
    return 80;
}

StatusLine::StatusLine() : visible_(is_terminal(STDERR_FILENO)) {}

StatusLine::~StatusLine() {
    if (visible_) std::fputs("\r\033[K", stderr);
}

void StatusLine::show(const std::string& line) {
    if (visible_) std::fprintf(stderr, "\r\033[K%s", line.c_str());
}

Progress::Progress(std::string title, std::uint64_t total)
    : title_(std::move(title)),
      total_(std::max<std::uint64_t>(total, 1)),
      visible_(is_terminal(STDERR_FILENO)) {}

Progress::~Progress() {
    if (visible_) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::uint64_t done) {
    if (!visible_) return;
    done = std::min(done, total_);
    const std::uint64_t thousandths = done / total_ * 1000 + done % total_ * 1000 / total_;
    if (thousandths == drawn_) return;
    drawn_ = thousandths;
    constexpr std::size_t width = 30;
    const std::size_t full = thousandths * width / 1000;
    const std::string bar = std::string(full, '#') + std::string(width - full, '.');
    std::fprintf(stderr, "\r%s [%s] %3u%%", title_.c_str(), bar.c_str(),
                 static_cast<unsigned>(thousandths / 10));
}

}  // namespace conclave::cli
