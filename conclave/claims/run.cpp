#include "conclave/claims/run.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "conclave/claims/documents.hpp"
#include "conclave/core/text.hpp"

namespace conclave::claims {

namespace {

// Breaks a line at spaces so that no part is wider than `width`.
std::vector<std::string> fold(std::string_view line, std::size_t width) {
    std::vector<std::string> parts;
    while (line.size() > width) {
        std::size_t cut = line.rfind(' ', width);
        if (cut == std::string_view::npos || cut == 0) cut = width;
        parts.emplace_back(line.substr(0, cut));
        line.remove_prefix(std::min(line.size(), line[cut] == ' ' ? cut + 1 : cut));
    }
    parts.emplace_back(line);
    return parts;
}

}  // namespace

std::string status_word(Status status) {
    return status == Status::reading_dependent ? "reading-dependent" : std::string(name_of(status));
}

bool passed(const Result& result) { return result.status != Status::fail; }

Row make_row(const Claim& claim, std::vector<Read> readings, double seconds) {
    Row row{claim, readings.front().result, seconds, {}};
    row.result.status = status_of(readings);
    // A run that refutes the claim is worth showing, whatever reading it belongs to.
    for (const Read& read : readings) {
        if (!row.result.exhibits.empty()) break;
        row.result.exhibits = read.result.exhibits;
    }
    for (Read& read : readings) read.result.exhibits = {};
    row.readings = std::move(readings);
    return row;
}

namespace {

// One experiment: a row under one of its readings.
struct Task {
    std::size_t row = 0;
    Settings reading{};
    Result result{};
    double seconds = 0;
};

std::vector<Row> gather(const std::vector<Claim>& claims, std::vector<Task>& tasks) {
    std::vector<std::vector<Read>> reads(claims.size());
    std::vector<double> seconds(claims.size());
    for (Task& task : tasks) {
        reads[task.row].push_back({name_reading(task.reading), std::move(task.result)});
        seconds[task.row] += task.seconds;
    }
    std::vector<Row> rows;
    for (std::size_t i = 0; i < claims.size(); ++i)
        rows.push_back(make_row(claims[i], std::move(reads[i]), seconds[i]));
    return rows;
}

}  // namespace

std::vector<Row> run_claims(const std::vector<Claim>& claims, const Effort& effort,
                            const Tell& tell) {
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < claims.size(); ++i)
        for (Settings& reading : readings_for(claims[i]))
            tasks.push_back({i, std::move(reading), {}, 0});
    std::atomic<std::size_t> next{0};
    std::size_t done = 0;
    std::mutex telling;
    const auto work = [&] {
        for (std::size_t i; (i = next.fetch_add(1)) < tasks.size();) {
            Effort own = effort;
            own.reading = tasks[i].reading;
            const auto start = std::chrono::steady_clock::now();
            tasks[i].result = claims[tasks[i].row].run(own);
            tasks[i].seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            const std::lock_guard lock(telling);
            if (tell) tell(++done, tasks.size());
        }
    };
    std::vector<std::thread> threads;
    for (std::uint32_t i = 1; i < effort.threads; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    return gather(claims, tasks);
}

namespace {

std::string readings_json(const Row& row) {
    std::string list;
    for (const Read& read : row.readings)
        list += (list.empty() ? "" : ",") + ("{\"name\":" + quote(read.name)) +
                ",\"status\":" + quote(status_word(read.result.status)) +
                ",\"measured\":" + quote(read.result.measured) + "}";
    return "[" + list + "]";
}

}  // namespace

std::string to_json(const std::vector<Row>& rows) {
    std::string list;
    for (const Row& row : rows) {
        const Result& result = row.result;
        list += (list.empty() ? "" : ",\n ") + ("{\"id\":" + quote(row.claim.id)) +
                ",\"document\":" + quote(document_of(row.claim.id).name) +
                ",\"statement\":" + quote(row.claim.statement) +
                ",\"expected\":" + quote(result.expected) +
                ",\"measured\":" + quote(result.measured) + ",\"unit\":" + quote(result.unit) +
                ",\"status\":" + quote(status_word(result.status)) +
                ",\"pass\":" + json(passed(result)) + ",\"readings\":" + readings_json(row) +
                ",\"evidence\":" + quote(result.evidence) +
                ",\"command\":" + quote(row.claim.command) + "}";
    }
    return "[" + list + "]\n";
}

namespace {

const char* paint(Status status) {
    switch (status) {
        case Status::pass: return "\033[32m";
        case Status::finding: return "\033[33m";
        case Status::reading_dependent: return "\033[36m";
        case Status::fail: return "\033[1;31m";
    }
    return "";
}

// Short enough for its column.
std::string_view stamp(Status status) {
    switch (status) {
        case Status::pass: return "PASS    ";
        case Status::finding: return "FINDING ";
        case Status::reading_dependent: return "DEPENDS ";
        case Status::fail: return "FAIL    ";
    }
    return "";
}

}  // namespace

std::string to_table(const std::vector<Row>& rows, bool colour) {
    std::string table;
    for (const Row& row : rows) {
        const Result& result = row.result;
        std::string head(row.claim.id);
        head.resize(5, ' ');
        table += head + (colour ? paint(result.status) : "") + std::string(stamp(result.status)) +
                 (colour ? "\033[0m " : " ");
        const auto add = [&](const std::string& line, bool first) {
            for (const std::string& part : fold(line, 66)) {
                table += (first ? "" : std::string(14, ' ')) + part + "\n";
                first = false;
            }
        };
        add(std::string(row.claim.statement), true);
        add("expected " + result.expected + ", measured " + result.measured + " " + result.unit,
            false);
        if (row.readings.size() < 2) continue;
        for (const Read& read : row.readings)
            add(read.name + ": " + status_word(read.result.status), false);
    }
    return table;
}

}  // namespace conclave::claims
