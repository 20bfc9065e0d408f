// Everything that the daemon publishes unasked. Once a second and after every change: the page for
// programs, and the state of the clock for systemd. Once a second: samples for chrony. Once a
// round: statistics.
#pragma once

#include <optional>

#include "conclave/net/log.hpp"
#include "conclave/net/loop.hpp"
#include "conclave/net/notify.hpp"
#include "conclave/timed/daemon/daemon.hpp"
#include "conclave/timed/daemon_config.hpp"
#include "conclave/timed/report/chrony_feed.hpp"
#include "conclave/timed/report/page_file.hpp"
#include "conclave/timed/report/statistics_files.hpp"

namespace conclave::timed {

class Outlets {
public:
    // Throws a net::Failure.
    Outlets(net::Loop& loop, const DaemonConfig& config, const Daemon& daemon);

    void start() { tell(); }
    // Something changed, and nobody shall rely any longer on what was.
    void tell_change();
    void tell_end() const { notify_.say("STOPPING=1"); }

private:
    void tell();
    void notify();
    void feed_chrony(const page::Content& content);
    void note_statistics();

    const Daemon& daemon_;
    const Duration round_;
    net::Log log_;
    net::Loop& loop_;
    net::Alarm telling_;
    const net::Notify notify_;
    std::string notified_;
    std::optional<PageFile> page_;
    std::optional<ChronyFeed> chrony_;
    std::optional<Statistics> statistics_;
    Time statistics_due_{};
    bool ready_ = false, chrony_takes_ = true, statistics_fit_ = true;
};

}  // namespace conclave::timed
