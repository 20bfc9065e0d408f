#include "conclave/simulator/words.hpp"

#include <algorithm>

#include "conclave/core/nearest.hpp"
#include "conclave/core/text.hpp"
#include "conclave/simulator/cluster.hpp"
#include "conclave/simulator/spelling.hpp"
#include "conclave/simulator/word_forms.hpp"

namespace conclave::simulator {

namespace {

using forms::Written;

// A word that is one field: where the field is, how its value is read and written.
template <auto Field, auto Parse>
bool read_field(Scenario& scenario, std::string_view value, std::string&) {
    const auto parsed = Parse(value);
    if (!parsed) return false;
    Field(scenario) = parsed.value();
    return true;
}
template <auto Field, auto Format>
Written write_field(const Scenario& scenario) {
    const Scenario usual;
    if (Field(scenario) == Field(usual)) return {};
    return {Format(Field(scenario))};
}

// ID@T
template <auto List>
bool read_at(Scenario& scenario, std::string_view value, std::string&) {
    const auto pair = split_pair(value, "@");
    const auto node = parse_id(pair ? pair->first : "");
    const auto at = parse_duration(pair ? pair->second : "");
    if (node && at) (scenario.*List).push_back({*node, *at});
    return node && at;
}
template <auto List>
Written write_at(const Scenario& scenario) {
    Written values;
    for (const auto& event : scenario.*List)
        values.push_back(text(event.node) + "@" + format_duration(event.at));
    return values;
}

constexpr auto algorithm = [](auto& s) -> auto& { return s.algorithm; };
constexpr auto nodes = [](auto& s) -> auto& { return s.nodes; };
constexpr auto delay = [](auto& s) -> auto& { return s.delay; };
constexpr auto loss = [](auto& s) -> auto& { return s.loss; };
constexpr auto duplication = [](auto& s) -> auto& { return s.duplication; };
constexpr auto calm = [](auto& s) -> auto& { return s.calm; };
constexpr auto fifo = [](auto& s) -> auto& { return s.fifo; };
constexpr auto same_for_all = [](auto& s) -> auto& { return s.same_for_all; };
constexpr auto storm = [](auto& s) -> auto& { return s.storm; };
constexpr auto drift = [](auto& s) -> auto& { return s.clocks.drift_ppb; };
constexpr auto offset = [](auto& s) -> auto& { return s.clocks.offset; };
constexpr auto wander = [](auto& s) -> auto& { return s.clocks.wander_ppb; };
constexpr auto seed = [](auto& s) -> auto& { return s.seed; };
constexpr auto until = [](auto& s) -> auto& { return s.until; };

std::optional<std::string> parse_name(std::string_view value) { return std::string(value); }
std::string format_name(const std::string& name) { return std::string(bare_name(name)); }
std::optional<bool> parse_switch(std::string_view value) {
    if (value == "on") return true;
    return value == "off" ? std::optional(false) : std::nullopt;
}
std::string format_switch(std::optional<bool> on) { return on.value_or(false) ? "on" : "off"; }
template <class Number>
std::string format_number(Number number) {
    return std::to_string(number);
}
std::string format_end(std::optional<Time> time) { return format_duration(time.value_or(never)); }

constexpr auto once = Word::Kind::once, often = Word::Kind::often, flag = Word::Kind::flag;

// clang-format off
constexpr Word all_words[] = {
    {"algorithm", once, "NAME", "chang-roberts", "the algorithm to run",
     read_field<algorithm, parse_name>, write_field<algorithm, format_name>},
    {"nodes", once, "N", "5", "so many nodes, with the ids 1 to N",
     read_field<nodes, parse_number<std::uint32_t>>,
     write_field<nodes, format_number<std::uint32_t>>},
    {"initiators", once, "all|first|last|best|none|ID,..", "2,3",
     "who calls an election at the start: first on the ring, best by rank, last behind the best",
     forms::read_initiators, forms::write_initiators},
    {"order", once, "ascending|descending|random|ID,..", "ascending", "the ids along the ring",
     forms::read_order, forms::write_order},
    {"attribute", often, "ID=P", "3=200", "the node's priority; greater is better, 0 is usual",
     forms::read_attribute, forms::write_attributes},
    {"set", often, "KEY=VALUE", "timeout=2ms", "a setting of the algorithm: conclave list NAME",
     forms::read_setting, forms::write_settings},
    {"cluster", flag, "on|off", "on",
     "the whole member that agents run around it, with a guardian and a command",
     forms::read_cluster, forms::write_cluster},

    {"delay", once, "D|D..D|exp:D", "1ms..5ms", "how long messages take; exp: on average",
     read_field<delay, parse_delay>, write_field<delay, format_delay>},
    {"link", often, "A>B=D", "1>2=10ms", "how long messages from A to B take",
     forms::read_link, forms::write_links},
    {"loss", once, "P", "0.05", "the share of messages that get lost",
     read_field<loss, parse_odds>, write_field<loss, format_odds>},
    {"duplicate", once, "P", "0.05", "the share of messages that arrive twice",
     read_field<duplication, parse_odds>, write_field<duplication, format_odds>},
    {"reorder", once, "P[:D]", "0.05:2ms", "the share that falls back by up to D (5ms), overtaken",
     forms::read_reordering, forms::write_reordering},
    {"calm", once, "T", "10s", "from then on nothing is lost, doubled or reordered any more",
     read_field<calm, parse_duration>, write_field<calm, format_duration>},
    {"fifo", once, "on|off", "on", "messages on one link keep their order; usual: as the card says",
     read_field<fifo, parse_switch>, write_field<fifo, format_switch>},
    {"same-for-all", flag, "on|off", "on", "a broadcast takes equally long to every receiver",
     read_field<same_for_all, parse_switch>, write_field<same_for_all, format_switch>},

    {"start", often, "ID@T", "3@2s", "the node comes up at this time, not at 0",
     read_at<&Scenario::starts>, write_at<&Scenario::starts>},
    {"call", often, "ID@T", "3@2s", "the node calls an election",
     read_at<&Scenario::calls>, write_at<&Scenario::calls>},
    {"crash", often, "ID@T", "3@2s", "the node stops",
     read_at<&Scenario::crashes>, write_at<&Scenario::crashes>},
    {"recover", often, "ID@T[:blank]", "3@4s", "it comes up with what it stored; blank: without",
     forms::read_recovery, forms::write_recoveries},
    {"pause", often, "ID@T..T", "3@2s..3s", "it stands still, then goes on as if nothing had been",
     forms::read_pause, forms::write_pauses},
    {"befall", often, "WHAT:ID@T", "agent-dies:3@2s",
     "with --cluster: a fault or request; a wrong one is answered with their names",
     forms::read_mishap, forms::write_mishaps},
    {"partition", often, "A,B/C,D@T..T", "1,2/3,4@2s..3s",
     "nothing sent then passes between the parts; nodes not named are one more part",
     forms::read_partition, forms::write_partitions},
    {"cut", often, "A>B@T..T", "1>2@2s..3s", "nothing passes from A to B; back it does",
     forms::read_cut, forms::write_cuts},
    {"suspect", often, "A:B@T..T", "1:2@2s..3s", "A wrongly takes B for crashed",
     forms::read_suspicion, forms::write_suspicions},
    {"storm", once, "D", "10s", "so long faults of all kinds come from the seed; then all is well",
     read_field<storm, parse_duration>, write_field<storm, format_duration>},
    {"detector", once, "none|perfect|late:D|incomplete:P|inaccurate:N[:D],..", "late:1ms..5ms",
     "tells nodes of crashes and recoveries: late, with chance P never, N times wrongly for D",
     forms::read_detector, forms::write_detector},

    {"drift", once, "PPM", "50", "clocks run fast or slow by up to so much",
     read_field<drift, parse_ppm>, write_field<drift, format_ppm>},
    {"offset", once, "D", "5ms", "clocks are wrong by up to so much at the start",
     read_field<offset, parse_duration>, write_field<offset, format_duration>},
    {"wander", once, "PPM", "0.5", "every second the drift changes by up to so much",
     read_field<wander, parse_ppm>, write_field<wander, format_ppm>},
    {"clock", often, "ID=OFFSET:PPM|ID=xTIMES", "3=2ms:50", "one clock; x: so many times slower",
     forms::read_clock, forms::write_clocks},

    {"scope", once, "part|overall|off", "overall", "one leader: per connected part, or in all",
     forms::read_scope, forms::write_scope},
    {"check", once, "one-leader,best,informed,agreement,invariant|none", "one-leader,agreement",
     "what must hold instead of what the card promises; +best adds to that, -best takes away",
     forms::read_checks, forms::write_checks},
    {"break", often, "RULE", "quarantine-after-restart",
     "leave a rule of the lease out; a wrong one is answered with their names",
     forms::read_broken, forms::write_broken},
    {"mutate", once, "WHAT[:WHICH]", "drop-follow",
     "break the algorithm: row:K of its table, drop:MESSAGE, double:MESSAGE, drop-set:TIMER, "
     "drop-stop:TIMER, drop-follow, drop-store",
     forms::read_mutation, forms::write_mutation},
    {"seed", once, "S", "7", "what chance does follows from it",
     read_field<seed, parse_number<std::uint64_t>>,
     write_field<seed, format_number<std::uint64_t>>},
    {"until", once, "T", "10s", "the run ends then at the latest; usual: 60s and ten times round",
     read_field<until, parse_duration>, write_field<until, format_end>},
};
// clang-format on

std::string unknown_word(const Saying& saying) {
    std::vector<std::string_view> names;
    for (const Word& word : all_words) names.push_back(word.name);
    const std::string_view meant = nearest(saying.word, names);
    return saying.where + "there is no '" + saying.word + "': " +
           (meant.empty() ? "conclave sim --help lists what there is"
                          : "did you mean " + std::string(meant) + "?");
}

// The form in words where it is a single letter.
std::string explain(std::string_view form) {
    if (form == "P") return "a share from 0 to 1";
    if (form == "N" || form == "S") return "a whole number";
    if (form == "D" || form == "T") return "a duration";
    if (form == "PPM") return "parts per million";
    return std::string(form);
}

std::string tell_one(Scenario& scenario, const Saying& saying) {
    const Word* word = find_word(saying.word);
    if (word == nullptr) return unknown_word(saying);
    std::string remedy;
    if (word->read(scenario, saying.value, remedy)) return {};
    if (remedy.empty())
        remedy = "give " + explain(word->form) + ", such as " + std::string(word->example);
    return saying.where + saying.word + " cannot be '" + saying.value + "': " + remedy;
}

std::string quote_for_shell(const std::string& word) {
    const bool plain = std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-_.,:/@=+%").find(c) != std::string_view::npos;
    });
    if (plain && !word.empty()) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace

std::span<const Word> words() { return all_words; }

const Word* find_word(std::string_view name) {
    for (const Word& word : all_words)
        if (word.name == name) return &word;
    return nullptr;
}

std::string tell(Scenario& scenario, std::span<const Saying> sayings) {
    const auto place = [](const Saying& saying) {
        return saying.word == "algorithm" ? 0 : saying.word == "cluster" ? 1 : 2;
    };
    for (const int now : {0, 1, 2})
        for (const Saying& saying : sayings) {
            if (place(saying) != now) continue;
            if (std::string problem = tell_one(scenario, saying); !problem.empty()) return problem;
        }
    return {};
}

std::vector<Saying> to_sayings(const Scenario& scenario) {
    std::vector<Saying> sayings;
    for (const Word& word : all_words)
        for (std::string& value : word.write(scenario))
            sayings.push_back({std::string(word.name), std::move(value), {}});
    return sayings;
}

std::string to_command(const Scenario& scenario) {
    std::string command = "conclave sim";
    for (const Saying& saying : to_sayings(scenario)) {
        if (saying.word == "algorithm")
            command += " " + quote_for_shell(saying.value);
        else if (find_word(saying.word)->kind == Word::Kind::flag)
            command += " --" + saying.word;
        else if (saying.value.starts_with('-'))
            command += " --" + saying.word + "=" + quote_for_shell(saying.value);
        else
            command += " --" + saying.word + " " + quote_for_shell(saying.value);
    }
    return command;
}

}  // namespace conclave::simulator
