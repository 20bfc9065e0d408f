// The options of a network of clocks: those of its clocks, paths and daemons.
#include "conclave/core/text.hpp"
#include "conclave/simulator/scenario/scenario_file.hpp"
#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/simulator/time/time_scenario.hpp"

namespace conclave::simulator {

namespace {

namespace time_options {  // names that others in this folder have, too

using options::Answer, options::Choice, options::often, options::once, options::wrong;
using Text = std::string_view;

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
std::string spell(clock::Rate rate) {
    return (rate.ppt < 0 ? "-" : "") + format_ppm(clock::magnitude(rate).ppt / 1000);
}

// "ID@TIME"
std::optional<std::pair<Id, Time>> parse_at(Text text) {
    const auto pair = split_pair(text, "@");
    const auto node = parse_id(pair ? pair->first : "");
    const auto at = parse_duration(pair ? pair->second : "");
    if (!node || !at) return std::nullopt;
    return std::pair{*node, *at};
}

struct RateForm {
    static constexpr Text name = "PPM";
    static Answer read(Text text, clock::Rate& into) {
        const auto rate = parse_rate(text);
        if (!rate) return wrong();
        into = *rate;
        return {};
    }
    static std::string write(clock::Rate rate) { return spell(rate); }
};
struct SlewForm : RateForm {
    static Answer read(Text text, clock::Rate& into) {
        const auto rate = parse_rate(text);
        if (!rate || rate->ppt <= 0 || *rate > clock::fastest_slew) return wrong();
        into = *rate;
        return {};
    }
};

struct JitterForm {
    static constexpr Text name =
        "none|exp:DURATION|uniform:DURATION|gauss:DURATION|burst:DURATION|one-way:DURATION";
    static constexpr Text shapes = "none|exp|uniform|gauss|burst|one-way";
    static Answer read(Text text, Jitter& into) {
        const auto pair = split_pair(text, ":");
        std::size_t shape = 0;
        const auto size = pair ? parse_duration(pair->second) : std::optional(Duration{0});
        if (!options::read_choice(pair ? pair->first : text, shapes, shape)) return wrong();
        if (!size || *size < Duration{0} || (shape != 0) != pair.has_value()) return wrong();
        into = {static_cast<Jitter::Shape>(shape), *size};
        return {};
    }
    static std::string write(const Jitter& jitter) {
        const std::string shape(options::choice_at(shapes, static_cast<std::size_t>(jitter.shape)));
        return jitter.shape == Jitter::Shape::none ? shape
                                                   : shape + ":" + format_duration(jitter.size);
    }
};

// "1>2=20us", "1>2@10min=20us", "1>2@10min..20min=20us"
struct LagForm {
    static constexpr Text name = "A>B[@TIME[..TIME]]=DURATION";
    static Answer read(Text text, Lag& into) {
        const auto pair = split_pair(text, "=");
        const auto when = split_pair(pair ? pair->first : "", "@");
        const auto link = split_pair(when ? when->first : pair ? pair->first : "", ">");
        const auto from = parse_id(link ? link->first : "");
        const auto to = parse_id(link ? link->second : "");
        const auto delay = parse_duration(pair ? pair->second : "");
        if (!from || !to || !delay || *delay < Duration{0}) return wrong();
        Span span{};
        if (when) {
            const auto ends = split_pair(when->second, "..");
            const auto begins = parse_duration(ends ? ends->first : when->second);
            const auto end = ends ? parse_duration(ends->second) : std::optional<Duration>(never);
            if (!begins || !end || *end <= *begins) return wrong();
            span = {*begins, *end};
        }
        into = {*from, *to, *delay, span};
        return {};
    }
    static std::string write(const Lag& lag) {
        const bool always = lag.when == Span{}, open = lag.when.until == never;
        const std::string when = open ? format_duration(lag.when.from) : format_span(lag.when);
        return text(lag.from) + ">" + text(lag.to) + (always ? "" : "@" + when) + "=" +
               format_duration(lag.delay);
    }
};

struct SwingForm {
    static constexpr Text name = "PPM/DURATION";
    static Answer read(Text text, Swing& into) {
        const auto pair = split_pair(text, "/");
        const auto rate = parse_rate(pair ? pair->first : "");
        const auto period = parse_duration(pair ? pair->second : "");
        if (!rate || !period || *period < std::chrono::seconds(2)) return wrong();
        into = {*rate, *period};
        return {};
    }
    static std::string write(const Swing& swing) {
        return spell(swing.rate) + "/" + format_duration(swing.period);
    }
};

// "3@5min=500ppm", "3@5min=-20ms", "3@5min=20ms/100s"
struct BreakdownForm {
    static constexpr Text name = "ID@TIME=RATEppm|ID@TIME=DURATION[/DURATION]";
    static Answer read(Text text, Breakdown& into) {
        const auto pair = split_pair(text, "=");
        const auto at = parse_at(pair ? pair->first : "");
        if (!at) return wrong();
        Breakdown breakdown{at->first, at->second};
        Text what = pair->second;
        if (what.ends_with("ppm")) {
            what.remove_suffix(3);
            const auto rate = parse_rate(what);
            if (!rate || clock::magnitude(*rate) > clock::rate_limit) return wrong();
            breakdown.rate = *rate;
        } else {
            const auto again = split_pair(what, "/");
            const auto step = parse_signed(again ? again->first : what);
            const auto every = parse_duration(again ? again->second : "0");
            if (!step || !every || *every < Duration{0}) return wrong();
            breakdown.step = *step;
            breakdown.every = *every;
        }
        into = breakdown;
        return {};
    }
    static std::string write(const Breakdown& breakdown) {
        const std::string again =
            breakdown.every == Duration{0} ? "" : "/" + format_duration(breakdown.every);
        return text(breakdown.node) + "@" + format_duration(breakdown.at) + "=" +
               (breakdown.rate.ppt != 0 ? spell(breakdown.rate) + "ppm"
                                        : format_duration(breakdown.step) + again);
    }
};

// "5@200s..260s"
template <bool Asleep>
Answer read_stop(TimeScenario& scenario, Text value) {
    const auto pair = split_pair(value, "@");
    const auto node = parse_id(pair ? pair->first : "");
    const auto when = parse_span(pair ? pair->second : "");
    if (!node || !when || when->until == never) return wrong();
    scenario.stops.push_back({*node, *when, Asleep});
    return {};
}
template <bool Asleep>
options::Values write_stops(const TimeScenario& scenario) {
    options::Values values;
    for (const Stop& stop : scenario.stops)
        if (stop.asleep == Asleep) values.push_back(text(stop.node) + "@" + format_span(stop.when));
    return values;
}

// "5@200s=1s", "5@200s=-1h"
struct JumpForm {
    static constexpr Text name = "ID@TIME=DURATION";
    static Answer read(Text text, Jump& into) {
        const auto pair = split_pair(text, "=");
        const auto at = parse_at(pair ? pair->first : "");
        const auto by = parse_signed(pair ? pair->second : "");
        if (!at || !by || *by == Duration{0}) return wrong();
        into = {at->first, at->second, *by};
        return {};
    }
    static std::string write(const Jump& jump) {
        return text(jump.node) + "@" + format_duration(jump.at) + "=" + format_duration(jump.by);
    }
};

struct WindowForm {
    static constexpr Text name = "COUNT";
    static Answer read(Text text, std::uint32_t& into) {
        const auto count = parse_number<std::uint32_t>(text);
        if (!count || (*count != 0 && (*count < 8 || *count > clock::Window::most))) return wrong();
        into = *count;
        return {};
    }
    static std::string write(std::uint32_t count) { return std::to_string(count); }
};

struct StepForm {
    static constexpr Text name = clock::step_form;
    static Answer read(Text text, clock::StepPolicy& into) {
        const auto policy = clock::parse_step_policy(text);
        if (!policy) return wrong();
        into = *policy;
        return {};
    }
    static std::string write(const clock::StepPolicy& policy) { return to_text(policy); }
};

using S = TimeScenario;
using Option = options::Option<TimeScenario>;
using Lasting = options::Span<1>;  // a duration that must not be 0
using Lapse = options::Span<0>;
constexpr auto method = [](auto& s) -> auto& { return s.estimator.method; };
constexpr auto window = [](auto& s) -> auto& { return s.estimator.window; };

constexpr Option clock_options[] = {
    once<&S::path, Lapse>("path", "shortest time of a packet under way", "50us").such_as("50us"),
    once<&S::jitter, JitterForm>("jitter", "additional time of packets, at random", "none")
        .such_as("exp:10us"),
    often<&S::lags, LagForm>(
        "lag", "additional time of packets from A to B: always, from a time on, or between two")
        .such_as("1>2@10min=100us"),
    once<&S::walk, RateForm>("walk", "random walk of each clock's rate in a second", "0")
        .such_as("0.001"),
    once<&S::swing, SwingForm>("swing",
                               "swing of each clock's rate with the temperature, and its period")
        .such_as("1/10min"),
    often<&S::breakdowns, BreakdownForm>(
        "break", "change a clock's rate, or set it; /DURATION: again and again")
        .such_as("3@5min=500ppm"),
    {{"suspend",
      options::Kind::often,
      "ID@TIME..TIME",
      "let a machine sleep: its raw clock stands, and the sleep is added to what people see",
      {},
      "5@200s..260s"},
     &read_stop<true>,
     &write_stops<true>},
    {{"freeze",
      options::Kind::often,
      "ID@TIME..TIME",
      "pause a virtual machine: all its clocks stand, and nothing is added",
      {},
      "5@200s..260s"},
     &read_stop<false>,
     &write_stops<false>},
    often<&S::jumps, JumpForm>("jump", "set the clock that people see").such_as("5@200s=-1s"),
    often<&S::dates, JumpForm>("date", "move the network's time, as timed set on this node does")
        .such_as("5@200s=1h"),
};
constexpr Option daemon_options[] = {
    once<&S::keeping, Choice<"ensemble|paper">>("keeping", "how the network's time is kept",
                                                "ensemble")
        .such_as("paper"),
    once<&S::probe, Lasting>("probe", "time between two probes of a slave", "1s").such_as("1s"),
    once<&S::fast, Lasting>("fast", "time between two probes of a new slave", "125ms")
        .such_as("125ms"),
    once<&S::fast_for, Lapse>("fast-for", "time for which a slave is new", "10s").such_as("10s"),
    once<method, Choice<"learned|envelope|least-squares">, S>("method", "estimator of offsets",
                                                              "learned")
        .such_as("envelope"),
    once<window, WindowForm, S>(
        "window", "samples of the estimator, 8 to 256; 0: the number that errs least", "0")
        .such_as("64"),
    once<&S::interval, Lasting>("interval", "greatest difference of clocks that agree", "200ms")
        .such_as("200ms"),
    once<&S::step, StepForm>("step", "when a clock may be stepped", "1s").such_as("128ms:3"),
    once<&S::slew_limit, SlewForm>("slew-limit", "greatest rate of slewing, up to 100000", "50000")
        .such_as("500"),
    once<&S::score, Lapse>("score", "time from which clocks are judged", "0s")
        .called("TIME")
        .such_as("1000s"),
    once<&S::look, Lasting>("look", "time between two comparisons of the clocks", "1s")
        .such_as("100ms"),
};

constexpr options::OptionGroup<TimeScenario> groups[] = {{"clocks and paths", clock_options},
                                                         {"daemons", daemon_options}};

}  // namespace time_options

// Options of an election's scenario that would mean nothing here, and what to give instead.
std::string misplaced(const options::Given& given) {
    constexpr std::pair<std::string_view, std::string_view> instead[] = {
        {"algorithm", "the election is always tempo"},
        {"delay", "give path and jitter"},
        {"link", "give lag"},
        {"wander", "give walk, which clocks take at random"},
        {"duplicate", "corrections are the same however often they come"},
        {"reorder", "give jitter"}};
    for (const auto& [name, remedy] : instead)
        if (given.name == name) return given.where + " is not for clocks: " + std::string(remedy);
    return {};
}

}  // namespace

const options::Table<TimeScenario>& time_table() {
    static constexpr options::Table<TimeScenario> table(time_options::groups);
    return table;
}

TimeScenario usual_time_scenario() {
    TimeScenario scenario;
    scenario.world.algorithm = "tempo";
    scenario.world.order.how = Order::How::ascending;
    scenario.world.initiators.who = Initiators::Who::none;
    scenario.world.until = std::chrono::minutes(5);
    return scenario;
}

std::vector<options::Row> time_rows() {
    std::vector<options::Row> rows = time_table().rows();
    for (const options::Row& row : scenario_table().rows())
        if (time_table().find(row.name) == nullptr) rows.push_back(row);
    return rows;
}

std::string tell_time(TimeScenario& scenario, std::vector<options::Given> given) {
    const auto own = options::take(time_table(), given);
    for (const options::Given& each : given) {
        if (scenario_table().find(each.name) == nullptr) {
            std::vector<std::string_view> names;
            const auto rows = time_rows();
            for (const options::Row& row : rows) names.push_back(row.name);
            return options::refuse_unknown(each, names, "docs/clocks.md lists what there is");
        }
        if (std::string problem = misplaced(each); !problem.empty()) return problem;
    }
    std::string problem = time_table().read(own, scenario, {});
    return problem.empty() ? tell(scenario.world, given) : problem;
}

std::string read_time_scenario(TimeScenario& scenario, std::string_view text,
                               std::string_view name) {
    options::FileGiven file = options::read_toml(text, name, time_rows());
    if (!file.problem.empty()) return file.problem;
    return tell_time(scenario, std::move(file.given));
}

namespace {

// `say(option, values)` for each option that differs from the usual scenario.
template <class Say>
void for_each_unusual(const TimeScenario& scenario, const Say& say) {
    const TimeScenario usual = usual_time_scenario();
    const auto compare = [&](const auto& option, const auto& settings, const auto& others) {
        const options::Values values = option.write(settings);
        if (!values.empty() && values != option.write(others)) say(option, values);
    };
    scenario_table().for_each(
        [&](const auto& option) { compare(option, scenario.world, usual.world); });
    time_table().for_each([&](const auto& option) { compare(option, scenario, usual); });
}

}  // namespace

std::string to_toml(const TimeScenario& scenario) {
    std::string file;
    for_each_unusual(scenario, [&](const auto& option, const options::Values& values) {
        file += options::to_toml(option, values);
    });
    return file;
}

std::vector<options::Given> to_given(const TimeScenario& scenario) {
    std::vector<options::Given> all;
    for_each_unusual(scenario, [&](const auto& option, const options::Values& values) {
        const std::string name(option.name);
        for (const std::string& value : values) all.push_back({name, value, name});
    });
    return all;
}

}  // namespace conclave::simulator
