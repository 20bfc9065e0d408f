#include "conclave/agent/work/runner.hpp"

#include "conclave/net/clock.hpp"

namespace conclave::agent {

using member::Deed;
using member::Sequel;
using member::Word;

Runner::Runner(Site& site, History& history, Handlers handlers)
    : site_(site),
      history_(history),
      handlers_(std::move(handlers)),
      unknown_(site.loop, [this] { note_former_gone(); }) {}

member::CommandFacts Runner::facts(bool wanted, bool able) const {
    const std::string_view phase = work_->phase();
    return {.alive = phase != "none",
            .stopping = phase == "stopping",
            .able = able,
            .wanted = wanted && !finished_,
            .started = started_};
}

void Runner::turn(const member::View& view, bool wanted, bool able) {
    switch (member::deed_of(view, facts(wanted, able))) {
        case Deed::none: return;
        case Deed::start: return start(view);
        case Deed::extend: work_->extend(view.ends); break;
        case Deed::stop:
            work_->extend(view.ends);
            work_->stop(site_.config.stop_timeout);
            break;
    }
    if (!view.leaving) renew_death_notice(view);
}

bool Runner::settle(bool wanted, bool able) {
    const Word word = member::word_of(site_.host->view(), facts(wanted, able));
    if (word == Word::gone) site_.host->gone();
    if (word == Word::anew) site_.host->anew();
    return word != Word::none;
}

void Runner::start(const member::View& view) {
    started_ = lease::token_of(view.ballot);
    if (view.leader == site_.me) history_.note_start(started_);
    ++starts_;
    site_.log().notice("starts its work under token " + std::to_string(started_));
    if (!work_->start({started_, view.ends, history_.reason()}).empty())
        return handlers_.after_turn();
    notice_ = {};
    renew_death_notice(view);
}

// At every change of ballot, successor or members, or of what all can open.
void Runner::renew_death_notice(const member::View& view) {
    const Notice now{view.ballot, view.successor, site_.post->version(),
                     site_.roster.stamped().stamp};
    if (now == notice_) return;
    notice_ = now;
    std::vector<net::Address> addresses;
    for (const Id id : site_.members())
        if (const Peer* peer = site_.peers.find(id)) addresses.push_back(peer->address);
    const Bytes release = site_.host->death_notice(now.successor);
    work_->death_notice(site_.post->seal_death_notice(release), addresses);
}

void Runner::hear(const WorkEvent& event) {
    if (!event.words.empty()) site_.log().info(event.words);
    site_.changed();
    const Config& config = site_.config;
    const bool again = config.restart == Restart::always ||
                       (config.restart == Restart::on_failure && event.code != 0);
    const bool stay = config.when_done == WhenDone::stay;
    switch (member::sequel_of(site_.host->view(),
                              {event.by_itself, event.code, again, stay, departing_})) {
        case Sequel::again: {
            site_.host->ended();
            const Duration pause = site_.host->view().again - net::boot_time();
            const auto ms = std::chrono::round<std::chrono::milliseconds>(pause);
            return site_.log().info("starts it again after " + format_duration(ms));
        }
        case Sequel::record:
            site_.log().notice(
                "the command is done: no member starts it again before conclave resume");
            return handlers_.done(
                {started_, false, config.name, net::unix_time() / std::chrono::milliseconds(1)});
        case Sequel::hand_over: return fail(event.code);
        case Sequel::leave:
            exit_code_ = event.code;
            finished_ = true;
            depart();
            break;
        case Sequel::release: break;
    }
    handlers_.problem();
    site_.host->gone();
}

void Runner::fail(int code) {
    failure_ = "the command ended here with code " + std::to_string(code) +
               ": mend it, then say conclave resume here";
    handlers_.problem();
    site_.host->resign(site_.host->view().successor);
    site_.host->gone();
}

// A node that is about to end does not stand again, even if nobody else can.
void Runner::depart() {
    departing_ = true;
    if (site_.host) site_.host->depart();
}

bool Runner::over() const {
    return departing_ && !site_.host->view().acting && work_->phase() == "none";
}

// ---------------------------------------------------------------- the former life

void Runner::release_former() {
    if (former_gone()) {
        former_ = nullptr;
        return site_.host->gone();
    }
    handlers_.problem();
    if (former_->fd() < 0) return unknown_.set(former_->until());
    site_.loop.watch(former_->fd(), [this] {
        site_.loop.forget(former_->fd());
        note_former_gone();
    });
}

void Runner::note_former_gone() {
    site_.log().notice(former_->fd() < 0 ? "the former lease has expired"
                                         : "the former command is gone");
    release_former();
    handlers_.problem();
}

std::string Runner::past_problem() const { return former_gone() ? failure_ : former_->remark(); }

void Runner::show(WorkStatus& status) const {
    for (const std::string& word : site_.config.command)
        status.command += (status.command.empty() ? "" : " ") + word;
    status.phase = work_->phase();
    status.containment = work_->containment();
    status.starts = starts_;
    status.late_ns = work_->lateness();
    status.margin_ns = work_->margin();
}

}  // namespace conclave::agent
