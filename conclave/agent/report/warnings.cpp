#include "conclave/agent/report/warnings.hpp"

#include <algorithm>

#include "conclave/net/clock.hpp"

namespace conclave::agent {

void Warnings::once(std::uint64_t about, const std::string& sentence) {
    constexpr std::size_t most = 64;
    const Time now = net::boot_time();
    const auto same = [&](const Warning& each) {
        return each.about == about && each.sentence == sentence;
    };
    const auto known = std::find_if(said_.begin(), said_.end(), same);
    if (known != said_.end()) {
        known->last = now;
        return;
    }
    if (said_.size() >= most) said_.erase(said_.begin());
    said_.push_back({about, sentence, now});
    log.warn(sentence);
}

std::vector<std::string> Warnings::about_peers(Time since) const {
    std::vector<std::string> found;
    for (const Warning& each : said_)
        if (each.about > group && each.last >= since) found.push_back(each.sentence);
    return found;
}

}  // namespace conclave::agent
