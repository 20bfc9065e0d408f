#include "conclave/agent/node.hpp"

#include <utility>

#include "conclave/agent/settings/own_key.hpp"
#include "conclave/core/glyph.hpp"
#include "conclave/net/clock.hpp"

namespace conclave::agent {

namespace {

// A removed node stays this long, to answer the operator who asked it for the removal.
constexpr Duration last_answers = std::chrono::milliseconds(500);

PostSettings post_settings(const Config& config, const State& state, wire::Keys keys) {
    PostSettings settings{.group = config.group, .keys = std::move(keys)};
    settings.identity = state.id;
    settings.usual_port = usual_port;
    settings.incarnation = state.incarnation;
    settings.interface = config.interface;
    settings.meeting = config.meeting;
    settings.broadcast = config.broadcast;
    settings.loopback_only = uses_own_key(config);
    const net::Family family = config.family();
    settings.by_address = config.by_address();
    settings.local = settings.loopback_only && family == net::Family::ipv4
                         ? *net::parse_address("127.0.0.1")
                         : net::any_address(family, 0);
    for (const NamedAddress& member : config.members) {
        if (member.name == config.name && member.is_placed())
            settings.local = member.address.value_or(net::any_address(family, member.port));
        else if (member.address)
            settings.each.push_back(*member.address);
    }
    if (config.port != 0) settings.local.port = config.port;
    return settings;
}

}  // namespace

Node::Node(net::Loop& loop, Config config, wire::Keys keys, StateFile& file, State state,
           const MakeWork& make_work, Ended ended, net::Log::Sink log)
    : site_(loop, std::move(config), state.id, std::move(log)),
      keeper_(loop, file, std::move(state), disk_handlers()),
      history_(site_),
      runner_(site_, history_, command_handlers()),
      readiness_(site_, keeper_, runner_,
                 [this] {
                     beat_.set_earlier(net::boot_time() + site_.config.heartbeat);
                     site_.changed();
                 }),
      enrolment_(site_, keeper_, enrolment_handlers()),
      wishes_(site_),
      talk_(site_, enrolment_, wishes_, keeper_, readiness_, publications_,
            {[this](const member::Done& heard) { learn_done(heard); }, [this] { leave(); },
             [this] { leave_removed(); }, [this](const lease::Seal& seal) { reseal(seal); }}),
      whereabouts_(site_),
      lateness_(site_.config.detect),
      view_{site_, keeper_, enrolment_, readiness_, runner_, history_, lateness_, publications_},
      doctor_(view_),
      ended_(std::move(ended)),
      beat_(loop, [this] { beat(); }),
      after_turn_(loop, [this] { after_turn(); }) {
    publications_.publish(site_.config.publish);
    site_.on_change = [this] {
        if (on_change) on_change();
    };
    site_.post = std::make_unique<Post>(
        loop, post_settings(site_.config, keeper_.state(), std::move(keys)), post_handlers());
    runner_.employ(
        make_work(site_.post->fd(), [this](const WorkEvent& event) { runner_.hear(event); }));
    take_times(keeper_.state().stamped);
}

Node::~Node() = default;

StateKeeper::Handlers Node::disk_handlers() {
    return {[this](const std::string& problem) {
                if (over_) return;
                removed_ ? beat_.set_earlier(net::boot_time() + last_answers)
                         : enrolment_.note_stored(problem);
            },
            [this] { talk_.show(nullptr); },
            [this](std::uint64_t number, bool kept) {
                if (site_.host && !over_) site_.host->stored(number, kept);
            }};
}

Runner::Handlers Node::command_handlers() {
    return {[this] { readiness_.look(); }, [this](const member::Done& done) { learn_done(done); },
            [this] { after_turn_.set(Time{0}); }};
}

Enrolment::Handlers Node::enrolment_handlers() {
    return {[this] { seat_member(); }, [this] { talk_.show(nullptr); },
            [this] {
                talk_.repeat();
                beat_.set_earlier(net::boot_time() + site_.config.heartbeat);
            },
            [this](int code, const std::string& why) { end(code, why); }};
}

Post::Handlers Node::post_handlers() {
    return {
        [this](const Delivery& delivery) { talk_.deliver(delivery); },
        [this](const Receiver& from, bool first) {
            talk_.hear_proof(from, first);
            whereabouts_.look();
        },
        [this](wire::Drop reason, const net::Address& from) { talk_.hear_refused(reason, from); }};
}

// ---------------------------------------------------------------- the course of its life

void Node::start() {
    const std::string paths = join(site_.post->paths());
    site_.log().info("listens on " + net::text(site_.post->local()) +
                     (paths.empty() ? "" : ", meets the others on " + paths));
    // It waits for the others in vain, until an interface comes up.
    if (paths.empty() && !site_.config.by_address())
        site_.log().warn(no_path_remark(site_.config.broadcast));
    enrolment_.start();
    beat();
}

// The roster is known. A node that is no member has a place of its own: an observer's is nobody
// else's, and one that joins answers as whoever comes next.
void Node::seat_member() {
    const Config& config = site_.config;
    const State& state = keeper_.state();
    const bool changed = state.stamped.known();
    site_.roster = Roster(keeper_.names());
    site_.seal = changed ? state.seal
                         : resealed_.value_or(site_.roster.seal(config.detect, config.no_quorum));
    if (changed) take_times(state.stamped);
    HostSettings settings = host_settings(config, site_.seal);
    if (!config.no_quorum)
        settings.roster = changed ? state.stamped
                                  : formed_roster(site_.roster, settings.promise, settings.lease,
                                                  settings.heartbeat);
    if (settings.roster.known()) site_.roster.renew(settings.roster);  // with its times
    if (site_.roster.changed()) site_.post->require(wire::rosters_from);
    const Id listed = site_.roster.id_of(config.name);
    settings.joins = listed == nobody && !config.observer;
    site_.me = config.observer  ? observer_id
               : settings.joins ? member::next_id(site_.roster.stamped())
                                : listed;
    const std::uint32_t ids = site_.roster.stamped().last + (settings.joins ? 1 : 0);
    site_.peers.seat(site_.roster);
    site_.host = make_host(settings, {site_.me, ids, state.incarnation}, site_.loop, *this);
    begin_member();
}

// Its member begins anew, as after a restart, and is understood by the others.
void Node::reseal(const lease::Seal& seal) {
    if (runner_.work().phase() != "none" || site_.host->view().acting) return;
    resealed_ = seal;
    seat_member();
}

void Node::begin_member() {
    const Config& config = site_.config;
    const State& state = keeper_.state();
    const Roster& roster = site_.roster;
    site_.host->set_condition(readiness_.condition());
    if (state.stored.empty()) {
        site_.host->start();
    } else if (state.algorithm != config.algorithm) {
        return end(exit_code::refused, keeper_.path() + " was written with --algorithm " +
                                           state.algorithm + ": keep to it on every node");
    } else if (!site_.host->recover(state.stored, state.stamped.known())) {
        return end(exit_code::state, keeper_.path() +
                                         " holds what this Conclave cannot read: move it away to "
                                         "start as a member that lost its disk");
    }
    runner_.release_former();
    const bool first = !roster.changed() && roster.id_of(config.name) != nobody;
    const bool alone = (roster.size() == 1 && first) || config.no_quorum;  // nobody need be asked
    if (alone && !config.observer) site_.host->vouch();
    if (roster.size() == 2 && !config.no_quorum)
        site_.log().warn("two members tolerate no failure: add a witness");
    introduce_peers();
}

void Node::introduce_peers() {
    for (const Peer& peer : site_.peers.all())
        if (peer.member != nobody && !peer.said.name.empty())
            site_.host->hear_present(peer.member, talk_.present_of(peer));
}

// The lease knows a newer roster.
void Node::note_roster() {
    Roster& roster = site_.roster;
    const bool retimed = changes_times(roster.stamped());
    roster.renew(site_.host->roster());
    site_.peers.seat(roster);
    reseated_ = true;
    const lease::Roster& now = roster.stamped();
    const std::string pending = now.pending() ? " when this change is completed" : "";
    const bool times = changes_times(now) || (retimed && !now.pending());
    site_.log().notice(times
                           ? "the group has " + text_of_times(now.promise, now.heartbeat) + pending
                           : "the group is " + join(roster.names()) + pending);
    site_.changed();
}

// Acts on a new roster after the turn that brought it.
void Node::settle_roster() {
    if (!std::exchange(reseated_, false)) return;
    take_times(site_.roster.stamped());
    whereabouts_.look();
    const bool other = site_.roster.name_of(site_.me) != site_.config.name;
    if (!site_.config.observer && site_.roster.stamped().lists(site_.me) && other)
        return seat_member();  // another that joined has this number now
    introduce_peers();
}

// A leader has handed over before it is removed; whatever runs here all the same stops first.
void Node::leave_removed() {
    if (std::exchange(removed_, true)) return;
    site_.log().notice("was removed from the group");
    keeper_.store_removed();
    removed_until_ = net::boot_time() + last_answers;
}

// Until the roster is fixed a node announces itself; from then on its member does.
void Node::beat() {
    if (removed_ && !keeper_.stores_roster() && net::boot_time() >= removed_until_) return leave();
    if (const std::string late = lateness_.note(net::boot_time()); !late.empty())
        site_.log().warn(late);
    keeper_.look();
    readiness_.look();
    keeper_.retry_done();
    whereabouts_.look();
    talk_.beat();
    wishes_.look();
    doctor_.note_counts();
    history_.look();
    // With nothing to say it only looks how late it rings: to wake up costs more than the look.
    const bool settled = site_.host && site_.host->view().settled;
    const bool at_rest = settled && talk_.is_quiet() && !site_.config.observer &&
                         site_.is_member() && readiness_.healthy() && readiness_.able();
    const Time next = net::boot_time() + (at_rest ? 8 : 1) * site_.config.heartbeat;
    lateness_.expect(next);
    beat_.set(next);
}

void Node::leave() {
    if (runner_.departing()) return;
    if (site_.host && site_.host->view().ballot.stands()) return runner_.depart();
    end(runner_.exit_code(), {});
}

void Node::end(int code, const std::string& why) {
    if (std::exchange(over_, true)) return;
    site_.tell(nullptr, Leaving{});
    if (removed_) return ended_(exit_code::removed, removed_sentence(site_.config));
    ended_(code, why);
}

// ---------------------------------------------------------------- what the member asks for

std::uint64_t Node::store(const Memory& memory) {
    return keeper_.store_member(site_.config.algorithm, site_.config.detect, memory, site_.seal);
}

void Node::send(Id to, Input message) {
    if (to == everyone) return site_.post->send_all(wire::Kind::algorithm, message);
    if (const Peer* peer = site_.peers.find(to))
        site_.post->send(peer->receiver(), wire::Kind::algorithm, message);
}

void Node::report(std::string_view what) { site_.warnings.once(Warnings::own, std::string(what)); }

// The host must not be called from within its turn: what follows from it is done right after.
void Node::turned(const member::News& news) {
    for (const member::Sighting& each : news.sightings) {
        if (!each.back) site_.peers.vacate(each.who);
        history_.note(each);
    }
    for (const member::Change& each : news.changes) history_.note(each);
    if (site_.host->roster().stamp != site_.roster.stamped().stamp) note_roster();
    const member::View view = site_.host->view();
    if (history_.note_token(member::leading_token(view, site_.me))) {
        talk_.tell_published(nullptr);
        site_.changed();
    }
    after_turn_.set(Time{0});
    runner_.turn(view, wanted(), readiness_.able());
}

void Node::after_turn() {
    settle_roster();
    readiness_.look();
    if (runner_.settle(wanted(), readiness_.able())) return;
    if (runner_.over()) end(runner_.exit_code(), {});
}

void Node::learn_done(const member::Done& heard) {
    if (!keeper_.learn_done(heard)) return;
    site_.changed();
    if (site_.host) after_turn_.set(Time{0});
}

// ---------------------------------------------------------------- what an operator asks for

void Node::question_peers() {
    doctor_.note_question();
    talk_.ask();
}

std::vector<Statement> Node::statements_after(Duration patience) const {
    return statements_of(view_, doctor_.questions().answered(net::boot_time(), patience));
}

// Somebody who watches all the time is shown no fault where an answer only comes a moment late.
Overview Node::overview() const {
    constexpr Duration patience = std::chrono::milliseconds(400);
    Overview all{.status = status(), .bound = bound()};
    all.failovers = history_.failovers().list(all.bound);
    all.views = statements_after(patience);
    all.disagreements = disagreements_of(all.views, site_.config.detect);
    all.findings = doctor_.examine(patience);
    all.now = Instant{net::unix_time()};
    if (const Time asked = doctor_.questions().last(); asked != never)
        all.asked_ago_ns = net::boot_time() - asked;
    return all;
}

std::string Node::publish(const std::string& value) {
    if (const std::string problem = published_problem(value); !problem.empty())
        return "this cannot be published: " + problem;
    publications_.publish(value);
    talk_.tell_published(nullptr);
    if (site_.leads()) site_.changed();
    return {};
}

void Node::resume() {
    readiness_.set_paused(false);
    runner_.forgive();
    readiness_.look();
    if (wanted()) return;
    site_.log().notice("lets the command be started again");
    learn_done(keeper_.done().resumed());
}

std::string Node::change(const std::string& words, bool first) {
    const Wishes::Answer answer = wishes_.answer(words, first);
    return std::string(name_of(answer.verdict)) + " " + answer.sentence;
}

std::string Node::vouch() {
    if (!site_.host) return "it has just come up: ask again";
    if (!site_.host->view().amnesiac) return "this node has its memory: nobody need vouch for it";
    if (site_.age() < site_.config.detect) return "it has just come up: ask again";
    site_.log().notice("promises again, by an operator's word");
    site_.host->vouch();
    return {};
}

std::string Node::successor_problem(const std::string& name, Id id) const {
    const std::string who = "'" + name + "'";
    if (id == nobody) return who + " is no member: " + join(site_.roster.names());
    if (id == site_.me) return who + " is this node";
    const member::Sight sight = site_.host->sight(id);
    if (sight.suspected) return who + " is not alive";
    if (sight.said.witness) return who + " is a witness";
    if (!sight.said.healthy) return who + " is unhealthy";
    return sight.said.paused ? who + " is paused" : "";
}

std::string Node::resign(const std::string& successor) {
    if (!site_.leads()) return "this node does not lead";
    Id next = site_.host->view().successor;
    if (!successor.empty()) {
        next = site_.roster.id_of(successor);
        const std::string problem = successor_problem(successor, next);
        if (!problem.empty()) return problem;
    }
    if (next == nobody) return "there is nobody alive who could lead instead";
    site_.host->resign(next);
    return {};
}

}  // namespace conclave::agent
