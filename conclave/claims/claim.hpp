// A result of one of the papers as something that a program can show.
//
// One row: the statement, and an experiment that re-derives it by running the very code that the
// hosts run. The experiment says what the formula gives, what was measured and what that proves.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conclave/trace/record.hpp"

namespace conclave::claims {

// One way to read a document: a value for each setting that it leaves open and that matters.
using Settings = std::vector<std::pair<std::string, std::string>>;

// How much work an experiment may spend: `quick` for every commit, else the size that the
// documentation quotes; and how it reads the document. A row's statement must hold at either size.
struct Effort {
    bool quick = false;
    std::uint32_t threads = 1;
    Settings reading{};

    bool reads(std::string_view setting, std::string_view value) const {
        for (const auto& [key, chosen] : reading)
            if (key == setting) return chosen == value;
        return false;
    }
    // A scenario or a search of the checker under this reading. What it sets itself has the last
    // word.
    template <class T>
    T read(T described) const {
        described.settings.insert(described.settings.begin(), reading.begin(), reading.end());
        return described;
    }
    // The number of runs when asked for `full` ones: a tenth of them, but 30 at least, when quick.
    std::uint64_t runs(std::uint64_t full) const {
        return quick ? (full / 10 > 30 ? full / 10 : (full < 30 ? full : 30)) : full;
    }
};

enum class Status : std::uint8_t {
    pass,               // the printed claim holds
    finding,            // as printed it does not: the evidence shows why, and what repairs it
    reading_dependent,  // it holds under some readings of the document, under others it does not
    fail,               // the code does not reproduce it
};

// A diagram that the report shows: usually the shortest run that makes a negative claim plain.
struct Exhibit {
    std::string caption;
    trace::Trace trace;
};

// A curve for the report's plots.
struct Series {
    std::string name;
    std::vector<std::pair<double, double>> points;
    bool line = false;  // a formula, drawn as a line; else measured points
};
struct Plot {
    std::string title, x_axis, y_axis;
    bool log_x = false, log_y = false;
    std::vector<Series> series;
    std::vector<std::pair<double, std::string>> marks{};  // moments on the x axis, with a word each
};

struct Result {
    Status status = Status::fail;
    std::string expected{};  // "3N-1 = 14"
    std::string measured{};  // "14"
    std::string unit{};      // "messages"
    std::string evidence{};  // one or two sentences: what was run, how often, which interval
    std::vector<Exhibit> exhibits{};
    std::vector<Plot> plots{};
};

struct Claim {
    std::string_view id;           // "T3"
    std::string_view statement;    // as the paper has it, in a sentence
    std::string_view experiment;   // what is run, in two sentences
    std::string_view command;      // repeats the core of it: "conclave sim tempo --nodes 5 ..."
    Result (*run)(const Effort&);  // under one reading
    std::string_view algorithm{};  // whose readings matter to the row: "tempo", and ...
    std::string_view readings{};   // ... which of them: "at-startup masterreq"
};

// One file for each document.
std::span<const Claim> tempo_claims();        // T1 ..
std::span<const Claim> nemeth_claims();       // N1 ..
std::span<const Claim> bully_claims();        // B1 .., M1 ..
std::span<const Claim> invitation_claims();   // I1 ..
std::span<const Claim> ring_claims();         // R1 ..
std::span<const Claim> archimedean_claims();  // V1 ..
std::span<const Claim> limit_claims();        // X1 ..: what election cannot do

// All of them, in the order of the ledger.
std::vector<Claim> all_claims();

}  // namespace conclave::claims
