#include "conclave/claims/report.hpp"

#include <filesystem>
#include <fstream>
#include <map>

#include "conclave/claims/plot.hpp"
#include "conclave/core/text.hpp"
#include "conclave/trace/diagram.hpp"

namespace conclave::claims {

namespace {

constexpr std::string_view style =
    "body{font:16px/1.5 Helvetica,Arial,sans-serif;max-width:1000px;margin:2em auto;padding:0 "
    "1em;color:#24292f}"
    "table{border-collapse:collapse;width:100%;font-size:14px}td,th{border-bottom:1px solid "
    "#d0d7de;"
    "padding:.4em "
    ".6em;text-align:left;vertical-align:top}code,pre{background:#f6f8fa;border-radius:4px}"
    "code{padding:.1em .3em}pre{padding:1em;overflow-x:auto;font-size:12px;line-height:1.25}"
    ".pass{color:#1a7f37}.finding{color:#9a6700}.fail{color:#d1242f;font-weight:bold}.not_yet{"
    "color:#57606a}"
    "h2{margin-top:2.2em;border-top:1px solid #d0d7de;padding-top:1em}svg{max-width:100%}";

std::string word(Status status) {
    return status == Status::not_yet ? "not yet" : std::string(name_of(status));
}

std::map<Status, std::size_t> count(const std::vector<Row>& rows) {
    std::map<Status, std::size_t> counts;
    for (const Row& row : rows) ++counts[row.result.status];
    return counts;
}

std::string tally(const std::vector<Row>& rows) {
    std::string line;
    for (const auto& [status, n] : count(rows))
        line += (line.empty() ? "" : ", ") + std::to_string(n) + " " + word(status);
    return std::to_string(rows.size()) + " claims: " + line + ".";
}

std::string html_section(const Row& row) {
    const Result& r = row.result;
    std::string page = "<h2 id='" + std::string(row.claim.id) + "'>" + std::string(row.claim.id) +
                       " <span class='" + std::string(name_of(r.status)) + "'>" + word(r.status) +
                       "</span></h2>\n<p><b>" + escape_markup(row.claim.statement) +
                       "</b></p>\n<p>" + escape_markup(row.claim.experiment) + "</p>\n";
    if (r.status == Status::not_yet) return page;
    page += "<p>Expected: " + escape_markup(r.expected) +
            ". Measured: " + escape_markup(r.measured) + " " + escape_markup(r.unit) +
            ".</p>\n<p>" + escape_markup(r.evidence) + "</p>\n";
    if (!row.claim.command.empty())
        page += "<p><code>" + escape_markup(row.claim.command) + "</code></p>\n";
    for (const Exhibit& exhibit : r.exhibits)
        page += "<p>" + escape_markup(exhibit.caption) + "</p>\n<pre>" +
                escape_markup(trace::diagram(exhibit.trace, {})) + "</pre>\n";
    for (const Plot& plot : r.plots) page += to_svg(plot);
    return page;
}

std::string plot_name(const Row& row, std::size_t i) {
    return std::string(row.claim.id) +
           (row.result.plots.size() > 1 ? "-" + std::to_string(i + 1) : "") + ".svg";
}

bool write_file(const std::filesystem::path& path, const std::string& content) {
    std::ofstream file(path, std::ios::binary);
    file << content;
    return static_cast<bool>(file.flush());
}

}  // namespace

std::string to_html(const std::vector<Row>& rows) {
    std::string page =
        "<!doctype html>\n<html lang='en'><meta charset='utf-8'><title>Conclave: the papers' "
        "claims</title>\n<style>" +
        std::string(style) + "</style>\n<h1>The papers' claims, re-derived</h1>\n<p>" +
        tally(rows) +
        "</p>\n<table><tr><th>id</th><th></th><th>claim</th><th>expected</th><th>measured</th></"
        "tr>\n";
    for (const Row& row : rows)
        page += "<tr><td><a href='#" + std::string(row.claim.id) + "'>" +
                std::string(row.claim.id) + "</a></td><td class='" +
                std::string(name_of(row.result.status)) + "'>" + word(row.result.status) +
                "</td><td>" + escape_markup(row.claim.statement) + "</td><td>" +
                escape_markup(row.result.expected) + "</td><td>" +
                escape_markup(row.result.measured) + " " + escape_markup(row.result.unit) +
                "</td></tr>\n";
    page += "</table>\n";
    for (const Row& row : rows) page += html_section(row);
    return page + "</html>\n";
}

std::string to_markdown(const std::vector<Row>& rows) {
    std::string page = "# The papers' claims, re-derived\n\n" + tally(rows) +
                       "\n\n| id | | claim | expected | measured |\n|---|---|---|---|---|\n";
    for (const Row& row : rows) {
        const auto cell = [](std::string_view from) {
            std::string to;
            for (const char c : from) to += c == '|' ? "\\|" : std::string(1, c);
            return to;
        };
        page += "| " + std::string(row.claim.id) + " | " + word(row.result.status) + " | " +
                cell(row.claim.statement) + " | " + cell(row.result.expected) + " | " +
                cell(row.result.measured + " " + row.result.unit) + " |\n";
    }
    for (const Row& row : rows) {
        page += "\n## " + std::string(row.claim.id) + "\n\n" + std::string(row.claim.experiment) +
                "\n\n" + row.result.evidence + "\n";
        if (!row.claim.command.empty())
            page += "\n```sh\n" + std::string(row.claim.command) + "\n```\n";
        for (const Exhibit& exhibit : row.result.exhibits)
            page +=
                "\n" + exhibit.caption + "\n\n```\n" + trace::diagram(exhibit.trace, {}) + "```\n";
        for (std::size_t i = 0; i < row.result.plots.size(); ++i)
            page += "\n![" + row.result.plots[i].title + "](" + plot_name(row, i) + ")\n";
    }
    return page;
}

std::string write_report(const std::string& folder, const std::vector<Row>& rows) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem)
        return "cannot make the folder '" + folder + "': " + problem.message() +
               "; name another with --report";
    const std::filesystem::path at(folder);
    bool good = write_file(at / "index.html", to_html(rows)) &&
                write_file(at / "claims.md", to_markdown(rows));
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.result.plots.size(); ++i)
            good = good && write_file(at / plot_name(row, i), to_svg(row.result.plots[i]));
    return good ? "" : "cannot write into the folder '" + folder + "'; name another with --report";
}

}  // namespace conclave::claims
