#include "conclave/tool/timed_ask.hpp"

#include "conclave/net/line_server.hpp"
#include "conclave/timed/daemon_config.hpp"

namespace conclave::cli {

std::string TimedAsked::socket() const {
    return control.empty() ? timed::default_control() : control;
}

std::optional<std::string> try_time_daemon(const std::string& socket, const std::string& line) {
    std::string answer;
    const net::Asking asking = net::ask_line(socket, line, [&](const std::string& each) {
        answer += (answer.empty() ? "" : "\n") + each;
        return true;
    });
    if (asking == net::Asking::silent)
        throw Refusal{"the time daemon behind " + socket + " does not answer: is it stopped?"};
    if (asking == net::Asking::forbidden)
        throw Refusal{"the time daemon behind " + socket +
                      " is another user's: ask as that user, or as root"};
    if (asking == net::Asking::nobody) return std::nullopt;
    return answer;
}

std::string ask_time_daemon(const std::string& socket, const std::string& line) {
    const auto answer = try_time_daemon(socket, line);
    if (!answer)
        throw Refusal{"no time daemon listens on " + socket +
                      ": start one with conclave timed, or give its --control"};
    return *answer;
}

}  // namespace conclave::cli
