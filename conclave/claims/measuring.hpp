// Measurements of a run: counts, violations, and times that only a trace tells.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "conclave/checker/verdict.hpp"
#include "conclave/claims/claim.hpp"
#include "conclave/core/key.hpp"
#include "conclave/simulator/decisions.hpp"
#include "conclave/simulator/outcome.hpp"
#include "conclave/simulator/scenario/scenario.hpp"
#include "conclave/simulator/world/any_world.hpp"

namespace conclave::claims {

// Runs the scenario with the algorithm that it names.
simulator::Outcome run_named(const simulator::Scenario& scenario, trace::Trace* trace = nullptr);
// The same for experiments that look on; `decisions` and `trace` outlive it.
std::unique_ptr<simulator::AnyWorld> open_named(const simulator::Scenario& scenario,
                                                simulator::Decisions& decisions,
                                                trace::Trace* trace = nullptr);
// A search, settled by the checker.
checker::Verdict search_named(checker::Query query);

// An error in every run and every search from now on, so that a test sees whether a row notices it.
// One thread may do so.
struct Planted {
    simulator::Mutation mutation{};
    std::uint64_t mute = 0;  // searches: messages that are never sent, bits
};
void plant(const Planted& error);

Exhibit show(std::string caption, const simulator::Scenario& scenario);
// The same run made as small as it can be while it violates what it violates first.
Exhibit show_smallest(std::string caption, const simulator::Scenario& scenario);

std::uint64_t count_of(const simulator::Outcome& outcome, std::string_view message);
bool violates(const simulator::Outcome& outcome, std::string_view property);
bool ends_well(const simulator::Outcome& outcome);  // all agree, and nothing was violated

// The longest time during which two live nodes considered themselves leaders.
Duration longest_overlap(const trace::Trace& trace);
// When the last node changed its belief about who leads.
Time last_belief(const trace::Trace& trace);
// How many timers of that name went off.
std::uint64_t count_timers(const trace::Trace& trace, std::string_view timer);

// "37 of 40"; "1.5"
std::string out_of(std::uint64_t part, std::uint64_t whole);
std::string decimal(double value, int digits = 2);
// Is this count of hits what chance `p` gives in so many runs? `z` standard deviations at most.
bool plausible(std::uint64_t hits, std::uint64_t runs, double p, double z);

// One run's choices. The digits of its number give every combination of those picked, each as often
// as any other and the first alternatives first; what is drawn depends on the number alone.
class Cell {
public:
    explicit Cell(std::uint64_t run) : left_(run - 1), run_(run) {}
    std::uint64_t pick(std::uint64_t n) {
        const std::uint64_t digit = left_ % n;
        left_ /= n;
        return digit;
    }
    std::uint64_t draw(std::uint64_t n) { return mix(mix(run_), ++drawn_) % n; }

private:
    std::uint64_t left_, run_, drawn_ = 0;
};

// A sample's mean with the half-width of its 99 % interval.
class Estimate {
public:
    void add(double value) {
        ++count_;
        sum_ += value;
        squares_ += value * value;
    }
    double mean() const { return sum_ / static_cast<double>(count_); }
    double half_width() const;
    std::string text(int digits = 1) const;  // "12.3 ± 0.4"

private:
    std::uint64_t count_ = 0;
    double sum_ = 0, squares_ = 0;
};

}  // namespace conclave::claims
