#include "conclave/simulator/scenario/validate.hpp"

#include <algorithm>

#include "conclave/core/nearest.hpp"
#include "conclave/core/text.hpp"
#include "conclave/simulator/campaign/recording.hpp"
#include "conclave/simulator/cluster/cluster.hpp"
#include "conclave/simulator/scenario/graph_words.hpp"
#include "conclave/simulator/scenario/slips.hpp"
#include "conclave/simulator/scenario/spelling.hpp"
#include "conclave/simulator/scenario/words.hpp"
#include "conclave/simulator/world/draws.hpp"

namespace conclave::simulator {

namespace {

constexpr std::uint32_t nodes_max = 10'000'000;
constexpr Time time_max = std::chrono::hours(10'000);  // sums of times stay far from overflow
constexpr std::int64_t drift_max_ppb = 500'000'000;
constexpr std::uint64_t slowdown_max = 1'000'000;

// Looks at one scenario, word by word, and writes down what is wrong.
class Inspection {
public:
    explicit Inspection(const Scenario& scenario) : s_(scenario) {}

    std::vector<std::string> run() {
        look_at_group();
        if (!problems_.empty()) return problems_;  // ids mean nothing without a group
        look_at_order();
        look_at_graph();
        look_at_network();
        look_at_life();
        look_at_lease();
        look_at_parts();
        look_at_detector();
        look_at_clocks();
        look_at_mutation();
        look_at_overrides();
        return problems_;
    }

private:
    void object(std::string_view word, std::string_view value, const std::string& remedy) {
        problems_.push_back(std::string(word) + " cannot be '" + std::string(value) +
                            "': " + remedy);
    }

    // Calls `look` with each item of a list and its spelling.
    template <class List, class Look>
    void each(std::string_view word, const List& list, const Look& look) {
        const auto spelled = scenario_table().find(word)->write(s_);
        for (std::size_t i = 0; i < list.size(); ++i) look(list[i], spelled[i]);
    }

    bool known(std::string_view word, std::string_view value, Id id) {
        const auto number = static_cast<std::uint32_t>(id);
        if (number >= 1 && number <= s_.nodes) return true;
        object(word, value,
               "there is no node " + text(id) + ", ids run from 1 to " + text(s_.nodes));
        return false;
    }

    void within(std::string_view word, std::string_view value, Time time, Time low = {}) {
        if (time < low)
            object(
                word, value,
                low == Time{} ? "a time is not negative, give 0s or later" : "give more than 0s");
        else if (time > time_max)
            object(word, value, "give at most " + format_duration(time_max));
    }

    void within(std::string_view word, std::string_view value, const Span& when) {
        within(word, value, when.from);
        if (when.until == never) return;
        within(word, value, when.until);
        if (when.until <= when.from) object(word, value, "it has to end after it begins");
    }

    void within(std::string_view word, std::string_view value, const Delay& delay, Duration low) {
        const bool uniform = delay.shape == Delay::Shape::uniform;
        within(word, value, delay.low, uniform ? Duration{} : low);
        if (!uniform) return;
        within(word, value, delay.high, low);
        if (delay.high < delay.low) object(word, value, "put the shorter one first");
    }

    void within_ppm(std::string_view word, std::string_view value, std::int64_t ppb,
                    std::int64_t low) {
        if (ppb < low || ppb > drift_max_ppb)
            object(word, value,
                   "give " + format_ppm(low) + " to " + format_ppm(drift_max_ppb) + " ppm");
    }

    void likely(std::string_view word, Odds odds) {
        if (odds.of_2_32 >> 32 != 0 && odds.of_2_32 != std::uint64_t{1} << 32)
            object(word, text(odds.of_2_32) + "/2^32", "give 0 to 1");
    }

    void look_at_group() {
        const Engine* engine = find_engine(s_.algorithm);
        if (engine == nullptr) {
            problems_.push_back(unknown_algorithm(s_.algorithm));
            return;
        }
        if (s_.nodes < 1 || s_.nodes > nodes_max)
            object("nodes", text(s_.nodes), "give 1 to " + text(nodes_max));
        if (std::string problem = engine->settings_problem(s_); !problem.empty())
            problems_.push_back(std::move(problem));
        if (s_.until) within("until", format_duration(*s_.until), *s_.until);
    }

    void look_at_order() {
        const auto ids = format_ids(s_.order.ids);
        if (s_.order.how == Order::How::listed) {
            std::vector<std::uint32_t> times(s_.nodes);
            for (const Id id : s_.order.ids)
                if (known("order", ids, id)) ++times[static_cast<std::uint32_t>(id) - 1];
            for (std::uint32_t i = 0; i < s_.nodes && problems_.empty(); ++i)
                if (times[i] != 1)
                    object("order", ids,
                           "name every node once, but node " + text(i + 1) + " is named " +
                               (times[i] == 0 ? "never" : text(times[i]) + " times"));
        }
        const Initiators& initiators = s_.initiators;
        for (const Id id : initiators.ids) known("initiators", format_ids(initiators.ids), id);
        if (initiators.who == Initiators::Who::listed && initiators.ids.empty())
            object("initiators", "", "give ids, or none");
        each("attribute", s_.attributes, [&](const Attribute& given, const std::string& value) {
            known("attribute", value, given.node);
            if (given.priority > priority_max)
                object("attribute", value, "give a priority of at most " + text(priority_max));
        });
    }

    void look_at_graph() {
        if (!s_.graph) return;
        const std::string value = format_graph(*s_.graph);
        if (find_engine(s_.algorithm)->card->network != conclave::Network::graph)
            return object("graph", value, s_.algorithm + " is not for a graph, leave it out");
        if (const std::string problem = graph_problem(*s_.graph, s_.nodes); !problem.empty())
            object("graph", value, problem);
    }

    void look_at_network() {
        constexpr Duration least{1};
        within("delay", format_delay(s_.delay), s_.delay, least);
        const Duration longest = longest_delay(s_.delay);
        if (longest > never / 20 / s_.nodes)
            object("delay", format_delay(s_.delay),
                   "ten times round " + text(s_.nodes) + " nodes is too long, give a shorter one");
        each("link", s_.links, [&](const LinkDelay& link, const std::string& value) {
            known("link", value, link.from);
            known("link", value, link.to);
            within("link", value, link.delay, least);
        });
        likely("loss", s_.loss);
        likely("duplicate", s_.duplication);
        likely("reorder", s_.reordering.odds);
        const auto reorder = scenario_table().find("reorder")->write(s_);
        if (!reorder.empty()) within("reorder", reorder.front(), s_.reordering.by, least);
    }

    void look_at_life() {
        const auto look_at = [&](std::string_view word) {
            return [this, word](const auto& event, const std::string& value) {
                known(word, value, event.node);
                within(word, value, event.at);
            };
        };
        each("start", s_.starts, look_at("start"));
        each("call", s_.calls, look_at("call"));
        each("crash", s_.crashes, look_at("crash"));
        each("recover", s_.recoveries, look_at("recover"));
        each("recover", s_.recoveries, [&](const Recovery& recovery, const std::string& value) {
            const bool down = std::any_of(
                s_.crashes.begin(), s_.crashes.end(),
                [&](const Crash& c) { return c.node == recovery.node && c.at <= recovery.at; });
            if (!down)
                object("recover", value,
                       "node " + text(recovery.node) + " is not down then, crash it before");
        });
        each("pause", s_.pauses, [&](const Pause& pause, const std::string& value) {
            known("pause", value, pause.node);
            within("pause", value, pause.when);
        });
    }

    void look_at_lease() {
        within("storm", format_duration(s_.storm), s_.storm);
        const std::string remedy = "only a cluster has that, give bully or tempo and --cluster";
        each("fault", s_.mishaps, [&](const Mishap& mishap, const std::string& value) {
            known("fault", value, mishap.node);
            within("fault", value, mishap.at);
            if (!is_cluster(s_.algorithm)) object("fault", value, remedy);
        });
        for (const std::string& rule : scenario_table().find("break")->write(s_))
            if (!is_cluster(s_.algorithm)) object("break", rule, remedy);
    }

    void look_at_parts() {
        each("partition", s_.partitions, [&](const Partition& partition, const std::string& value) {
            std::vector<Id> seen;
            for (const auto& part : partition.parts)
                for (const Id id : part) {
                    known("partition", value, id);
                    if (std::find(seen.begin(), seen.end(), id) != seen.end())
                        object("partition", value, "node " + text(id) + " can be in one part only");
                    seen.push_back(id);
                }
            if (partition.parts.empty() || (partition.parts.size() == 1 && seen.size() >= s_.nodes))
                object("partition", value, "it divides nothing, give two parts as in 1,2/3");
            within("partition", value, partition.when);
        });
        each("cut", s_.cuts, [&](const Cut& cut, const std::string& value) {
            known("cut", value, cut.from);
            known("cut", value, cut.to);
            if (cut.from == cut.to) object("cut", value, "give two different nodes");
            within("cut", value, cut.when);
        });
    }

    void look_at_detector() {
        each("suspect", s_.suspicions, [&](const Suspicion& wrong, const std::string& value) {
            known("suspect", value, wrong.observer);
            known("suspect", value, wrong.suspected);
            if (wrong.observer == wrong.suspected)
                object("suspect", value, "nobody suspects itself, give two different nodes");
            within("suspect", value, wrong.when);
        });
        if (!s_.detector.on) return;
        const std::string value = scenario_table().find("detector")->write(s_).front();
        within("detector", value, s_.detector.lateness, Duration{});
        likely("detector", s_.detector.missed);
        within("detector", value, s_.detector.mistaken_for, Duration{1});
    }

    void look_at_clocks() {
        within("offset", format_duration(s_.clocks.offset), s_.clocks.offset);
        within_ppm("drift", format_ppm(s_.clocks.drift_ppb), s_.clocks.drift_ppb, 0);
        within_ppm("wander", format_ppm(s_.clocks.wander_ppb), s_.clocks.wander_ppb, 0);
        each("clock", s_.node_clocks, [&](const NodeClock& clock, const std::string& value) {
            known("clock", value, clock.node);
            within("clock", value, clock.offset < Duration{} ? -clock.offset : clock.offset);
            within_ppm("clock", value, clock.drift_ppb, -drift_max_ppb);
            if (clock.slowdown < 1 || clock.slowdown > slowdown_max)
                object("clock", value, "give x1 to x" + text(slowdown_max));
        });
    }

    // Words cannot say these; a program can.
    void look_at_mutation() {
        using What = Mutation::What;
        const Engine& engine = *find_engine(s_.algorithm);
        const Mutation& mutation = s_.mutation;
        const std::string value = text(mutation.which);
        if (engine.rows.size() < 64 && mutation.rows_off >> engine.rows.size() != 0)
            object("mutate", "row", "the table has " + text(engine.rows.size()) + " rows");
        if ((mutation.what == What::drop_send || mutation.what == What::double_send) &&
            mutation.which >= engine.messages.size())
            object("mutate", value, "there are " + text(engine.messages.size()) + " messages");
        if ((mutation.what == What::drop_set || mutation.what == What::drop_stop) &&
            mutation.which >= engine.timers.size())
            object("mutate", value, "there are " + text(engine.timers.size()) + " timers");
    }

    void look_at_overrides() {
        const Engine& engine = *find_engine(s_.algorithm);
        for (const auto& [decision, value] : s_.overrides)
            if (!concerns_known(decision, s_.nodes))
                object("override", format_decision(decision, value, engine),
                       "ids run from 1 to " + text(s_.nodes));
    }

    const Scenario& s_;
    std::vector<std::string> problems_;
};

}  // namespace

std::string unknown_algorithm(std::string_view name, const std::vector<std::string_view>& more) {
    std::vector<std::string_view> names;
    for (const Engine& engine : engines()) names.push_back(engine.card->name);
    names.insert(names.end(), more.begin(), more.end());
    std::string list;
    for (const std::string_view each : names)
        list += (list.empty() ? "" : ", ") + std::string(each);
    if (name.empty()) return "no algorithm is named: choose from " + list;
    const std::string_view meant = nearest(name, names);
    return "there is no algorithm '" + std::string(name) + "': " +
           (meant.empty() ? "choose from " + list : "did you mean " + std::string(meant) + "?");
}

std::vector<std::string> validate(const Scenario& scenario) { return Inspection(scenario).run(); }

namespace {

using Validator = std::vector<std::string>(const Scenario&);

std::vector<std::string> judge_words(const Scenario& scenario) {
    std::vector<std::string> problems = validate(scenario);
    return problems.empty() ? find_slips(scenario) : problems;
}

// Where the one stands without which all would be well, or at least better: of several the one
// that the sentence begins with.
std::string place_of_blame(const std::string& problem, std::span<const options::Given> given,
                           Validator judge) {
    const options::Given* blamed = nullptr;
    std::size_t least = ~std::size_t{0};
    int closest = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
        std::vector<options::Given> others(given.begin(), given.end());
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        Scenario scenario;
        if (!tell(scenario, others).empty()) continue;
        const std::vector<std::string> left = judge(scenario);
        if (!left.empty() && left.front() == problem) continue;
        const auto& [name, value, where, place] = given[i];
        const bool quoted = problem.starts_with(name + " cannot be '" + value + "'");
        const int close = quoted ? 2 : problem.starts_with(name + " ") ? 1 : 0;
        if (left.size() > least || (left.size() == least && (close == 0 || close < closest)))
            continue;
        least = left.size();
        closest = close;
        blamed = &given[i];
    }
    if (blamed == nullptr) return {};
    const bool named = problem.starts_with(blamed->name + " ");
    return named && blamed->where == "--" + blamed->name ? "--" : options::place_of(*blamed);
}

std::string tell_judged(Scenario& scenario, std::span<const options::Given> given,
                        Validator judge) {
    scenario = {};
    if (std::string problem = tell(scenario, given); !problem.empty()) return problem;
    const auto problems = judge(scenario);
    if (problems.empty()) return {};
    return place_of_blame(problems.front(), given, judge) + problems.front();
}

}  // namespace

std::string tell_sound(Scenario& scenario, std::span<const options::Given> given) {
    return tell_judged(scenario, given, judge_words);
}

std::string tell_recorded(Scenario& scenario, std::span<const options::Given> given) {
    return tell_judged(scenario, given, validate);
}

}  // namespace conclave::simulator
