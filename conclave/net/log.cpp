#include "conclave/net/log.hpp"

#include <unistd.h>

#include <cstdlib>

namespace conclave::net {

Log::Log(std::string who) : who_(std::move(who)), journal_(std::getenv("JOURNAL_STREAM")) {}

// One write a line, so that lines of several nodes do not mix.
void Log::say(Level level, std::string_view line) const {
    std::string text;
    if (journal_) text += "<" + std::to_string(static_cast<int>(level)) + ">";
    text.append(who_).append(": ").append(line).append("\n");
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace conclave::net
