// How fast the checker searches, beside Spin on the same system in the same run.
// Usage: bench_checker [ROUNDS]
//
// Chang-Roberts, 12 nodes in the worst order, every step of its own, nothing reduced: both visit
// the same worlds by the same steps, and that is compared. Every figure comes from a process of its
// own, in turn with the other's, so that a busy machine slows both; rates are medians in CPU time
// of the whole process, the gain by a second thread is the median of wall times measured in turn.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "conclave/checker/verdict.hpp"
#include "conclave/election/chang_roberts.hpp"

namespace {

using namespace conclave;

constexpr std::uint32_t nodes = 12;
constexpr const char* model = "bench/chang_roberts.pml";

[[noreturn]] void give_up(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(1);
}

// In a process of its own: prints what spin's program prints of its work, and the bytes.
int run_once(std::uint32_t threads) {
    checker::Query query;
    query.algorithm = "chang-roberts";
    for (std::uint32_t id = nodes; id >= 1; --id) query.ring.push_back(Id{id});
    query.initiators = query.ring;
    query.start_steps = true;
    query.reduce = false;
    query.threads = threads;
    const checker::Verdict verdict = checker::explore<ChangRoberts>(query, {});
    if (verdict.answer != checker::Verdict::Answer::holds) return 1;
    std::printf("%" PRIu64 " states, stored\n%" PRIu64 " transitions\n%" PRIu64 " bytes\n",
                verdict.searched.states, verdict.searched.transitions, verdict.searched.set_bytes);
    return 0;
}

struct Measure {
    std::uint64_t states = 0, transitions = 0, bytes = 0;
    double cpu = 0, wall = 0, megabytes = 0;
    double rate() const { return static_cast<double>(states) / cpu; }
};

void read_line(const char* line, Measure& m) {
    std::uint64_t number = 0;
    char word[64] = "";
    if (std::sscanf(line, "%" SCNu64 " %63s", &number, word) != 2) return;
    if (std::strcmp(word, "states,") == 0 && std::strstr(line, "stored")) m.states = number;
    if (std::strcmp(word, "transitions") == 0) m.transitions = number;
    if (std::strcmp(word, "bytes") == 0) m.bytes = number;
}

double seconds_of(const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
}

Measure run(std::vector<std::string> command) {
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    int ends[2];
    if (pipe(ends) != 0) give_up("no pipe: close some files");
    const auto began = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(words[0], words.data());
        _exit(127);
    }
    close(ends[1]);
    Measure m;
    std::FILE* const out = fdopen(ends[0], "r");
    for (char line[512]; std::fgets(line, sizeof line, out) != nullptr;) read_line(line, m);
    std::fclose(out);
    int status = 0;
    rusage usage{};
    if (wait4(child, &status, 0, &usage) != child || status != 0)
        give_up("'" + command[0] + "' did not end well: start it by hand to see why");
    m.wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    m.cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    m.megabytes = static_cast<double>(usage.ru_maxrss) / 1024;
    return m;
}

// Spin writes a program for the model; the compiler makes it as fast as it can.
std::string make_spin(const std::filesystem::path& place) {
    std::filesystem::create_directories(place);
    const std::string source = std::filesystem::absolute(model).string();
    if (!std::filesystem::exists(source))
        give_up("there is no " + std::string(model) + " here: start from the root of the project");
    const std::string inside = "cd '" + place.string() + "' && ";
    const std::string make = inside + "spin -DN=" + std::to_string(nodes) + " -a '" + source +
                             "' && cc -O3 -march=native -w -DSAFETY -DNOREDUCE -DNOFAIR "
                             "-DNOBOUNDCHECK -DMEMLIM=8000 -o pan pan.c";
    if (std::system(make.c_str()) != 0) give_up("spin failed: install the Debian package spin");
    return (place / "pan").string();
}

template <class Value>
double median(const std::vector<Measure>& all, const Value& value) {
    std::vector<double> list;
    for (const Measure& m : all) list.push_back(value(m));
    std::nth_element(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2),
                     list.end());
    return list[list.size() / 2];
}

void print_line(const char* metric, const char* format, double value) {
    std::printf("bench,chang-roberts-%u,%s,", nodes, metric);
    std::printf(format, value);
    std::printf("\n");
}

int report(const std::vector<Measure>& spin, const std::vector<Measure>& one,
           const std::vector<Measure>& two) {
    const auto rate = [](const Measure& m) { return m.rate(); };
    const auto wall = [](const Measure& m) { return m.wall; };
    const double ours = median(one, rate), theirs = median(spin, rate);
    const Measure& first = one[0];
    print_line("states", "%.0f", static_cast<double>(first.states));
    print_line("spin_states", "%.0f", static_cast<double>(spin[0].states));
    print_line("transitions", "%.0f", static_cast<double>(first.transitions));
    print_line("spin_transitions", "%.0f", static_cast<double>(spin[0].transitions));
    print_line("states_per_cpu_second", "%.0f", ours);
    print_line("spin_states_per_cpu_second", "%.0f", theirs);
    print_line("spin_ratio", "%.2f", ours / theirs);
    print_line("spin_wanted", "%.0f", 3);
    print_line("two_threads_gain", "%.2f", median(one, wall) / median(two, wall));
    print_line("two_threads_wanted", "%.1f", 1.6);
    print_line("bytes_a_state", "%.1f",
               static_cast<double>(first.bytes) / static_cast<double>(first.states));
    print_line("megabytes", "%.0f", first.megabytes);
    print_line("spin_megabytes", "%.0f", spin[0].megabytes);
    const bool same = first.states == spin[0].states && first.transitions == spin[0].transitions;
    if (!same) std::fprintf(stderr, "Spin visited another number of worlds\n");
    return same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view(argv[1]) == "once")
        return run_once(static_cast<std::uint32_t>(std::atol(argv[2])));
    const int rounds = argc == 2 ? std::max(std::atoi(argv[1]), 1) : 5;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
    const std::string pan = make_spin(self.parent_path() / "spin");
    std::vector<Measure> spin, one, two;
    for (int round = 0; round < rounds; ++round) {
        spin.push_back(run({pan, "-m100000", "-w24"}));
        one.push_back(run({self.string(), "once", "1"}));
        two.push_back(run({self.string(), "once", "2"}));
    }
    return report(spin, one, two);
}
