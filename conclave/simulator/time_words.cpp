#include "conclave/core/nearest.hpp"
#include "conclave/simulator/scenario_file.hpp"
#include "conclave/simulator/spelling.hpp"
#include "conclave/simulator/time_scenario.hpp"

namespace conclave::simulator {

namespace {

using Text = std::string_view;

template <auto Field>
bool read_duration(TimeScenario& scenario, Text value) {
    const auto parsed = parse_duration(value);
    if (parsed) scenario.*Field = *parsed;
    return parsed.has_value() && *parsed >= Duration{0};
}
template <auto Field>
bool read_span(TimeScenario& scenario, Text value) {  // one that must last
    return read_duration<Field>(scenario, value) && scenario.*Field > Duration{0};
}

// "-20ms", "+20ms", "20ms"
std::optional<Duration> parse_signed(Text text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    const auto size = parse_duration(text);
    if (!size || *size < Duration{0}) return std::nullopt;
    return negative ? -*size : *size;
}
std::optional<clock::Rate> parse_rate(Text text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto ppb = parse_ppm(text);
    if (!ppb) return std::nullopt;
    return clock::ppb(*ppb);
}

bool read_jitter(TimeScenario& scenario, Text value) {
    using Shape = Jitter::Shape;
    if (value == "none") return scenario.jitter = {}, true;
    const auto pair = split_pair(value, ":");
    const auto size = pair ? parse_duration(pair->second) : std::nullopt;
    if (!size || *size < Duration{0}) return false;
    const Text name = pair->first;
    const Shape shape = name == "exp"       ? Shape::exponential
                        : name == "uniform" ? Shape::uniform
                        : name == "gauss"   ? Shape::gaussian
                        : name == "burst"   ? Shape::burst
                        : name == "one-way" ? Shape::one_way
                                            : Shape::none;
    scenario.jitter = {shape, *size};
    return shape != Shape::none;
}

// "1>2=20us", "1>2@10min=20us", "1>2@10min..20min=20us"
bool read_lag(TimeScenario& scenario, Text value) {
    const auto pair = split_pair(value, "=");
    const auto when = split_pair(pair ? pair->first : "", "@");
    const auto link = split_pair(when ? when->first : pair ? pair->first : "", ">");
    const auto from = parse_id(link ? link->first : ""), to = parse_id(link ? link->second : "");
    const auto delay = parse_duration(pair ? pair->second : "");
    if (!from || !to || !delay || *delay < Duration{0}) return false;
    Span span{};
    if (when) {
        const auto ends = split_pair(when->second, "..");
        const auto begins = parse_duration(ends ? ends->first : when->second);
        const auto end = ends ? parse_duration(ends->second) : std::optional<Duration>(never);
        if (!begins || !end || *end <= *begins) return false;
        span = {*begins, *end};
    }
    scenario.lags.push_back({*from, *to, *delay, span});
    return true;
}

bool read_walk(TimeScenario& scenario, Text value) {
    const auto rate = parse_rate(value);
    if (rate) scenario.walk = *rate;
    return rate.has_value();
}

bool read_swing(TimeScenario& scenario, Text value) {
    const auto pair = split_pair(value, "/");
    const auto rate = parse_rate(pair ? pair->first : "");
    const auto period = parse_duration(pair ? pair->second : "");
    if (!rate || !period || *period < std::chrono::seconds(2)) return false;
    scenario.swing = {*rate, *period};
    return true;
}

// "3@5min=500ppm", "3@5min=-20ms", "3@5min=20ms/100s"
bool read_breakdown(TimeScenario& scenario, Text value) {
    const auto pair = split_pair(value, "=");
    const auto when = split_pair(pair ? pair->first : "", "@");
    const auto node = parse_id(when ? when->first : "");
    const auto at = parse_duration(when ? when->second : "");
    if (!node || !at) return false;
    Breakdown breakdown{*node, *at};
    Text what = pair->second;
    if (what.ends_with("ppm")) {
        what.remove_suffix(3);
        const auto rate = parse_rate(what);
        if (!rate || clock::magnitude(*rate) > clock::rate_limit) return false;
        breakdown.rate = *rate;
    } else {
        const auto again = split_pair(what, "/");
        const auto step = parse_signed(again ? again->first : what);
        const auto every = parse_duration(again ? again->second : "0");
        if (!step || !every || *every < Duration{0}) return false;
        breakdown.step = *step;
        breakdown.every = *every;
    }
    scenario.breakdowns.push_back(breakdown);
    return true;
}

bool read_keeping(TimeScenario& scenario, Text value) {
    using Keeping = TimeScenario::Keeping;
    scenario.keeping = value == "paper" ? Keeping::paper : Keeping::ensemble;
    return value == "paper" || value == "ensemble";
}

bool read_method(TimeScenario& scenario, Text value) {
    using clock::Method;
    scenario.estimator.method = value == "envelope"        ? Method::envelope
                                : value == "least-squares" ? Method::least_squares
                                                           : Method::learned;
    return value == "envelope" || value == "least-squares" || value == "learned";
}

bool read_window(TimeScenario& scenario, Text value) {
    const auto count = parse_number<std::uint32_t>(value);
    if (count) scenario.estimator.window = *count;
    return count && (*count == 0 || (*count >= 8 && *count <= clock::Window::most));
}

bool read_step(TimeScenario& scenario, Text value) {
    const auto policy = clock::parse_step_policy(value);
    if (policy) scenario.step = *policy;
    return policy.has_value();
}

bool read_slew_limit(TimeScenario& scenario, Text value) {
    const auto rate = parse_rate(value);
    if (rate) scenario.slew_limit = *rate;
    return rate && rate->ppt > 0 && *rate <= clock::fastest_slew;
}

// "5@200s..260s"
template <bool Asleep>
bool read_stop(TimeScenario& scenario, Text value) {
    const auto pair = split_pair(value, "@");
    const auto node = parse_id(pair ? pair->first : "");
    const auto when = parse_span(pair ? pair->second : "");
    if (!node || !when || when->until == never) return false;
    scenario.stops.push_back({*node, *when, Asleep});
    return true;
}

// "5@200s=1s", "5@200s=-1h"
bool read_jump(TimeScenario& scenario, Text value) {
    const auto pair = split_pair(value, "=");
    const auto when = split_pair(pair ? pair->first : "", "@");
    const auto node = parse_id(when ? when->first : "");
    const auto at = parse_duration(when ? when->second : "");
    const auto by = parse_signed(pair ? pair->second : "");
    if (!node || !at || !by || *by == Duration{0}) return false;
    scenario.jumps.push_back({*node, *at, *by});
    return true;
}

constexpr TimeWord all[] = {
    {"path", "D", "50us", "the shortest time of a packet under way",
     read_duration<&TimeScenario::path>},
    {"jitter", "none|exp:D|uniform:D|gauss:D|burst:D|one-way:D", "exp:10us",
     "how much longer packets take, at random", read_jitter},
    {"lag", "A>B[@T[..T]]=D", "1>2@10min=100us",
     "packets from A to B take so much longer: always, from a time on, or between two", read_lag},
    {"walk", "PPM", "0.001", "every second each rate walks so far", read_walk},
    {"swing", "PPM/D", "1/10min", "each rate goes up and down with the temperature", read_swing},
    {"break", "ID@T=RATEppm|ID@T=D[/D]", "3@5min=500ppm",
     "a clock's rate changes, or it is set; /D: again and again", read_breakdown},
    {"suspend", "ID@T..T", "5@200s..260s",
     "a machine sleeps: its raw clock stands, the sleep is added to what people see",
     read_stop<true>},
    {"freeze", "ID@T..T", "5@200s..260s",
     "a virtual machine is paused: all its clocks stand, and nothing is added", read_stop<false>},
    {"jump", "ID@T=D", "5@200s=-1s", "somebody sets the clock that people see", read_jump},
    {"keeping", "ensemble|paper", "paper", "how the network's time is kept", read_keeping},
    {"probe", "D", "1s", "so often each slave is asked", read_span<&TimeScenario::probe>},
    {"fast", "D", "125ms", "so often while it is new", read_span<&TimeScenario::fast>},
    {"fast-for", "D", "10s", "for so long it is new", read_duration<&TimeScenario::fast_for>},
    {"method", "learned|envelope|least-squares", "envelope", "how offsets are estimated",
     read_method},
    {"window", "N", "64", "from so many samples, 8 to 256; 0: whichever err least", read_window},
    {"interval", "D", "200ms", "clocks further apart do not agree",
     read_span<&TimeScenario::interval>},
    {"step", clock::step_form, "128ms:3", "when a clock may be stepped", read_step},
    {"slew-limit", "PPM", "500", "clocks are slewed by no more than that, up to 100000",
     read_slew_limit},
    {"score", "T", "1000s", "from then on clocks are judged", read_duration<&TimeScenario::score>},
    {"look", "D", "100ms", "so often they are compared", read_span<&TimeScenario::look>},
};

std::string refuse(const Saying& saying, const TimeWord& word) {
    return saying.where + saying.word + " cannot be '" + saying.value + "': give " +
           std::string(word.form) + ", such as " + std::string(word.example);
}

const TimeWord* find_time_word(Text name) {
    for (const TimeWord& word : all)
        if (word.name == name) return &word;
    return nullptr;
}

std::string unknown(const Saying& saying) {
    std::vector<Text> names;
    for (const TimeWord& word : all) names.push_back(word.name);
    for (const Word& word : words()) names.push_back(word.name);
    const Text meant = nearest(saying.word, names);
    return saying.where + "there is no '" + saying.word + "': " +
           (meant.empty() ? "docs/clocks.md lists what there is"
                          : "did you mean " + std::string(meant) + "?");
}

// Words of an election's scenario that would mean nothing here, and what to say instead.
std::string misplaced(const Saying& saying) {
    constexpr std::pair<Text, Text> instead[] = {
        {"algorithm", "the election is always tempo"},
        {"delay", "give path and jitter"},
        {"link", "give lag"},
        {"wander", "give walk, which clocks take at random"},
        {"duplicate", "corrections are the same however often they come"},
        {"reorder", "give jitter"}};
    for (const auto& [word, remedy] : instead)
        if (saying.word == word)
            return saying.where + word.data() + " is not for clocks: " + std::string(remedy);
    return {};
}

}  // namespace

std::span<const TimeWord> time_words() { return all; }

TimeScenario usual_time_scenario() {
    TimeScenario scenario;
    scenario.world.algorithm = "tempo";
    scenario.world.order.how = Order::How::ascending;
    scenario.world.initiators.who = Initiators::Who::none;
    scenario.world.until = std::chrono::minutes(5);
    return scenario;
}

std::string read_time_scenario(TimeScenario& scenario, Text text, Text name) {
    const FileSayings file = read_toml(text, name);
    if (!file.problem.empty()) return file.problem;
    std::vector<Saying> rest;
    for (const Saying& saying : file.sayings) {
        if (const TimeWord* word = find_time_word(saying.word)) {
            if (!word->read(scenario, saying.value)) return refuse(saying, *word);
        } else if (find_word(saying.word) == nullptr) {
            return unknown(saying);
        } else if (std::string problem = misplaced(saying); !problem.empty()) {
            return problem;
        } else {
            rest.push_back(saying);
        }
    }
    return tell(scenario.world, rest);
}

}  // namespace conclave::simulator
