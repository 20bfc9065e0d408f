#include "conclave/timed/report/outlets.hpp"

#include <utility>

#include "conclave/net/clock.hpp"
#include "conclave/timed/report/clock_check.hpp"

namespace conclave::timed {

namespace {

constexpr Duration tell_every = std::chrono::seconds(1);

}  // namespace

Outlets::Outlets(net::Loop& loop, const DaemonConfig& config, const Daemon& daemon)
    : daemon_(daemon),
      round_(config.round),
      log_("timed/" + config.name),
      loop_(loop),
      telling_(loop, [this] { tell(); }),
      notify_(loop) {
    if (!config.page.empty()) page_.emplace(config.page);
    if (!config.chrony_sock.empty()) chrony_.emplace(config.chrony_sock);
    if (!config.statistics.empty()) statistics_.emplace(config.statistics);
}

void Outlets::tell() {
    telling_.set_after(tell_every);
    const page::Content content = daemon_.page_content();
    if (page_) page_->write(content);
    if (chrony_) feed_chrony(content);
    if (statistics_ && loop_.now() >= statistics_due_) note_statistics();
    notify();
}

void Outlets::tell_change() {
    if (page_) page_->write(daemon_.page_content());
    notify();
}

// The service is ready once the clock is good; until then systemctl status shows the reason.
void Outlets::notify() {
    const Checked checked = check(daemon_.status());
    const DaemonStatus& status = checked.status;
    if (checked.good() && !std::exchange(ready_, true)) notify_.say("READY=1");
    const bool follows = !status.master.empty() && status.master != status.name;
    const std::string words = "STATUS=" + status.state + (follows ? " of " + status.master : "") +
                              (checked.good() ? "" : ": " + checked.reasons.front());
    if (words != std::exchange(notified_, words)) notify_.say(words);
}

// Only a time that others confirm: what chrony has it passes on as if it were certain.
void Outlets::feed_chrony(const page::Content& content) {
    if (content.status != TimeStatus::synchronised) return;
    const Time source = content.source == page::Source::raw ? content.at.raw : content.at.real;
    const bool taken = chrony_->send(content.at.real, source + content.offset - content.at.real);
    if (!taken && chrony_takes_)
        log_.warn("chronyd takes no samples: is it running, with a refclock SOCK of this path?");
    if (taken && !chrony_takes_) log_.notice("chronyd takes samples again");
    chrony_takes_ = taken;
}

void Outlets::note_statistics() {
    statistics_due_ = loop_.now() + std::max(round_, tell_every);
    const bool written = statistics_->note(net::unix_time(), daemon_.status());
    if (!written && statistics_fit_) log_.warn("cannot write statistics: is the disk full?");
    statistics_fit_ = written;
}

}  // namespace conclave::timed
