// The five documents whose results the rows re-derive.
#pragma once

#include <span>
#include <string_view>

namespace conclave::claims {

struct Document {
    std::string_view name;   // "Vitányi 1983"
    std::string_view title;  // with where it appeared
};

std::span<const Document> documents();

// The document that states a row's claim, by the row's id: "T3" -> Gusella & Zatti 1985.
const Document& document_of(std::string_view id);

}  // namespace conclave::claims
