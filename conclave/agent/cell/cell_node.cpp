#include "conclave/agent/cell/cell_node.hpp"

#include <algorithm>
#include <utility>

#include "conclave/agent/disk/former_tree.hpp"
#include "conclave/lease/candidacy.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/wire/group_key.hpp"

namespace conclave::agent {

namespace {

using lease::Tenant;

constexpr Id this_node{2};  // the cell is 1; a life tells one node from the other
constexpr Duration look_again = std::chrono::milliseconds(200);
constexpr Duration restart_pause = std::chrono::seconds(1);
constexpr std::uint64_t lives = std::uint64_t{1} << 24;

lease::TenantSettings settings_of(const Config& config) {
    lease::TenantSettings settings;
    settings.promise = config.detect;
    settings.lease = lease::lease_time(config.detect, Config::clock_error_ppm, {});
    settings.heartbeat = config.heartbeat;
    settings.enough = config.grace.span + config.on_stopped.limit + config.margin();
    settings.lives = lives;
    return settings;
}

}  // namespace

std::uint64_t CellNode::RealChance::choose(std::uint64_t n) { return wire::random_number() % n; }

CellNode::CellNode(net::Loop& loop, const Config& config, const ViaGiven& via,
                   const FormerTree& former, const MakeWork& make_work, Ended ended)
    : config_(config),
      log_(config.group + "/" + config.name),
      former_(former),
      settings_(settings_of(config)),
      incarnation_(static_cast<std::uint32_t>(wire::random_number())),
      work_(make_work([this](const WorkEvent& event) { hear_work(event); })),
      beat_(loop, [this] { tell(Tenant::Beat{}); }),
      look_(loop, [this] { look(); }),
      again_(loop, [this] { tell(Tenant::Gone{}); }),
      link_(loop, config, via,
            {[this](const lease::Contents& now, const std::string& holder) { hear(now, holder); },
             [this] {
                 if (std::exchange(problem_, link_.problem()) != link_.problem())
                     problem_.empty() ? log_.notice("the engine answers") : log_.warn(problem_);
                 term_.noticed = false;
                 if (work_) heed();
                 on_change();
             }}),
      ended_(std::move(ended)),
      born_(net::boot_time()) {}

void CellNode::start() {
    tell(Start{});
    look();
}

// The clock is read before anything is sent, and after anything is received.
template <class Event>
void CellNode::tell(const Event& event) {
    effects_.clear();
    const Group group{};
    Tenant::Turn turn{effects_,  settings_,      group,     chance_,          rows_,
                      this_node, lease::cell_id, this_node, net::boot_time(), incarnation_};
    tenant_.on(event, turn);
    perform();
}

void CellNode::perform() {
    const Time now = net::boot_time();
    const bool begins = effects_.leader == this_node, ends = effects_.leader == nobody;
    for (const TimerChange& change : effects_.timers)
        change.set ? beat_.set(now + change.after) : beat_.stop();
    for (const auto& send : effects_.sends)
        if (const auto* write = std::get_if<lease::Write>(&send.message))
            link_.write(*write);
        else
            link_.read();
    if (begins) start_work();
    heed();
    if (begins || ends) on_change();
    end_if_free();
}

void CellNode::hear(const lease::Contents& now, const std::string& holder) {
    if (now.version >= tenant_.seen.version && holder_ != holder) {
        holder_ = holder;
        on_change();
    }
    tell(lease::Told{now});
}

void CellNode::start_work() {
    ++term_.starts;
    term_.done = term_.stopping = term_.noticed = false;
    log_.notice("leads, and starts its work under token " + std::to_string(tenant_.token));
    const std::string refused =
        work_->start({tenant_.token, tenant_.ends, "it holds the cell of the engine"});
    if (refused.empty()) return;
    log_.warn(refused);
    wishes_.failure = refused;
    again_.set(Time{0});
}

// The guardian ends the work at the deadline that it has, whatever happens here.
void CellNode::heed() {
    if (!tenant_.acting || work_->phase() == "none") return;
    work_->extend(tenant_.ends);
    renew_notice();
    const bool taken = tenant_.seen.version != 0 && !tenant_.held_by_me(tenant_.seen.claim);
    if (taken && !std::exchange(term_.stopping, true)) {
        log_.error(
            "another node has taken the cell while this one leads: was it restored from a "
            "copy, or written to by hand?");
        return work_->stop(Duration{0});
    }
    if (tenant_.standing || std::exchange(term_.stopping, true)) return;
    work_->stop(config_.stop_timeout);
}

void CellNode::renew_notice() {
    if (term_.noticed || !link_.notice_place()) return;
    term_.noticed = true;
    work_->death_notice(link_.notice(tenant_.life), {*link_.notice_place()});
}

// ---------------------------------------------------------------- what speaks against leading

std::string CellNode::obstacle() const {
    if (!former_.gone()) return former_.remark();
    if (!wishes_.failure.empty()) return wishes_.failure;
    if (!wishes_.healthy) return wishes_.health_words;
    if (wishes_.paused && !tenant_.acting) return "an operator has paused this node";
    if (wishes_.departing || wishes_.resigning) return "it hands over";
    return work_->obstacle();
}

void CellNode::look() {
    const bool may = obstacle().empty();
    if (may != tenant_.standing) may ? tell(Tenant::Stand{}) : tell(Tenant::Withdraw{});
    look_.set(net::boot_time() + look_again);
    end_if_free();
}

std::string CellNode::resign() {
    if (!tenant_.acting) return "this node does not lead: ask the one that does";
    wishes_.resigning = true;
    look();
    return {};
}
void CellNode::set_paused(bool paused) {
    wishes_.paused = paused;
    look();
    on_change();
}
void CellNode::resume() {
    wishes_.failure.clear();
    if (std::exchange(term_.done, false)) tell(Tenant::Gone{});
    set_paused(false);
}
void CellNode::set_healthy(bool healthy, const std::string& words) {
    wishes_.healthy = healthy;
    wishes_.health_words = words;
    log_.notice(words);
    look();
    on_change();
}

// ---------------------------------------------------------------- the command, and the end

void CellNode::hear_work(const WorkEvent& event) {
    if (!event.words.empty()) log_.info(event.words);
    const bool again = config_.restart == Restart::always ||
                       (config_.restart == Restart::on_failure && event.code != 0);
    if (event.by_itself && tenant_.standing && !wishes_.departing) {
        if (again) return again_.set(net::boot_time() + restart_pause);
        if (config_.when_done == WhenDone::leave) {
            term_.code = event.code;
            leave();
        } else if (event.code == 0) {
            term_.done = true;
            log_.notice(
                "the command is done: it is not started again before conclave resume here, "
                "or the end of this node");
            return on_change();
        } else {
            wishes_.failure = "the command ended here with code " + std::to_string(event.code) +
                              ": mend it, then say conclave resume here";
        }
    }
    if (!tenant_.standing || !obstacle().empty()) tell(Tenant::Withdraw{});
    tell(Tenant::Gone{});
    on_change();
}

// A node that gives the cell back rests, so that others come first.
void CellNode::end_if_free() {
    const bool free = !tenant_.acting && !tenant_.held_by_me(tenant_.seen.claim);
    if (wishes_.resigning && free && wishes_.give_up == never)
        wishes_.give_up = net::boot_time() + 2 * config_.heartbeat;
    if (wishes_.resigning && free && net::boot_time() >= wishes_.give_up) {
        wishes_.resigning = false;
        wishes_.give_up = never;
    }
    if (!wishes_.departing || tenant_.acting || work_->phase() != "none") return;
    if (wishes_.give_up == never) wishes_.give_up = net::boot_time() + config_.detect;
    if (!free && net::boot_time() < wishes_.give_up) return;
    link_.leave();
    ended_(term_.code, {});
}

void CellNode::leave() {
    wishes_.departing = true;
    wishes_.give_up = never;
    if (term_.done) {
        term_.done = false;
        tell(Tenant::Withdraw{});
        tell(Tenant::Gone{});
    }
    look();
}

// ---------------------------------------------------------------- for people

bool CellNode::knows_holder() const {
    const Time now = net::boot_time();
    return tenant_.acting || (tenant_.seen.version != 0 && !holder_.empty() &&
                              now < tenant_.silent(settings_) + config_.heartbeat);
}

NodeStatus CellNode::status() const {
    const Time now = net::boot_time();
    NodeStatus status{.group = config_.group, .node = config_.name, .version = CONCLAVE_VERSION};
    status.algorithm = "cell";
    status.leader = tenant_.acting ? config_.name : knows_holder() ? holder_ : "";
    status.state = tenant_.acting              ? "leader"
                   : tenant_.seen.version == 0 ? "forming"
                   : status.leader.empty()     ? "leaderless"
                                               : "follower";
    status.detect_ns = config_.detect;
    status.heartbeat_ns = config_.heartbeat;
    status.remark = link_.problem();
    status.lease.token = tenant_.acting ? tenant_.token : 0;
    status.lease.ends_in_ns = tenant_.holds(now) ? tenant_.ends - now : Duration{};
    status.lease.phase = tenant_.acting ? "acts" : tenant_.standing ? "stands" : "abstains";
    status.lease.reason =
        tenant_.acting ? "it holds the cell of the engine" : "as the cell of the engine says";
    for (const std::string& word : config_.command)
        status.work.command += (status.work.command.empty() ? "" : " ") + word;
    status.work.phase = term_.done ? "done" : work_->phase();
    status.work.containment = work_->containment();
    status.work.starts = term_.starts;
    status.work.late_ns = work_->lateness();
    status.work.margin_ns = work_->margin();
    status.fitness.healthy = wishes_.healthy;
    status.fitness.paused = wishes_.paused;
    status.fitness.words = wishes_.health_words;
    status.fitness.obstacle = obstacle();
    status.members.push_back({.name = config_.name,
                              .id = 1,
                              .self = true,
                              .alive = true,
                              .leads = tenant_.acting,
                              .healthy = wishes_.healthy,
                              .paused = wishes_.paused});
    status.uptime_ns = now - born_;
    const Duration margin = work_->margin();
    status.may_act = tenant_.acting && tenant_.ends - margin > now && work_->guarded();
    return status;
}

CellBound CellNode::bound() const {
    const Duration answer = config_.detect / 3;  // of the engine: conclave-engine waits no longer
    CellBound bound;
    bound.silent_ns = config_.detect + config_.heartbeat + answer;
    bound.died_ns = 3 * answer;
    bound.handover_ns = 2 * answer;
    bound.stop_ns = config_.stop_timeout;
    bound.assumed = {"the engine answers within a third of --detect",
                     "it loses no write that it has answered, also when its leader changes",
                     "clocks run at rates within 0.1 % of true time",
                     "a process that gets SIGKILL is gone at once"};
    return bound;
}

std::string to_text(const CellBound& bound) {
    const auto line = [](std::string_view what, Duration most) {
        return std::string(what) + ms_text(most) + "\n";
    };
    std::string text = "longest time without a running command:\n" +
                       line("  the leader is silent                 ", bound.silent_ns) +
                       line("  its agent died, its guardian lives   ", bound.died_ns) +
                       line("  it hands over                        ", bound.handover_ns) +
                       "and up to " + ms_text(bound.stop_ns) + " for the command to stop\nassumed:";
    for (const std::string& each : bound.assumed) text += "\n  " + each;
    return text;
}

std::vector<std::string> CellNode::examine() const {
    std::vector<std::string> findings = link_.findings();
    if (!link_.problem().empty()) findings.push_back(link_.problem());
    if (link_.slowest() > config_.detect / 4)
        findings.push_back("the engine took " + ms_text(link_.slowest()) +
                           " to answer, near --detect " + format_duration(config_.detect) +
                           ": give a longer --detect");
    if (const std::string why = obstacle(); !why.empty()) findings.push_back(why);
    return findings;
}

}  // namespace conclave::agent
