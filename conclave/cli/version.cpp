#include "conclave/cli/version.hpp"

namespace conclave::cli {

std::string version_text(const Program& program) {
    std::string text = std::string(program.name) + " " + CONCLAVE_VERSION;
    if constexpr (sizeof CONCLAVE_COMMIT > 1) text += " (commit " CONCLAVE_COMMIT ")";
    text += "\n";
    if (program.features != nullptr) text += program.features() + "\n";
    return text;
}

}  // namespace conclave::cli
