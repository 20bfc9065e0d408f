// The log of a node: one line an event, on stderr or to a program.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace conclave::net {

class Log {
public:
    enum class Level : std::uint8_t { error = 3, warning = 4, notice = 5, info = 6 };

    // Takes a line in place of stderr; the line alone, without time and name.
    using Sink = std::function<void(Level level, std::string_view line)>;

    // On stderr every line names `who` behind the time of day (RFC 3339, UTC). Under systemd the
    // level stands there instead: the journal takes it off, and keeps times itself.
    explicit Log(std::string who, Sink sink = {});
    void say(Level level, std::string_view line) const;
    void info(std::string_view line) const { say(Level::info, line); }
    void notice(std::string_view line) const { say(Level::notice, line); }
    void warn(std::string_view line) const { say(Level::warning, line); }
    void error(std::string_view line) const { say(Level::error, line); }

private:
    std::string who_;
    Sink sink_;  // empty: stderr
    bool journal_;
};

}  // namespace conclave::net
