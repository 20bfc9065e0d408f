#include "conclave/simulator/campaign/sweep.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <optional>
#include <thread>

#include "conclave/core/check.hpp"
#include "conclave/core/count.hpp"
#include "conclave/core/text.hpp"
#include "conclave/simulator/simulation_engines.hpp"

namespace conclave::simulator {

namespace {

constexpr std::size_t seeds_named = 10;
constexpr std::uint64_t window = 1024;  // results that may wait for a slow one before them

// Hands seeds to the workers and their outcomes, in order, to the one who reports.
class Line {
public:
    explicit Line(const Seeds& seeds) : seeds_(seeds), slots_(window) {}

    std::optional<std::uint64_t> take_seed() {
        std::unique_lock lock(mutex_);
        changed_.wait(
            lock, [&] { return stopped_ || taken_ == seeds_.count() || taken_ < given_ + window; });
        if (stopped_ || taken_ == seeds_.count()) return std::nullopt;
        return seeds_.first + taken_++;
    }

    void put(std::uint64_t seed, Outcome&& outcome) {
        const std::lock_guard lock(mutex_);
        slots_[(seed - seeds_.first) % window] = std::move(outcome);
        changed_.notify_all();
    }

    std::optional<Outcome> next() {
        std::unique_lock lock(mutex_);
        if (given_ == seeds_.count()) return std::nullopt;
        auto& slot = slots_[given_ % window];
        changed_.wait(lock, [&] { return slot.has_value(); });
        std::optional<Outcome> outcome = std::exchange(slot, std::nullopt);
        ++given_;
        changed_.notify_all();
        return outcome;
    }

    void stop() {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        changed_.notify_all();
    }

private:
    Seeds seeds_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::optional<Outcome>> slots_;
    std::uint64_t taken_ = 0, given_ = 0;
    bool stopped_ = false;
};

template <class Run, class Report>
void run_in_threads(const SweepPlan& plan, const Run& run, const Report& report) {
    Line line(plan.seeds);
    const auto work = [&] {
        while (const auto seed = line.take_seed()) line.put(*seed, run(*seed));
    };
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < plan.threads; ++i) workers.emplace_back(work);
    while (const auto outcome = line.next())
        if (!report(*outcome)) break;
    line.stop();
}

std::string number(double value) {
    std::array<char, 64> digits{};
    std::snprintf(digits.data(), digits.size(), "%.3f", value);
    std::string trimmed = digits.data();
    trimmed.erase(trimmed.find_last_not_of('0') + 1);
    if (trimmed.back() == '.') trimmed.pop_back();
    return trimmed;
}

std::string sample_json(const Sample& sample) {
    return "{\"mean\":" + number(sample.mean()) + ",\"interval\":[" +
           number(sample.mean() - sample.margin()) + "," + number(sample.mean() + sample.margin()) +
           "],\"deviation\":" + number(sample.deviation()) +
           ",\"min\":" + std::to_string(sample.least()) +
           ",\"max\":" + std::to_string(sample.most()) + "}";
}

std::string seeds_json(const std::vector<std::uint64_t>& seeds) {
    std::string list;
    for (const std::uint64_t seed : seeds) list += (list.empty() ? "" : ",") + std::to_string(seed);
    return "[" + list + "]";
}

std::string pad(const std::string& cell, std::size_t width) {
    return cell.size() < width ? std::string(width - cell.size(), ' ') + cell : cell;
}

// A row of the table: mean, half the interval, least, most; times with their unit.
std::string row(std::string name, const Sample& sample, bool time) {
    const auto show = [&](double value) {
        return time ? format_duration(Duration{static_cast<std::int64_t>(value)}) : number(value);
    };
    name.resize(12, ' ');
    return name + pad(show(sample.mean()), 16) + pad("+-" + show(sample.margin()), 16) +
           pad(show(static_cast<double>(sample.least())), 16) +
           pad(show(static_cast<double>(sample.most())), 16) + "\n";
}

}  // namespace

bool succeeded(const Outcome& outcome) {
    const bool settled = outcome.end == Outcome::End::agreed || outcome.bound != Duration{0};
    return settled && outcome.violations.empty();
}

