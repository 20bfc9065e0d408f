// conclave claims: the papers' results, re-derived by running the code.
#include <algorithm>
#include <cstdio>
#include <thread>

#include "conclave/claims/report.hpp"
#include "conclave/claims/tables.hpp"
#include "conclave/cli/terminal.hpp"
#include "conclave/lab/lab_verbs.hpp"
#include "conclave/simulator/scenario/spelling.hpp"

namespace conclave::cli {

namespace {

using claims::Claim;
using claims::Row;

struct ClaimsGiven {
    std::vector<std::string> ids{};
    std::string report{};  // a folder; empty: none is written
    bool quick = false, json = false, tables = false, list = false;
};
constexpr options::Option<ClaimsGiven> claims_options[] = {
    options::arguments<&ClaimsGiven::ids>("ID", "rows of the ledger, such as T3 V9 (default: all)"),
    options::flag<&ClaimsGiven::quick>("quick", "do fewer runs for each row, for a first look"),
    options::flag<&ClaimsGiven::list>("list", "print the rows and their statements, and run none"),
    options::once<&ClaimsGiven::report, options::Path>(
        "report", "folder for a page with the table, the diagrams and the plots")
        .called("DIR")
        .with(options::Hint::folder),
    options::flag<&ClaimsGiven::json>("json", "print JSON, for programs"),
    options::flag<&ClaimsGiven::tables>("tables",
                                        "print all algorithms side by side instead, as Markdown"),
};
constexpr options::OptionGroup<ClaimsGiven> claims_groups[] = {{"", claims_options}};

std::vector<Claim> choose_claims(const std::vector<std::string>& ids) {
    std::vector<Claim> all = claims::all_claims();
    if (ids.empty()) return all;
    std::vector<Claim> chosen;
    for (const std::string& id : ids) {
        const auto same = [&](const Claim& claim) {
            return std::equal(
                id.begin(), id.end(), claim.id.begin(), claim.id.end(),
                [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; });
        };
        const auto found = std::find_if(all.begin(), all.end(), same);
        if (found == all.end())
            throw Refusal{"there is no claim '" + id + "': conclave claims --list prints them"};
        chosen.push_back(*found);
    }
    return chosen;
}

std::string tally(const std::vector<Row>& rows) {
    std::size_t counts[4] = {};
    double seconds = 0;
    for (const Row& row : rows) {
        ++counts[static_cast<std::size_t>(row.result.status)];
        seconds += row.seconds;
    }
    char line[160];
    std::snprintf(line, sizeof line,
                  "%zu pass, %zu findings, %zu depend on the reading, %zu fail; %.1f s of work\n",
                  counts[0], counts[1], counts[2], counts[3], seconds);
    return line;
}

int list_claims(const ClaimsGiven& given, const std::vector<Claim>& chosen) {
    if (given.quick || given.json || !given.report.empty())
        throw Refusal{"--list runs no claim: leave out --quick, --json and --report"};
    for (const Claim& claim : chosen)
        std::printf("%-4s %s\n", std::string(claim.id).c_str(),
                    std::string(claim.statement).c_str());
    return Exit::yes;
}

int run(const ClaimsGiven& given) {
    if (given.tables && given.list)
        throw Refusal{"--tables and --list print different things: give one of them"};
    if (given.tables) {
        std::fputs(claims::algorithm_tables().c_str(), stdout);
        return Exit::yes;
    }
    const std::vector<Claim> chosen = choose_claims(given.ids);
    if (given.list) return list_claims(given, chosen);
    claims::Effort effort{.quick = given.quick,
                          .threads = std::max(1u, std::thread::hardware_concurrency())};
    std::vector<Row> rows;
    {
        std::size_t experiments = 0;
        for (const Claim& claim : chosen) experiments += claims::readings_for(claim).size();
        Progress progress("claims", experiments);
        progress.show(0);
        rows = claims::run_claims(chosen, effort,
                                  [&](std::size_t done, std::size_t) { progress.show(done); });
    }
    if (!given.report.empty()) refuse_if(claims::write_report(given.report, rows));
    if (given.json) {
        std::fputs(claims::to_json(rows).c_str(), stdout);
    } else {
        std::fputs(claims::to_table(rows, wants_colour()).c_str(), stdout);
        std::fputs(tally(rows).c_str(), stdout);
        if (!given.report.empty())
            std::printf("the report is at %s/index.html\n", given.report.c_str());
    }
    const bool failed = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
        return row.result.status == claims::Status::fail;
    });
    return failed ? Exit::no : Exit::yes;
}

}  // namespace

Verb claims_verb() {
    return make_verb({claims_in_laboratory.name,
                      claims_in_laboratory.purpose,
                      {"conclave claims --list", "conclave claims N1 N7", "conclave claims --quick",
                       "conclave claims N8 --quick --report report"}},
                     options::Table<ClaimsGiven>(claims_groups), run);
}

}  // namespace conclave::cli
