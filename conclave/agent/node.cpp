#include "conclave/agent/node.hpp"

#include <algorithm>

#include "conclave/agent/own_key.hpp"
#include "conclave/lease/candidacy.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/random.hpp"

namespace conclave::agent {

Node::Node(net::Loop& loop, Config config, wire::Keys keys, StateFile& file, State state,
           const MakeWork& make_work, Ended ended)
    : loop_(loop),
      config_(std::move(config)),
      log_(config_.group + "/" + config_.name),
      file_(file),
      state_(std::move(state)),
      done_{state_.done},
      ended_(std::move(ended)),
      born_(net::boot_time()),
      writer_(
          loop, file,
          [this](std::uint64_t number, const std::string& problem) { hear_disk(number, problem); }),
      formation_(Formation::begin(config_.name, config_.expect, stored_names())),
      beat_(loop, [this] { beat(); }),
      after_turn_(loop, [this] { after_turn(); }),
      unknown_(loop, [this] { note_former_gone(); }) {
    post_ = std::make_unique<Post>(
        loop, post_settings(std::move(keys)),
        Post::Handlers{
            [this](const Delivery& delivery) { deliver(delivery); },
            [this](const Receiver& from, bool first) { hear_proof(from, first); },
            [this](wire::Drop reason, const net::Address& from) { hear_refused(reason, from); }});
    terms_.since = born_;
    fitness_.healthy = config_.health.empty();  // else its check has the first word
    work_ = make_work(post_->fd(), [this](const WorkEvent& event) { hear_work(event); });
}

Node::~Node() = default;

PostSettings Node::post_settings(wire::Keys keys) const {
    PostSettings settings{.group = config_.group, .keys = std::move(keys)};
    settings.identity = state_.id;
    settings.usual_port = Config::usual_port;
    settings.incarnation = state_.incarnation;
    settings.interface = config_.interface;
    settings.meeting = config_.meeting;
    settings.broadcast = config_.broadcast;
    settings.loopback_only = uses_own_key(config_);
    const net::Family family =
        config_.by_address() ? config_.members.front().address->family : config_.meeting.family;
    settings.local = settings.loopback_only && family == net::Family::ipv4
                         ? *net::parse_address("127.0.0.1")
                         : net::any_address(family, 0);
    for (const NamedAddress& member : config_.members) {
        if (!member.address) continue;
        if (member.name == config_.name)
            settings.local = *member.address;
        else
            settings.each.push_back(*member.address);
    }
    if (config_.port != 0) settings.local.port = config_.port;
    return settings;
}

void Node::start() {
    const std::string paths = join(post_->paths());
    log_.info("listens on " + net::text(post_->local()) +
              (paths.empty() ? "" : ", meets the others on " + paths));
    // It waits for the others in vain, until an interface comes up.
    if (paths.empty() && !config_.by_address()) log_.warn(no_path_remark(config_.broadcast));
    std::vector<std::string> names;
    for (const NamedAddress& member : config_.members) names.push_back(member.name);
    const bool fixed = state_.roster.version != 0;
    if (fixed)
        begin_election();
    else if (!names.empty())
        fix_roster(Roster(names));
    else if (!config_.observer)
        try_forming();  // a group of one
    beat();
}

std::vector<std::string> Node::stored_names() const {
    std::vector<std::string> names;
    for (const StoredMember& member : state_.roster.members) names.push_back(member.name);
    return names;
}

void Node::store_roster(std::uint32_t version, const std::vector<std::string>& names) {
    state_.roster = {version, version == 0 ? 0 : Roster(names).seal(config_.detect).digest, {}};
    for (const std::string& name : names) state_.roster.members.push_back({name, 0});
    roster_store_ = writer_.write(state_);
}

void Node::hear_disk(std::uint64_t number, const std::string& problem) {
    if (ended_already_) return;
    disk_problem_ = problem;
    if (roster_store_ != 0 && number >= roster_store_) {
        roster_store_ = 0;
        return problem.empty() ? note_roster_stored() : end(exit_code::state, problem);
    }
    hear_done_stored(number, problem.empty());
    if (host_) host_->stored(number, problem.empty());
}

// A complete list is said, and a roster is acted on, only when it is on disk.
void Node::note_roster_stored() {
    if (state_.roster.version != 0) {
        log_.notice("the group is fixed: " + join(stored_names()));
        begin_election();
    } else {
        formation_.confirm();
        try_forming();
    }
    show(nullptr);
}

void Node::fix_roster(const Roster& roster) { store_roster(roster.version(), roster.names()); }

// From here on the members are fixed.
void Node::begin_election() {
    roster_ = Roster(stored_names());
    // An observer has a place behind all members: what is decided there goes nowhere.
    const std::uint32_t places = roster_.size() + (config_.observer ? 1 : 0);
    me_ = config_.observer ? Id{places} : roster_.id_of(config_.name);
    company_.seat(roster_);
    host_ = make_host(host_settings(), {me_, places, state_.incarnation}, loop_, *this);
    host_->set_condition(condition());
    if (state_.stored.empty()) {
        host_->start();
    } else if (state_.algorithm != config_.algorithm) {
        return end(exit_code::refused, file_.path() + " was written with --algorithm " +
                                           state_.algorithm + ": keep to it on every node");
    } else if (!host_->recover(state_.stored)) {
        return end(exit_code::state, file_.path() +
                                         " holds what this Conclave cannot read: move it away to "
                                         "start as a member that lost its disk");
    }
    release_former();
    const bool alone = roster_.size() == 1 || config_.no_quorum;  // nobody need be asked
    if (alone && !config_.observer) host_->vouch();
    if (roster_.size() == 2 && !config_.no_quorum)
        log_.warn("two members tolerate no failure: add a witness");
    for (const Peer& peer : company_.peers())
        if (peer.member != nobody) host_->hear_present(peer.member, present_of(peer));
}

HostSettings Node::host_settings() const {
    return {.algorithm = config_.algorithm,
            .promise = config_.detect,
            .lease = lease::lease_time(config_.detect, Config::clock_error_ppm, {}),
            .heartbeat = config_.heartbeat,
            .answer = config_.answer(),
            .repeat = config_.repeat(),
            .enough = config_.grace,
            .close = std::max(config_.grace, config_.detect / 4),  // the longest margin
            .priority = config_.priority,
            .witness = config_.witness,
            .observer = config_.observer,
            .preempt = config_.preempt,
            .quorum = config_.no_quorum ? 1u : 0u,
            .roster = roster_.seal(config_.detect, config_.no_quorum)};
}

void Node::end(int code, const std::string& why) {
    if (std::exchange(ended_already_, true)) return;
    post_->send_all(wire::Kind::agent, bytes_of(Leaving{}));
    ended_(code, why);
}

// ---------------------------------------------------------------- heartbeats

// The agent's periodic work. Until the roster is fixed it also announces this node; from then on
// the member does.
void Node::beat() {
    note_lateness();
    folder_problem_ = file_.obstacle();
    note_obstacle();
    const bool settled = host_ && host_->view().settled;
    if (!host_ || tellings_ > 0) show(everyone);
    if (!settled) tell_awaited();
    tell_done();
    lately_.note(post_->counts(), net::boot_time());
    if (config_.observer && config_.by_address()) ask_presence();  // nobody calls on it
    tellings_ = std::max(0, tellings_ - 1);
    // With nothing to say it only looks how late it rings: to wake up costs more than the look.
    const bool at_rest =
        settled && tellings_ == 0 && !config_.observer && fitness_.healthy && obstacle_.empty();
    last_due_ = net::boot_time() + (at_rest ? 8 : 1) * config_.heartbeat;
    beat_.set(last_due_);
}

std::vector<Id> Node::members() const {
    std::vector<Id> ids;
    for (std::uint32_t i = 1; i <= roster_.size(); ++i) ids.push_back(Id{i});
    return ids;
}

// ---------------------------------------------------------------- what the member asks for

std::uint64_t Node::store(Input stored, const lease::Ballot& highest, const lease::Ballot& used) {
    state_.algorithm = config_.algorithm;
    state_.stored.assign(stored.begin(), stored.end());
    state_.highest = highest;
    if (used != state_.used) state_.lease = config_.detect;
    state_.used = used;
    return writer_.write(state_);
}

void Node::send(Id to, Input message) {
    if (to == everyone) return post_->send_all(wire::Kind::algorithm, message);
    if (const Peer* peer = company_.find(to))
        post_->send(peer->receiver(), wire::Kind::algorithm, message);
}

void Node::report(std::string_view what) { warn_once(1, std::string(what)); }

// The host must not be called from within its turn: what follows from it is done right after.
void Node::turned(const member::News& news) {
    for (const member::Sighting& each : news.sightings) note_sighting(each);
    for (const member::Change& each : news.changes) note_change(each);
    const member::View view = host_->view();
    if (terms_.note_token(member::leading_token(view, me_)) && on_change) on_change();
    after_turn_.set(Time{0});
    mind_work(view);
}

void Node::after_turn() {
    note_obstacle();
    const member::View view = host_->view();
    const bool idle = view.acting && work_->phase() == "none";
    const bool rests = view.again != never;
    if (idle && !obstacle_.empty() && !rests) return host_->gone();  // nothing can start
    if (idle && view.leaving) return host_->gone();  // not started yet, or about to start again
    // A start has a token of its own.
    const bool wanted = !ended_work_ && !state_.done.rests();
    if (idle && !rests && wanted && lease::token_of(view.ballot) <= started_token_)
        return host_->anew();
    if (departing_ && !view.acting && work_->phase() == "none") return end(exit_code_, {});
}

void Node::warn_once(std::uint64_t about, const std::string& sentence) {
    const Time now = net::boot_time();
    const auto same = [&](const Warning& each) {
        return each.about == about && each.sentence == sentence;
    };
    const auto known = std::find_if(warned_.begin(), warned_.end(), same);
    if (known != warned_.end()) {
        known->last = now;
        return;
    }
    if (warned_.size() >= 64) warned_.erase(warned_.begin());
    warned_.push_back({about, sentence, now});
    log_.warn(sentence);
}

}  // namespace conclave::agent
