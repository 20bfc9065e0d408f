// conclave claims: the papers' results, re-derived by running the code.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

#include "conclave/claims/report.hpp"
#include "conclave/claims/tables.hpp"
#include "conclave/cli/terminal.hpp"
#include "conclave/lab/verbs.hpp"
#include "conclave/simulator/spelling.hpp"

namespace conclave::cli {

namespace {

using claims::Claim;
using claims::Row;

struct ClaimsGiven {
    std::vector<std::string> ids;
    std::optional<std::string> report;
    bool quick = false, json = false, tables = false;
};

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
            throw Refusal{"there is no claim '" + id + "': conclave claims lists them from " +
                          std::string(all.front().id) + " to " + std::string(all.back().id)};
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
                  "%zu pass, %zu findings, %zu fail, %zu not yet; %.1f s of work\n", counts[0],
                  counts[1], counts[2], counts[3], seconds);
    return line;
}

int run(const ClaimsGiven& given) {
    if (given.tables) {
        std::fputs(claims::algorithm_tables().c_str(), stdout);
        return Exit::yes;
    }
    const std::vector<Claim> chosen = choose_claims(given.ids);
    claims::Effort effort{.quick = given.quick,
                          .threads = std::max(1u, std::thread::hardware_concurrency())};
    std::vector<Row> rows;
    {
        Progress progress("claims", chosen.size());
        progress.show(0);
        rows = claims::run_claims(chosen, effort, [&](const Row&, std::size_t done, std::size_t) {
            progress.show(done);
        });
    }
    if (given.report)
        if (const std::string problem = claims::write_report(*given.report, rows); !problem.empty())
            throw Refusal{problem};
    if (given.json) {
        std::fputs(claims::to_json(rows).c_str(), stdout);
    } else {
        std::fputs(claims::to_table(rows, wants_colour()).c_str(), stdout);
        std::fputs(tally(rows).c_str(), stdout);
        if (given.report) std::printf("the report is at %s/index.html\n", given.report->c_str());
    }
    const bool failed = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
        return row.result.status == claims::Status::fail;
    });
    return failed ? Exit::no : Exit::yes;
}

std::function<int()> prepare_claims(Command& command) {
    const auto given = std::make_shared<ClaimsGiven>();
    command.arguments("ID", "rows of the ledger, such as T3 V9; all of them when none is named",
                      given->ids);
    command.flag("quick", "fewer runs for each row, for a first look", given->quick);
    command.value("report", "DIR", "write a page with the table, the diagrams and the plots",
                  given->report);
    command.flag("json", "for programs", given->json);
    command.flag("tables", "instead: all algorithms side by side, as Markdown", given->tables);
    return [given] { return run(*given); };
}

}  // namespace

Verb claims_verb() {
    return {claims_in_laboratory.name,
            claims_in_laboratory.purpose,
            {"conclave claims N1 N7", "conclave claims --quick",
             "conclave claims N8 --quick --report report"},
            prepare_claims};
}

}  // namespace conclave::cli
