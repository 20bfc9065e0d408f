// The terms that this node saw and how each ended, for `why`, hooks and the log.
#pragma once

#include <string>

#include "conclave/agent/report/failovers.hpp"
#include "conclave/agent/report/node_status.hpp"
#include "conclave/agent/site.hpp"
#include "conclave/member/terms.hpp"

namespace conclave::agent {

class History {
public:
    explicit History(Site& site) : site_(site) { terms_.since = site.born; }

    void note(const member::Change& change);
    void note(const member::Sighting& sighting);
    void look();  // at every heartbeat
    void note_start(std::uint64_t token) { terms_.note_start(token); }
    // The leader's token. True: it was not known before.
    bool note_token(std::uint64_t token) { return terms_.note_token(token); }

    // How the present term came about.
    std::string reason() const { return reason(terms_.turn); }
    std::uint64_t token() const { return terms_.token(); }
    void show(LeaseStatus& status, Time now) const;
    const Failovers& failovers() const { return failovers_; }

private:
    std::string end_of_term(const member::Change& change) const;
    std::string reason(const member::Change& before) const;

    Site& site_;
    member::Terms terms_;
    Failovers failovers_{};
};

}  // namespace conclave::agent
