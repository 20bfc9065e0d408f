// The ledger as a page to read: one HTML file that needs nothing else, and the same as Markdown.
#pragma once

#include <string>
#include <vector>

#include "conclave/claims/run.hpp"

namespace conclave::claims {

std::string to_html(const std::vector<Row>& rows);
std::string to_markdown(const std::vector<Row>& rows);

// index.html, claims.md and the plots as SVG files; empty when all is well, else what went wrong.
std::string write_report(const std::string& folder, const std::vector<Row>& rows);

}  // namespace conclave::claims