void Summary::add(const Outcome& outcome) {
    ++runs;
    messages.add(static_cast<std::int64_t>(outcome.messages));
    copies.add(static_cast<std::int64_t>(outcome.copies));
    bits.add(static_cast<std::int64_t>(outcome.bits));
    turnaround.add(outcome.turnaround.count());
    ended.add(outcome.ended.count());
    idle.add(outcome.idle.count());
    bound = outcome.bound;
    ++ends[outcome.end];
    std::map<std::string, bool> properties;  // each once per run
    for (const Violation& violation : outcome.violations) properties[violation.property] = true;
    for (const auto& [property, _] : properties) ++violated[property];
    const auto note = [&](std::uint64_t& total, std::vector<std::uint64_t>& first) {
        if (total++ < seeds_named) first.push_back(outcome.seed);
    };
    if (!succeeded(outcome)) note(failures, failing);
    if (!outcome.violations.empty()) note(violations, violating);
}

Summary sweep(const Scenario& scenario, const SweepPlan& plan) {
    const Engine* engine = find_engine(scenario.algorithm);
    check(engine != nullptr, "scenarios are validated before a run");
    Summary summary;
    summary.algorithm = scenario.algorithm;
    summary.nodes = scenario.nodes;
    summary.seeds = plan.seeds;
    const auto run = [&](std::uint64_t seed) {
        Scenario mine = scenario;
        mine.seed = seed;
        return engine->simulate(mine, {});
    };
    const auto report = [&](const Outcome& outcome) {
        summary.add(outcome);
        if (plan.each && !plan.each(outcome)) return false;
        if (plan.progress) plan.progress(summary.runs);
        return true;
    };
    if (plan.threads > 1)
        run_in_threads(plan, run, report);
    else
        for (std::uint64_t i = 0; i < plan.seeds.count(); ++i)
            if (!report(run(plan.seeds.first + i))) break;
    return summary;
}

std::string to_json(const Summary& summary) {
    std::string ends, violated;
    for (const auto& [end, count] : summary.ends)
        ends += (ends.empty() ? "" : ",") + quote(name_of(end)) + ":" + std::to_string(count);
    for (const auto& [property, count] : summary.violated)
        violated += (violated.empty() ? "" : ",") + quote(property) + ":" + std::to_string(count);
    return "{\"summary\":{\"algorithm\":" + quote(summary.algorithm) +
           ",\"nodes\":" + std::to_string(summary.nodes) + ",\"seeds\":[" +
           std::to_string(summary.seeds.first) + "," + std::to_string(summary.seeds.last) +
           "],\"runs\":" + std::to_string(summary.runs) + ",\"outcomes\":{" + ends +
           "},\"violations\":{" + violated + "},\"failures\":" + std::to_string(summary.failures) +
           ",\"failing_seeds\":" + seeds_json(summary.failing) +
           ",\"messages\":" + sample_json(summary.messages) +
           ",\"copies\":" + sample_json(summary.copies) + ",\"bits\":" + sample_json(summary.bits) +
           ",\"turnaround_ns\":" + sample_json(summary.turnaround) +
           ",\"ended_ns\":" + sample_json(summary.ended) +
           (summary.bound == Duration{0}
                ? ""
                : ",\"idle_ns\":" + sample_json(summary.idle) +
                      ",\"bound_ns\":" + std::to_string(summary.bound.count())) +
           "}}";
}

std::string summarise(const Summary& summary) {
    std::string lines = summary.algorithm + ", " + count_of(summary.nodes, "node") + ", seeds " +
                        std::to_string(summary.seeds.first) + ".." +
                        std::to_string(summary.seeds.last) + ": ";
    bool first = true;
    for (const auto& [end, count] : summary.ends) {
        lines += (first ? "" : ", ") + std::to_string(count) + " " + std::string(name_of(end));
        first = false;
    }
    lines += "\n            " + pad("mean", 16) + pad("99 % interval", 16) + pad("least", 16) +
             pad("most", 16) + "\n";
    lines += row("messages", summary.messages, false) + row("copies", summary.copies, false) +
             row("bits", summary.bits, false) + row("turnaround", summary.turnaround, true) +
             row("ended", summary.ended, true);
    if (summary.bound != Duration{0})
        lines += row("idle", summary.idle, true) + "while a majority is connected, somebody works" +
                 " again within " + format_duration(summary.bound) + "\n";
    for (const auto& [property, count] : summary.violated)
        lines += "violated: " + property + " in " + std::to_string(count) + " of " +
                 std::to_string(summary.runs) + " runs\n";
    return lines;
}

}  // namespace conclave::simulator
