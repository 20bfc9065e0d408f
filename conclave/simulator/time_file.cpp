// A network of clocks as a file that conclave timed sim reads.
#include <algorithm>
#include <map>

#include "conclave/core/text.hpp"
#include "conclave/simulator/spelling.hpp"
#include "conclave/simulator/time_scenario.hpp"

namespace conclave::simulator {

namespace {

using clock::Rate;

std::string spell(Rate rate) {
    return (rate.ppt < 0 ? "-" : "") + format_ppm(clock::magnitude(rate).ppt / 1000);
}
std::string spell(Duration by) {
    return (by < Duration{0} ? "-" : "") + format_duration(clock::magnitude(by));
}

std::string spell(const Jitter& jitter) {
    constexpr std::string_view names[] = {"none", "exp", "uniform", "gauss", "burst", "one-way"};
    const std::string name(names[static_cast<std::size_t>(jitter.shape)]);
    return jitter.shape == Jitter::Shape::none ? name : name + ":" + spell(jitter.size);
}

std::string spell(const Lag& lag) {
    const bool always = lag.when == Span{};
    return text(lag.from) + ">" + text(lag.to) + (always ? "" : "@" + format_span(lag.when)) + "=" +
           spell(lag.delay);
}

std::string spell(const Breakdown& breakdown) {
    const std::string again =
        breakdown.every == Duration{0} ? "" : "/" + format_duration(breakdown.every);
    return text(breakdown.node) + "@" + format_duration(breakdown.at) + "=" +
           (breakdown.rate.ppt != 0 ? spell(breakdown.rate) + "ppm"
                                    : spell(breakdown.step) + again);
}

constexpr std::string_view method_name(clock::Method method) {
    constexpr std::string_view names[] = {"learned", "envelope", "least-squares"};
    return names[static_cast<std::size_t>(method)];
}

// What a file says of the clocks, word by word; words that are said once come as one value.
std::vector<Saying> clock_sayings(const TimeScenario& s) {
    std::vector<Saying> said;
    const auto say = [&](std::string_view word, std::string value) {
        said.push_back({std::string(word), std::move(value), {}});
    };
    say("path", spell(s.path));
    say("jitter", spell(s.jitter));
    for (const Lag& lag : s.lags) say("lag", spell(lag));
    say("walk", spell(s.walk));
    say("swing", spell(s.swing.rate) + "/" + spell(s.swing.period));
    for (const Breakdown& breakdown : s.breakdowns) say("break", spell(breakdown));
    for (const Stop& stop : s.stops)
        say(stop.asleep ? "suspend" : "freeze", text(stop.node) + "@" + format_span(stop.when));
    for (const Jump& jump : s.jumps)
        say("jump", text(jump.node) + "@" + format_duration(jump.at) + "=" + spell(jump.by));
    say("keeping", s.keeping == TimeScenario::Keeping::paper ? "paper" : "ensemble");
    say("probe", spell(s.probe));
    say("fast", spell(s.fast));
    say("fast-for", spell(s.fast_for));
    say("method", std::string(method_name(s.estimator.method)));
    say("window", text(s.estimator.window));
    say("interval", spell(s.interval));
    say("step", to_text(s.step));
    say("slew-limit", spell(s.slew_limit));
    say("score", spell(s.score));
    say("look", spell(s.look));
    return said;
}

std::vector<Saying> all_sayings(const TimeScenario& scenario) {
    std::vector<Saying> said = to_sayings(scenario.world);
    for (Saying& saying : clock_sayings(scenario)) said.push_back(std::move(saying));
    return said;
}

}  // namespace

std::string to_toml(const TimeScenario& scenario) {
    const std::vector<Saying> usual = all_sayings(usual_time_scenario());
    const auto is_usual = [&](const Saying& saying) {
        return std::any_of(usual.begin(), usual.end(), [&](const Saying& other) {
            return other.word == saying.word && other.value == saying.value;
        });
    };
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> values;
    for (const Saying& saying : all_sayings(scenario)) {
        if (is_usual(saying)) continue;
        auto& listed = values[saying.word];
        if (listed.empty()) order.push_back(saying.word);
        listed.push_back(quote(saying.value));
    }
    std::string file;
    for (const std::string& word : order) {
        const auto& listed = values[word];
        file += word + " = " + (listed.size() == 1 ? listed.front() : "");
        for (std::size_t i = 0; listed.size() > 1 && i < listed.size(); ++i)
            file += (i == 0 ? "[" : ", ") + listed[i];
        file += listed.size() == 1 ? "\n" : "]\n";
    }
    return file;
}

}  // namespace conclave::simulator
