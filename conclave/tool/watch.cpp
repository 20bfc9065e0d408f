// conclave watch: a table that is drawn anew every second, or a line of JSON at every change.
#include <poll.h>
#include <unistd.h>

#include <cstdio>

#include "conclave/tool/ask.hpp"
#include "conclave/tool/tool_verbs.hpp"

namespace conclave::cli {

namespace {

struct Watch : Asked {
    std::uint64_t count = 0;  // 0: without end
};

int tell_end() {
    std::fputs("conclave watch: the node has ended\n", stderr);
    return Exit::no;
}

int print_changes(const Watch& watch) {
    std::uint64_t left = watch.count;
    bool enough = false;
    watch.listen("watch", [&](const std::string& line) {
        std::puts(line.c_str());
        std::fflush(stdout);
        enough = watch.count != 0 && --left == 0;
        return !enough;
    });
    return enough ? static_cast<int>(Exit::yes) : tell_end();
}

// A node that ran when the watch began may end later: that is an answer, not a mistake.
int draw_table(const Watch& watch) {
    const bool live = isatty(STDOUT_FILENO) == 1;
    for (std::uint64_t drawn = 1;; ++drawn) {
        std::string picture;
        try {
            picture = watch.ask("status text") + "\n\n" + watch.ask("members text");
        } catch (const Unanswered&) {
            throw;
        } catch (const Refusal&) {
            if (drawn == 1) throw;
            return tell_end();
        }
        std::printf("%s%s\n", live ? "\x1b[H\x1b[J" : drawn == 1 ? "" : "\n", picture.c_str());
        std::fflush(stdout);
        if (drawn == watch.count) return Exit::yes;
        poll(nullptr, 0, 1000);
    }
}

int run(const Watch& watch) { return watch.json ? print_changes(watch) : draw_table(watch); }

constexpr options::Option<Watch> watch_options[] = {
    options::once<&Watch::count, options::Count<1, 1'000'000'000>>(
        "count", "end after this many tables, or lines of JSON", "never")};
constexpr options::OptionGroup<Watch> watch_groups[] = {{"", watch_options},
                                                        {"the node", node_options<Watch>}};

}  // namespace

Verb watch_verb() {
    return node_verb<Watch>(
        {"watch",
         "shows a node and its group once a second, with --json at every change; exit code 1: the "
         "node has ended",
         {"conclave watch --group jobs --count 1", "conclave watch --group jobs --json --count 1"}},
        watch_groups, run);
}

}  // namespace conclave::cli
