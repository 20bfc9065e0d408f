#include "conclave/agent/report/overview.hpp"

namespace conclave::agent {

std::string events_json(const Overview& overview) {
    return "{" + json_fields(overview.status) + R"(,"bound":)" + json(overview.bound) +
           R"(,"failovers":)" + json(overview.failovers) + R"(,"views":)" + json(overview.views) +
           R"(,"disagreements":)" + json(overview.disagreements) + R"(,"findings":)" +
           json(overview.findings) + R"(,"asked_ago_ns":)" + json(overview.asked_ago_ns) +
           R"(,"now":)" + json(overview.now) + "}";
}

std::string doctor_json(const Overview& overview) {
    const bool well = overview.findings.empty() && overview.disagreements.empty();
    return R"({"well":)" + json(well) + R"(,"findings":)" + json(overview.findings) +
           R"(,"disagreements":)" + json(overview.disagreements) + R"(,"asked_ago_ns":)" +
           json(overview.asked_ago_ns) + "}";
}

}  // namespace conclave::agent
