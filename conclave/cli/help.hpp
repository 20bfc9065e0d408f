// Texts that are made from the verbs' tables: help for a terminal, manual pages, the reference and
// completion for shells.
#pragma once

#include <string>
#include <string_view>

#include "conclave/cli/program.hpp"

namespace conclave::cli {

// The purpose of a row with its default: "replace a silent leader after this time (default: 1s)".
std::string full_help(const options::Row& row);
// "--detect DURATION", "[FILE]", "-- COMMAND..."
std::string spelled(const options::Row& row);
std::string usage(const Verb& verb);

std::string help_text(const Verb& verb);
std::string help_text(const Program& program);
std::string page_name(const Verb& verb);                                 // "conclave-timed-status"
std::string manual_page(const Verb& verb);                               // roff
std::string reference(const Program& program);                           // Markdown
std::string completion(const Program& program, std::string_view shell);  // empty: unknown shell

}  // namespace conclave::cli
