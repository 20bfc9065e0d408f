#include "conclave/claims/run.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "conclave/core/text.hpp"

namespace conclave::claims {

namespace {

std::string status_word(Status status) {
    return status == Status::not_yet ? "not yet" : std::string(name_of(status));
}

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

bool passed(const Result& result) {
    return result.status == Status::pass || result.status == Status::finding;
}

std::vector<Row> run_claims(const std::vector<Claim>& claims, const Effort& effort,
                            const Tell& tell) {
    std::vector<Row> rows(claims.size());
    std::atomic<std::size_t> next{0};
    std::size_t done = 0;
    std::mutex telling;
    const auto work = [&] {
        for (std::size_t i; (i = next.fetch_add(1)) < claims.size();) {
            const auto start = std::chrono::steady_clock::now();
            rows[i] = {claims[i], claims[i].run(effort), 0};
            rows[i].seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            const std::lock_guard lock(telling);
            if (tell) tell(rows[i], ++done, claims.size());
        }
    };
    std::vector<std::thread> threads;
    for (std::uint32_t i = 1; i < effort.threads; ++i) threads.emplace_back(work);
    work();
    for (std::thread& thread : threads) thread.join();
    return rows;
}

std::string to_json(const std::vector<Row>& rows) {
    std::string list;
    for (const Row& row : rows) {
        const Result& result = row.result;
        list +=
            (list.empty() ? "" : ",\n ") + ("{\"id\":" + quote(row.claim.id)) +
            ",\"statement\":" + quote(row.claim.statement) +
            ",\"expected\":" + quote(result.expected) + ",\"measured\":" + quote(result.measured) +
            ",\"unit\":" + quote(result.unit) + ",\"status\":" + quote(status_word(result.status)) +
            ",\"pass\":" + json(passed(result)) + ",\"evidence\":" + quote(result.evidence) + "}";
    }
    return "[" + list + "]\n";
}

std::string to_table(const std::vector<Row>& rows, bool colour) {
    std::string table;
    for (const Row& row : rows) {
        const Result& result = row.result;
        const char* paint = !colour                            ? ""
                            : result.status == Status::pass    ? "\033[32m"
                            : result.status == Status::finding ? "\033[33m"
                            : result.status == Status::fail    ? "\033[1;31m"
                                                               : "\033[2m";
        std::string head(row.claim.id);
        head.resize(5, ' ');
        std::string word = status_word(result.status);
        std::transform(word.begin(), word.end(), word.begin(),
                       [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
        word.resize(8, ' ');
        table += head + paint + word + (colour ? "\033[0m " : " ");
        const auto add = [&](const std::string& line, bool first) {
            for (const std::string& part : fold(line, 66)) {
                table += (first ? "" : std::string(14, ' ')) + part + "\n";
                first = false;
            }
        };
        add(std::string(row.claim.statement), true);
        if (result.status == Status::not_yet) continue;
        add("expected " + result.expected + ", measured " + result.measured + " " + result.unit,
            false);
    }
    return table;
}

}  // namespace conclave::claims
