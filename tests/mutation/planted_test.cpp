// The checker finds what is broken: a row of the table that does not apply, a process that compares
// the wrong way round, a message that is never sent; in every algorithm. What it does not find is
// explained, one by one, in docs/checking.md, which is held to what the searches say.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "conclave/simulator/simulation_engines.hpp"
#include "tests/mutation/planted.hpp"

namespace conclave::checker {

namespace planted_test {

struct Mutant {
    enum class Kind : std::uint8_t { message, row, comparison } kind;
    std::string name;
    std::uint64_t bit = 0;
};

std::vector<Mutant> mutants_of(std::string_view algorithm) {
    const simulator::Engine& engine = *simulator::find_engine(algorithm);
    std::vector<Mutant> list;
    for (std::size_t i = 0; i < engine.messages.size(); ++i)
        list.push_back({Mutant::Kind::message, "drop " + std::string(engine.messages[i]),
                        std::uint64_t{1} << i});
    for (std::size_t i = 0; i < engine.rows.size(); ++i)
        list.push_back({Mutant::Kind::row,
                        "row " + std::to_string(i) + ": " + std::string(engine.rows[i]),
                        std::uint64_t{1} << i});
    list.push_back({Mutant::Kind::comparison, "reverse the comparison", 0});
    return list;
}

Query plant(Query query, const Mutant& mutant, Id contrary) {
    if (mutant.kind == Mutant::Kind::message) query.mute = mutant.bit;
    if (mutant.kind == Mutant::Kind::row) query.rows_off = mutant.bit;
    if (mutant.kind == Mutant::Kind::comparison) query.contrary = contrary;
    return query;
}

bool is_violated(const Verdict& verdict) {
    return verdict.answer == Verdict::Answer::violated && verdict.property != "rows";
}

// The systems, and what is known of the unbroken algorithm in each.
class Bench {
public:
    enum class Found : std::uint8_t { no, by_reach, by_property };

    explicit Bench(std::string_view name) : systems_(planted(name)) {
        for (const Query& query : systems_) unbroken_.push_back(ask(query).searched);
    }
    // By a property that is violated; or else because other rows of the table than before fire in
    // some run, or no longer do.
    Found find(const Mutant& mutant) const {
        Found found = Found::no;
        for (std::size_t i = 0; i < systems_.size(); ++i) {
            if (found != Found::no && systems_[i].properties == std::vector<std::string>{"rows"})
                continue;
            for (const Id contrary : {Id{1}, Id{2}}) {
                if (contrary != Id{1} && mutant.kind != Mutant::Kind::comparison) continue;
                const Verdict verdict = ask(plant(systems_[i], mutant, contrary));
                if (is_violated(verdict)) return Found::by_property;
                const bool complete = verdict.searched.complete && unbroken_[i].complete;
                const std::uint64_t own = mutant.kind == Mutant::Kind::row ? mutant.bit : 0;
                const std::uint64_t rows = verdict.searched.rows_fired ^ unbroken_[i].rows_fired;
                if (complete && (rows & ~own) != 0) found = Found::by_reach;
            }
        }
        return found;
    }

private:
    std::vector<Query> systems_;
    std::vector<Searched> unbroken_;
};

// "| tempo | 13 of 13 | 45 of 54 | yes | 20 |" and the names of those that are not found
struct Harvest {
    std::string line;
    std::set<std::string> unfound;
};
Harvest harvest(std::string_view name) {
    const Bench bench(name);
    std::size_t found[3]{}, all[3]{}, reached = 0;
    Harvest result;
    for (const Mutant& mutant : mutants_of(name)) {
        const auto kind = static_cast<std::size_t>(mutant.kind);
        const Bench::Found how = bench.find(mutant);
        ++all[kind];
        found[kind] += how != Bench::Found::no;
        reached += how == Bench::Found::by_reach;
        if (how == Bench::Found::no) result.unfound.insert(mutant.name);
    }
    const auto of = [&](std::size_t kind) {
        return all[kind] == 0 ? std::string("-")
                              : std::to_string(found[kind]) + " of " + std::to_string(all[kind]);
    };
    result.line = "| " + std::string(name) + " | " + of(0) + " | " + of(1) + " | " +
                  (found[2] != 0 ? "yes" : "no") + " | " + std::to_string(reached) + " |";
    return result;
}

std::vector<std::string> lines_of_the_page() {
    std::ifstream page("docs/checking.md");
    std::vector<std::string> lines;
    for (std::string line; std::getline(page, line);) lines.push_back(line);
    return lines;
}

// "| tempo | `drop Ack` | why |": the mutants that the page explains
std::set<std::string> explained(std::string_view name) {
    std::set<std::string> mutants;
    const std::string start = "| " + std::string(name) + " | `";
    for (const std::string& line : lines_of_the_page())
        if (line.starts_with(start))
            mutants.insert(line.substr(start.size(), line.find('`', start.size()) - start.size()));
    return mutants;
}

class Planted : public testing::TestWithParam<Engine> {};

TEST_P(Planted, the_unbroken_algorithm_is_sound) {
    for (const Query& query : planted(GetParam().card->name)) {
        const Verdict verdict = ask(query);
        EXPECT_FALSE(is_violated(verdict)) << verdict.property << ": " << verdict.what;
        for (const std::string& untested : verdict.untested)  // at stake in others of its systems
            EXPECT_TRUE(untested == "invariant" || untested == "finished") << untested;
    }
}

TEST_P(Planted, mutants_are_found_or_explained) {
    const std::string_view name = GetParam().card->name;
    const Harvest found = harvest(name);
    const auto lines = lines_of_the_page();
    EXPECT_NE(std::find(lines.begin(), lines.end(), found.line), lines.end())
        << "docs/checking.md should say\n"
        << found.line;
    EXPECT_EQ(found.unfound, explained(name));
}

INSTANTIATE_TEST_SUITE_P(Each, Planted, testing::ValuesIn(engines().begin(), engines().end()),
                         [](const auto& row) {
                             std::string name(row.param.card->name);
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace planted_test
}  // namespace conclave::checker
