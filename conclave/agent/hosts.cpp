#include "conclave/agent/hosts.hpp"

#include "conclave/election/tuning.hpp"

namespace conclave::agent {

std::unique_ptr<Host> make_host(const HostSettings& settings, const Place& place, net::Loop& loop,
                                Stage& stage) {
    std::unique_ptr<Host> host;
    DeployedAlgorithms::for_each([&]<class A>() {
        if (A::card.name == settings.algorithm) host = host_of<A>(settings, place, loop, stage);
    });
    return host;
}

std::vector<std::string_view> hosted_algorithms() {
    std::vector<std::string_view> names;
    DeployedAlgorithms::for_each([&]<class A>() { names.push_back(A::card.name); });
    return names;
}

}  // namespace conclave::agent
