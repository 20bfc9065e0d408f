#include "conclave/agent/work/readiness.hpp"

#include <utility>

namespace conclave::agent {

Readiness::Readiness(const Site& site, const StateKeeper& keeper, const Runner& runner,
                     std::function<void()> changed)
    : site_(site), keeper_(keeper), runner_(runner), changed_(std::move(changed)) {
    now_.healthy = site.config.health.check.empty();  // else its check has the first word
}

void Readiness::set_healthy(bool well, const std::string& words) {
    const bool first = now_.words.empty();  // it had to be taken for unhealthy until now
    const bool changed = std::exchange(now_.healthy, well) != well;
    now_.words = words;
    if (!changed && !first) return;
    site_.log().notice(well ? "is healthy: " + words : "is unhealthy: " + words);
    tell();
}

void Readiness::set_paused(bool paused) {
    if (std::exchange(now_.paused, paused) == paused) return;
    site_.log().notice(paused ? "is paused: keeps its role until resumed" : "is resumed");
    tell();
}

std::string Readiness::obstacle() const {
    if (const std::string past = runner_.past_problem(); !past.empty()) return past;
    if (!keeper_.failure().empty()) return keeper_.failure();
    return keeper_.folder_problem().empty() ? runner_.problem() : keeper_.folder_problem();
}

// A leader goes on all the same: to renew a lease writes nothing, and its command runs.
void Readiness::look() {
    std::string found = obstacle();
    if (found == told_) return;
    told_ = std::move(found);
    if (told_.empty())
        site_.log().notice("can lead again");
    else
        site_.log().warn("cannot lead: " + told_);
    tell();
}

// A disk that failed is known to the member by itself, one that would fail is not.
member::Condition Readiness::condition() const {
    return {.healthy = now_.healthy,
            .able = runner_.past_problem().empty() && keeper_.folder_problem().empty() &&
                    runner_.problem().empty(),
            .paused = now_.paused};
}

void Readiness::tell() {
    if (site_.host) site_.host->set_condition(condition());
    changed_();
}

FitnessStatus Readiness::status() const {
    FitnessStatus status = now_;
    status.obstacle = obstacle();
    return status;
}

std::string Readiness::finding() const {
    if (now_.healthy) return {};
    return "this node is unhealthy: " +
           (now_.words.empty() ? "no check has answered yet" : now_.words);
}

}  // namespace conclave::agent
