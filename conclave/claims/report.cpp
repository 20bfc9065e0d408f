#include "conclave/claims/report.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>

#include "conclave/claims/documents.hpp"
#include "conclave/claims/plot.hpp"
#include "conclave/core/text.hpp"
#include "conclave/trace/diagram.hpp"

namespace conclave::claims {

namespace {

constexpr std::string_view style =
    "body{font:16px/1.5 Helvetica,Arial,sans-serif;max-width:1000px;margin:1.5em auto;padding:0 "
    "1em;"
    "color:#24292f}table{border-collapse:collapse;width:100%;font-size:14px}"
    "td,th{border-bottom:1px solid #d0d7de;padding:.4em .6em;text-align:left;vertical-align:top}"
    "code,pre{background:#f6f8fa;border-radius:4px}code{padding:.1em .3em;word-break:break-word}"
    "pre{padding:1em;overflow-x:auto;font-size:12px;line-height:1.25}"
    ".pass{color:#1a7f37}.finding{color:#9a6700}.reading-dependent{color:#0969da}"
    ".fail{color:#d1242f;font-weight:bold}.figure{font-weight:bold}details{margin:.6em 0}"
    "h2{margin-top:2.5em}h3{margin-top:2em;border-top:1px solid #d0d7de;padding-top:1em}"
    "svg{max-width:100%;height:auto}@media(max-width:640px){table.rows td,table.rows th{display:"
    "block;border:0;padding:.15em 0}table.rows tr{display:block;border-bottom:1px solid #d0d7de;"
    "padding:.6em 0}table.rows tr:first-child{display:none}}";

constexpr std::array<std::pair<Status, std::string_view>, 4> legend{
    {{Status::pass, "the printed claim holds under every reading of the document"},
     {Status::finding, "no reading saves it; the evidence shows why and what repairs it"},
     {Status::reading_dependent, "it holds under some readings; the row names them"},
     {Status::fail, "the code does not reproduce it"}}};

std::string badge(Status status) {
    const std::string word = status_word(status);
    return "<span class='" + word + "'>" + word + "</span>";
}

std::string tally(const std::vector<Row>& rows) {
    std::map<Status, std::size_t> counts;
    for (const Row& row : rows) ++counts[row.result.status];
    std::string line;
    for (const auto& [status, n] : counts)
        line += (line.empty() ? "" : ", ") + std::to_string(n) + " " + status_word(status);
    return std::to_string(rows.size()) + " claims: " + line + ".";
}

// "3 nodes: never; 4 nodes: twice" -> both parts
std::vector<std::string> parts_of(std::string_view measured) {
    std::vector<std::string> parts;
    while (!measured.empty()) {
        const std::size_t end = std::min(measured.find("; "), measured.size());
        parts.emplace_back(measured.substr(0, end));
        measured.remove_prefix(std::min(measured.size(), end + 2));
    }
    return parts;
}

// The content of a cell: the first figure, and how many more the row's own section has.
std::string figure_of(const Result& result) {
    const std::vector<std::string> parts = parts_of(result.measured);
    if (parts.empty()) return result.unit;
    const std::string more =
        parts.size() > 1 ? " (and " + std::to_string(parts.size() - 1) + " more)" : "";
    return parts.front() + (result.unit.empty() ? "" : " " + result.unit) + more;
}

std::string html_measured(const Result& result) {
    const std::vector<std::string> parts = parts_of(result.measured);
    std::string html = "<p>Measured";
    if (!result.unit.empty()) html += " (" + escape_markup(result.unit) + ")";
    if (parts.size() < 4) return html + ": " + escape_markup(result.measured) + ".</p>\n";
    html += ":</p>\n<table>\n";
    for (const std::string& part : parts) {
        const std::size_t colon = part.find(": ");
        const bool named = colon != std::string::npos;
        html += "<tr><td>" + (named ? escape_markup(part.substr(0, colon)) : "") +
                "</td><td class='figure'>" + escape_markup(named ? part.substr(colon + 2) : part) +
                "</td></tr>\n";
    }
    return html + "</table>\n";
}

std::string html_readings(const Row& row) {
    if (row.readings.size() < 2) return {};
    std::string html = "<table>\n<tr><th>reading</th><th></th><th>measured</th></tr>\n";
    for (const Read& read : row.readings)
        html += "<tr><td><code>" + escape_markup(read.name) + "</code></td><td>" +
                badge(read.result.status) + "</td><td>" + escape_markup(figure_of(read.result)) +
                "</td></tr>\n";
    return html + "</table>\n";
}

std::string html_section(const Row& row) {
    const Result& r = row.result;
    const std::string id(row.claim.id);
    std::string page =
        "<h3 id='" + id + "'>" + id + " " + badge(r.status) + "</h3>\n<p><b>" +
        escape_markup(row.claim.statement) + "</b></p>\n<p>" + escape_markup(row.claim.experiment) +
        "</p>\n<p>Expected: " + escape_markup(r.expected) + ".</p>\n" + html_measured(r) +
        html_readings(row) + "<p>" + escape_markup(r.evidence) + "</p>\n";
    for (const Plot& plot : r.plots) page += to_svg(plot);
    if (!row.claim.command.empty())
        page += "<p><code>" + escape_markup(row.claim.command) + "</code></p>\n";
    for (const Exhibit& exhibit : r.exhibits)
        page += "<details><summary>" + escape_markup(exhibit.caption) + "</summary>\n<pre>" +
                escape_markup(trace::diagram(exhibit.trace, {})) + "</pre></details>\n";
    return page;
}

std::vector<const Row*> rows_of(const Document& document, const std::vector<Row>& rows) {
    std::vector<const Row*> own;
    for (const Row& row : rows)
        if (&document_of(row.claim.id) == &document) own.push_back(&row);
    return own;
}

std::string html_table(const std::vector<const Row*>& rows) {
    std::string page =
        "<table class='rows'><tr><th>id</th><th></th><th>claim</th><th>measured</th></tr>\n";
    for (const Row* row : rows) {
        const std::string id(row->claim.id);
        page += "<tr><td><a href='#" + id + "'>" + id + "</a></td><td>" +
                badge(row->result.status) + "</td><td>" + escape_markup(row->claim.statement) +
                "</td><td>" + escape_markup(figure_of(row->result)) + "</td></tr>\n";
    }
    return page + "</table>\n";
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

std::string markdown_cell(std::string_view from) {
    std::string to;
    for (const char c : from) to += c == '|' ? "\\|" : std::string(1, c);
    return to;
}

std::string markdown_section(const Row& row) {
    std::string page = "\n### " + std::string(row.claim.id) + "\n\n" +
                       std::string(row.claim.experiment) + "\n\nMeasured: " + row.result.measured +
                       " " + row.result.unit + "\n\n";
    if (row.readings.size() > 1)
        for (const Read& read : row.readings)
            page += "- `" + read.name + "`: " + status_word(read.result.status) + "\n";
    page += "\n" + row.result.evidence + "\n";
    if (!row.claim.command.empty())
        page += "\n```sh\n" + std::string(row.claim.command) + "\n```\n";
    for (const Exhibit& exhibit : row.result.exhibits)
        page += "\n" + exhibit.caption + "\n\n```\n" + trace::diagram(exhibit.trace, {}) + "```\n";
    for (std::size_t i = 0; i < row.result.plots.size(); ++i)
        page += "\n![" + row.result.plots[i].title + "](" + plot_name(row, i) + ")\n";
    return page;
}

}  // namespace

std::string to_html(const std::vector<Row>& rows) {
    std::string page =
        "<!doctype html>\n<html lang='en'><meta charset='utf-8'><meta name='viewport' "
        "content='width=device-width, initial-scale=1'><title>Conclave: the papers' "
        "claims</title>\n<style>" +
        std::string(style) + "</style>\n<h1>The papers' claims, re-derived</h1>\n<p>" +
        tally(rows) + "</p>\n<ul>\n";
    for (const auto& [status, meaning] : legend)
        page += "<li>" + badge(status) + ": " + std::string(meaning) + "</li>\n";
    page += "</ul>\n";
    for (const Document& document : documents()) {
        const std::vector<const Row*> own = rows_of(document, rows);
        if (own.empty()) continue;
        page += "<h2>" + escape_markup(document.name) + "</h2>\n<p>" +
                escape_markup(document.title) + "</p>\n" + html_table(own);
        for (const Row* row : own) page += html_section(*row);
    }
    return page + "</html>\n";
}

std::string to_markdown(const std::vector<Row>& rows) {
    std::string page = "# The papers' claims, re-derived\n\n" + tally(rows) + "\n";
    for (const Document& document : documents()) {
        const std::vector<const Row*> own = rows_of(document, rows);
        if (own.empty()) continue;
        page += "\n## " + std::string(document.name) +
                "\n\n| id | | claim | measured |\n|---|---|---|---|\n";
        for (const Row* row : own)
            page += "| " + std::string(row->claim.id) + " | " + status_word(row->result.status) +
                    " | " + markdown_cell(row->claim.statement) + " | " +
                    markdown_cell(figure_of(row->result)) + " |\n";
        for (const Row* row : own) page += markdown_section(*row);
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
