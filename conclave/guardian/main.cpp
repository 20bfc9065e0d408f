// conclave-guardian: started by conclave run, never by hand.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "conclave/guardian/guardian.hpp"

namespace {

using namespace conclave;

constexpr int bad_usage = 2;

int refuse(const char* sentence) {
    std::fprintf(stderr, "conclave-guardian: %s\n", sentence);
    return bad_usage;
}

// --probe MODE: exit code 0 if the machine allows it, else why not, as errno.
int probe(const char* mode) {
    constexpr const char* modes[] = {"pid", "user", "group"};
    for (int i = 0; i < 3; ++i) {
        if (std::strcmp(mode, modes[i]) != 0) continue;
        int error = 0;
        const bool can = guardian::can_contain(static_cast<process::Contain>(i), error);
        return can ? 0 : error;
    }
    return refuse("there is no such containment: choose pid, user or group");
}

}  // namespace

int main(int count, char** words) {
    if (count == 3 && std::strcmp(words[1], "--probe") == 0) return probe(words[2]);
    if (count < 3)
        return refuse(
            "it is started by conclave run and has no use by itself: see conclave run "
            "--help");
    if (std::strtoul(words[1], nullptr, 10) != process::protocol)
        return refuse(
            "it is of another version than the agent that started it: start the agent "
            "again");
    static guardian::Guardian guardian(words + 2);  // too large for a small stack
    return guardian.run();
}
