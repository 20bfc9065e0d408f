// conclave-engine: started by conclave run --via, as its connection to etcd or PostgreSQL.
#include <charconv>
#include <csignal>
#include <cstdio>
#include <string_view>

#include "conclave/engines/scribe.hpp"
#include "conclave/process/cell_orders.hpp"

namespace {

// VIA CELL NAME PROMISE_NS PATIENCE_NS CREDENTIALS CA CERT KEY; "-" where there is no file.
constexpr int words_expected = 10;

std::string file_in(const char* word) { return std::string_view(word) == "-" ? "" : word; }

conclave::Duration span_in(std::string_view word) {
    std::int64_t ns = 0;
    std::from_chars(word.data(), word.data() + word.size(), ns);
    return conclave::Duration{ns};
}

}  // namespace

int main(int count, char** words) {
    using namespace conclave::engines;
    if (count != words_expected) {
        std::fputs("conclave-engine is started by conclave run --via: see conclave run --help\n",
                   stderr);
        return 2;
    }
    Scribe scribe;
    const std::string problem = read_via(words[1], scribe.access.via);
    if (!problem.empty()) {
        std::fprintf(stderr, "conclave-engine: %s\n", problem.c_str());
        return 2;
    }
    scribe.access.cell = words[2];
    scribe.name = words[3];
    scribe.access.promise = span_in(words[4]);
    scribe.access.patience = span_in(words[5]);
    scribe.access.credentials = file_in(words[6]);
    scribe.access.ca = file_in(words[7]);
    scribe.access.certificate = file_in(words[8]);
    scribe.access.private_key = file_in(words[9]);
    scribe.channel = conclave::process::cell_channel_place;
    // Whatever ends the agent must not end this: it has yet to say so.
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) signal(number, SIG_IGN);
    return serve(scribe);
}
