// What the daemon tells without being asked, once a second: the page for programs, samples for
// chrony, and statistics once a round.
#pragma once

#include <optional>

#include "conclave/net/log.hpp"
#include "conclave/net/loop.hpp"
#include "conclave/timed/chrony_feed.hpp"
#include "conclave/timed/config.hpp"
#include "conclave/timed/daemon.hpp"
#include "conclave/timed/page_file.hpp"
#include "conclave/timed/statistics.hpp"

namespace conclave::timed {

class Outlets {
public:
    // Throws a net::Failure.
    Outlets(net::Loop& loop, const Config& config, const Daemon& daemon);

    void start() { tell(); }

private:
    void tell();
    void feed_chrony(const page::Content& content);
    void note_statistics();

    const Daemon& daemon_;
    const Duration round_;
    net::Log log_;
    net::Loop& loop_;
    net::Alarm telling_;
    std::optional<PageFile> page_;
    std::optional<ChronyFeed> chrony_;
    std::optional<Statistics> statistics_;
    Time statistics_due_{};
    bool chrony_takes_ = true, statistics_fit_ = true;
};

}  // namespace conclave::timed
