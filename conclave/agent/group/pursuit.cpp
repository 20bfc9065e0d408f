#include "conclave/agent/group/pursuit.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace conclave::agent {

std::string change_line(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) {
        if (word.empty() || word.find_first_of(" \t\n") != std::string::npos) return {};
        line += (line.empty() ? "" : " ") + word;
    }
    return line;
}

std::string pursue(const std::function<std::string(bool first)>& ask,
                   const std::function<bool()>& goes_on) {
    for (bool first = true;; first = false) {
        std::string answer = ask(first);
        const std::size_t space = std::min(answer.find(' '), answer.size());
        const std::string verdict = answer.substr(0, space);
        std::string text = answer.substr(std::min(space + 1, answer.size()));
        if (verdict == "done") return {};
        if (verdict == "refused") return text;
        if (verdict == "confirm")
            return "nothing has changed: the phrase is '" + text.substr(0, text.find('\n')) + "'";
        if (verdict != "waits") return answer;
        if (!goes_on()) return text;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

}  // namespace conclave::agent
