#include "conclave/net/log.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "conclave/core/date.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::net {

namespace {

// systemd names the stream by device and inode, since stderr may have been redirected afterwards.
bool writes_to_journal() {
    const char* stream = std::getenv("JOURNAL_STREAM");
    struct stat here{};
    if (stream == nullptr || fstat(STDERR_FILENO, &here) != 0) return false;
    return stream == std::to_string(here.st_dev) + ":" + std::to_string(here.st_ino);
}

}  // namespace

Log::Log(std::string who, Sink sink)
    : who_(std::move(who)), sink_(std::move(sink)), journal_(!sink_ && writes_to_journal()) {}

// One write a line, so that lines of several nodes do not mix.
void Log::say(Level level, std::string_view line) const {
    if (sink_) return sink_(level, line);
    std::string text = journal_ ? "<" + std::to_string(static_cast<int>(level)) + ">"
                                : format_date(unix_time()) + " ";
    text.append(who_).append(": ").append(line).append("\n");
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace conclave::net
