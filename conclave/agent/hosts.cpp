#include "conclave/agent/hosts.hpp"

namespace conclave::agent {

std::unique_ptr<Host> make_host(const HostSettings& settings, const Place& place, net::Loop& loop,
                                Stage& stage) {
    for (const Hosted& hosted : all_hosted())
        if (hosted.algorithm == settings.algorithm)
            return hosted.make(settings, place, loop, stage);
    return nullptr;
}

std::vector<std::string_view> hosted_algorithms() {
    std::vector<std::string_view> names;
    for (const Hosted& hosted : all_hosted()) names.push_back(hosted.algorithm);
    return names;
}

}  // namespace conclave::agent
