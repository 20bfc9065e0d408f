#include "conclave/tool/change.hpp"

#include <cstdio>
#include <thread>

#include "conclave/net/clock.hpp"

namespace conclave::cli {

// A node knows a wish only as long as somebody repeats it, so whoever gives up leaves nothing
// behind but a change that has begun.
int pursue(const Change& change, const std::string& what) {
    const Time began = net::boot_time();
    std::string said;
    for (const char* time = "first";; time = "again") {
        const std::string answer = change.ask("change " + std::string(time) + " " + what);
        const std::size_t space = std::min(answer.find(' '), answer.size() - 1);
        const std::string verdict = answer.substr(0, space), text = answer.substr(space + 1);
        if (verdict == "done" || verdict == "refused")
            return print_outcome(verdict == "done", text, change.json);
        if (verdict != "waits") return print_outcome(false, answer, change.json);
        if (net::boot_time() - began >= change.wait)
            return print_outcome(false, text + "; say the same again to go on waiting",
                                 change.json);
        if (text != said && !change.json) std::fprintf(stderr, "%s\n", text.c_str());
        said = text;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

}  // namespace conclave::cli
