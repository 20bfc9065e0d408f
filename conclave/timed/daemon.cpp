#include "conclave/timed/daemon.hpp"

#include "conclave/net/clock.hpp"
#include "conclave/net/random.hpp"

namespace conclave::timed {

namespace {

constexpr Duration steer_every = std::chrono::seconds(1);

// Whatever BSD's timers are divided by in a test, clocks are slewed so much faster by it.
clock::ServoSettings servo_of(const Config& config) {
    const auto faster = static_cast<std::int64_t>(config.time_scale);
    return {.limit = config.slew_limit,
            .bsd_limit = clock::clamp(faster * clock::ppm(500), clock::ppm(50'000)),
            .step = config.step};
}

// A daemon that is started anew counts further, if its machine's clock did not go back.
std::uint32_t incarnation_now() {
    return static_cast<std::uint32_t>(net::unix_time() / std::chrono::seconds(1));
}

std::uint64_t seed_of(const Config& config) {
    return config.seed ? *config.seed : net::random_number();
}

// Who wants to hear that this has arrived.
bool wants_acknowledgement(wire::TspDatagram::Type type) {
    using enum wire::TspDatagram::Type;
    return type == adjtime || type == settime || type == accept || type == refuse || type == quit ||
           type == conflict;
}

wire::TspDatagram::Type answer_to(wire::TspDatagram::Type type) {
    using enum wire::TspDatagram::Type;
    if (type == masterreq || type == resolve) return masterack;
    return type == setdatereq ? dateack : ack;
}

}  // namespace

Daemon::Daemon(net::Loop& loop, const Config& config, const wire::Keys& keys)
    : loop_(loop),
      config_(config),
      keys_(keys),
      session_(net::random_number()),
      incarnation_(incarnation_now()),
      me_(id_of(config.name)),
      log_("timed/" + config.name),
      bsd_times_(config.mode == Mode::bsd),
      timepiece_(make_timepiece(config)),
      keeper_(servo_of(config), static_cast<std::uint8_t>(incarnation_)),
      gate_(config_, keys_, session_),
      sockets_(loop, config_.address->with_port(config.port),
               config_.broadcast->with_port(config.port), *this),
      sending_(
          loop, static_cast<std::uint16_t>(seed_of(config)),
          [this](const Sending::Order& order) {
              const Peer* peer = company_.find(order.to);
              peer != nullptr && !peer->own
                  ? transmit_plain(order.address, order.datagram)
                  : void(transmit(order.address, order.datagram, order.body));
          },
          [this](const Sending::Ended& ended) { sending_ended(ended); }),
      brain_(loop, me_, seed_of(config) ^ static_cast<std::uint64_t>(me_), *this),
      bsd_round_(loop, *this),
      looking_(loop, [this] { look_around(); }),
      returning_(loop, [this] { use_own_times(); }),
      waking_(loop, [this] { brain_.start(); }),
      steering_(loop,
                [this] {
                    steer_clock();
                    steering_.set_after(steer_every);
                }),
      beginning_(loop, [this] { begin_round(); }),
      resigning_(loop, [this] { leave_office(); }),
      gathering_(loop, [this] { begin_early(); }),
      calling_(loop, [this] { call_master(); }),
      abstaining_(loop, [] {}),
      answering_twin_(loop, [] {}) {
    set_timing();
    const auto range = static_cast<std::uint64_t>(
        std::max<std::int64_t>(bsd_timing(config.time_scale).reply_delay.count(), 1));
    reply_delay_ = Duration{static_cast<std::int64_t>(net::random_number() % range)};
}

Daemon::~Daemon() = default;

void Daemon::start() {
    trusted_since_ = loop_.time();
    steering_.set_after(steer_every);
    brain_.start();
}

// ---------------------------------------------------------------- receiving

void Daemon::sent(Input frame, Time stamp) {
    const auto sequence = wire::find_sequence(frame, session_);
    if (!sequence) return;
    if (*sequence == answered_sequence_) answered_stamp_ = timepiece_->raw_at(stamp);
    if (reign_) reign_->note_sent(*sequence, stamp);
}

void Daemon::arrived(const Arrival& arrival) {
    watch_clock();
    const Time now = loop_.time();
    Gate::Verdict verdict = gate_.judge(arrival, now);
    if (verdict.answer)  // an acknowledgement of nothing, which BSD timed ignores
        transmit(arrival.from, {.type = Type::ack, .name = config_.name}, *verdict.answer);
    // It did not believe what it heard before: who looks for a master asks it again.
    const bool looks =
        brain_.state() == Brain::State::startup || brain_.state() == Brain::State::no_master;
    if (verdict.proved && looks && !brain_.rests())
        transmit(
            arrival.from,
            {.type = Type::masterreq, .sequence = sending_.next_number(), .name = config_.name});
    if (const Reason* reason = std::get_if<Reason>(&verdict.heard)) {
        if (*reason == "namesake") hear_namesake(arrival.from);
        hear_foreigner(*reason, arrival.from);
        if (!verdict.twin.empty()) watch_address(verdict.twin, arrival.from);
        if (verdict.quits) note_unwanted();
        return drop(*reason);
    }
    const Request request{arrival.from, arrival.stamp, arrival.stamped_by_kernel,
                          arrival.bytes.size(), std::get<Heard>(std::move(verdict.heard))};
    if (is_tool(request.heard.datagram.type)) return serve_tool(request);
    if (Peer* peer = recognise(request)) dispatch(*peer, request);
}

Peer* Daemon::recognise(const Request& request) {
    const Heard& heard = request.heard;
    const Time now = loop_.time();
    // Who has the key is not believed without it, though its network be trusted and its address
    // forged as well.
    if (const Peer* known = company_.find(id_of(heard.datagram.name));
        known != nullptr && known->sealed && !heard.authentic &&
        company_.heard_lately(*known, now)) {
        drop("unsealed");
        return nullptr;
    }
    const auto [peer, refusal] = company_.meet(heard.datagram.name, request.from, now);
    watch_address(heard.datagram.name, request.from);
    if (peer == nullptr) {
        drop(name_of(refusal));
        return nullptr;
    }
    peer->sealed = heard.authentic;
    note_kind(*peer, request);
    return peer;
}

void Daemon::note_kind(Peer& peer, const Request& request) {
    const auto& trailer = request.heard.trailer;
    peer.own = trailer.has_value();
    if (trailer) {
        if (peer.session != trailer->session && peer.session != 0) {
            peer.last_number.reset();
            if (reign_) reign_->forget(peer.id);
        }
        peer.session = trailer->session;
        peer.eligible = trailer->eligible;
        if (trailer->bsd_mode) hear_of_bsd(peer);
    } else {
        hear_bsd(peer);
    }
}

// A repetition is acknowledged like the first copy, but not obeyed again.
bool Daemon::repeated(Peer& peer, const Request& request) {
    const wire::TspDatagram& datagram = request.heard.datagram;
    if (!wants_acknowledgement(datagram.type)) return false;
    const bool adjusts = datagram.type == Type::adjtime || datagram.type == Type::settime;
    if (adjusts && brain_.leads()) return false;  // a rival: it shall not count us as its slave
    answer(request, Type::ack, datagram.sequence);
    if (peer.last_number == datagram.sequence) return true;
    peer.last_number = datagram.sequence;
    return false;
}

void Daemon::hear(const Peer& peer, const Request& request, const Message& message) {
    request_ = &request;
    brain_.hear(peer.id, message);
    request_ = nullptr;
}

void Daemon::dispatch(Peer& peer, const Request& request) {
    const wire::TspDatagram& datagram = request.heard.datagram;
    if (request.heard.trailer) {
        const Body& body = request.heard.trailer->body;
        if (const auto* probe = std::get_if<Probe>(&body)) return hear_probe(peer, request, *probe);
        if (const auto* reply = std::get_if<Answer>(&body)) {
            if (reign_ &&
                !reign_->hear(peer.id, *reply, timepiece_->raw_at(request.stamp), request.stamped))
                drop("late");
            return;
        }
        if (std::holds_alternative<Reigns>(body)) return hear_rival(peer, request);
    }
    if (repeated(peer, request)) return;
    switch (datagram.type) {
        case Type::adjtime:
        case Type::settime: return hear_adjustment(peer, request);
        case Type::ack:
        case Type::masterack:
            sending_.acknowledge(datagram.type, peer.id, datagram.sequence);
            if (datagram.type == Type::masterack) return hear(peer, request, Tsp::Masterack{});
            return;
        case Type::masterreq: return hear(peer, request, Tsp::Masterreq{});
        case Type::masterup: return hear(peer, request, Tsp::Masterup{});
        case Type::slaveup:
            if (brain_.leader() == peer.id) return lose_master(peer);
            return hear(peer, request, Tsp::Slaveup{}), enlist(peer);
        case Type::election: {
            peer.last_number.reset();
            return hear(peer, request, Tsp::Election{});
        }
        case Type::accept: return hear(peer, request, Tsp::Accept{});
        case Type::refuse: return hear(peer, request, Tsp::Refuse{});
        case Type::conflict: return hear(peer, request, Tsp::Conflict{});
        case Type::resolve: return hear(peer, request, Tsp::Resolve{});
        case Type::quit: return hear_quit(peer, request);
        case Type::loop: return hear_rival(peer, request);
        case Type::msitereq:
        case Type::setdatereq:
        case Type::dateack: return serve_tool(request);
        default: return drop("unused");
    }
}

// ---------------------------------------------------------------- sending

std::uint64_t Daemon::transmit(const net::Address& to, const wire::TspDatagram& datagram,
                               const Body& body, bool deputy) {
    watch_clock();
    const wire::TspTrailer trailer{.bsd_mode = hears_bsd(),
                                   .deputy = deputy,
                                   .eligible = may_lead(),
                                   .session = session_,
                                   .sequence = ++sequence_,
                                   .incarnation = incarnation_,
                                   .term = reign_ ? reign_->master().term() : keeper_.term(),
                                   .clocks = reign_ ? reign_->master().clocks() : keeper_.clocks(),
                                   .body = body};
    if (!sockets_.send(to, wire::write_own(datagram, trailer, keys_))) drop("unsent");
    return trailer.sequence;
}

void Daemon::transmit_plain(const net::Address& to, const wire::TspDatagram& datagram,
                            std::size_t most) {
    Bytes bytes = wire::write_datagram(datagram);
    bytes.resize(std::clamp(most, wire::TspDatagram::shortest, bytes.size()));
    if (!sockets_.send(to, bytes)) drop("unsent");
}

// To where the request came from, whatever its port; never longer than it was, so that nobody can
// have a small request answered with a large one to somebody else.
void Daemon::answer(const Request& request, Type type, std::uint16_t number) {
    const wire::TspDatagram datagram{.type = type, .sequence = number, .name = config_.name};
    if (request.heard.trailer)
        transmit(request.from, datagram);
    else
        transmit_plain(request.from, datagram, request.length);
}

net::Address Daemon::address_of(Id id) const {
    if (id == everyone) return config_.broadcast->with_port(config_.port);
    const Peer* peer = company_.find(id);
    return peer == nullptr ? net::Address{} : peer->address;
}

void Daemon::say_once(Id to, Type type, std::uint8_t hops) {
    const std::uint16_t number = type == Type::loop ? sending_.next_number() : std::uint16_t{0};
    const wire::TspDatagram datagram{
        .type = type, .sequence = number, .hops = hops, .name = config_.name};
    const Peer* peer = company_.find(to);
    if (peer != nullptr && !peer->own)
        transmit_plain(peer->address, datagram);
    else
        transmit(address_of(to), datagram);
}

void Daemon::say_reliably(Id to, Type type, Duration delay, Duration time) {
    sending_.forget_same(to, type);
    sending_.post({.to = to,
                   .address = address_of(to),
                   .datagram = {.type = type, .time = time, .name = config_.name},
                   .wanted = answer_to(type),
                   .delay = delay,
                   .copies = timing_.copies});
}

void Daemon::sending_ended(const Sending::Ended& ended) {
    if (ended.type == Type::setdatereq && !ended.answered && wish_)
        wish_->state = Wish::State::lost;
    Peer* peer = company_.find(ended.to);
    if (peer == nullptr || ended.type == Type::conflict) return;  // BSD never acknowledges that
    if (ended.answered) {
        peer->missed = 0;
        return;
    }
    const bool adjusts = ended.type == Type::adjtime || ended.type == Type::settime;
    if (adjusts && ++peer->missed < 3) return;
    log_.notice(peer->name + " does not answer");
    brain_.suspect(ended.to);
}

// ---------------------------------------------------------------- the election

void Daemon::send(Id to, const Message& message) {
    const Duration delay = bsd_times_ ? reply_delay_ : Duration{0};
    std::visit(
        [&]<class M>(const M&) {
            if constexpr (std::is_same_v<M, Tsp::Masterreq>)
                say_reliably(everyone, Type::masterreq);
            else if constexpr (std::is_same_v<M, Tsp::Masterack>)
                answer(*request_, Type::masterack, request_->heard.datagram.sequence);
            else if constexpr (std::is_same_v<M, Tsp::Masterup>)
                announce();
            else if constexpr (std::is_same_v<M, Tsp::Slaveup>)
                say_once(to, Type::slaveup);
            else if constexpr (std::is_same_v<M, Tsp::Election>)
                say_once(everyone, Type::election);
            else if constexpr (std::is_same_v<M, Tsp::Accept>)
                say_reliably(to, Type::accept, delay);
            else if constexpr (std::is_same_v<M, Tsp::Refuse>)
                say_reliably(to, Type::refuse, delay);
            else if constexpr (std::is_same_v<M, Tsp::Conflict>)
                say_reliably(to, Type::conflict);
            else if constexpr (std::is_same_v<M, Tsp::Resolve>)
                say_reliably(everyone, Type::resolve);
            else if constexpr (std::is_same_v<M, Tsp::Quit>)
                say_reliably(to, Type::quit);
            else
                adjust(to, std::is_same_v<M, Tsp::Deputy>);
        },
        message);
}

// Whoever comes over from another master is measured before it is set.
void Daemon::announce() {
    say_once(everyone, Type::masterup);
    if (!reign_) return;  // the first round of a new master comes by itself
    took_over_ = loop_.time();
    gathering_.set_after(timing_.first_round);
}

// Nobody adjusts a daemon that must not stand itself: it calls for a master.
void Daemon::plead() {
    if (brain_.state() == Brain::State::no_master)
        say_reliably(everyone, Type::masterreq);
    else
        say_once(everyone, Type::slaveup);
}

// Not while it abstains, nor with a clock that was caught going wrong, before it has been right for
// a minute.
bool Daemon::may_lead() const {
    return config_.eligible && !abstaining_.is_set() && keeper_.standing().sound();
}

// A BSD timed would put us on its list anew, but not adjust us.
bool Daemon::ask(Id master) {
    const Peer* peer = company_.find(master);
    if (peer == nullptr || !peer->own) return false;
    say_once(master, Type::slaveup);
    return true;
}

void Daemon::turned() {
    if (brain_.leads() && !reign_) take_over();
    if (!brain_.leads() && reign_) step_down();
    if (brain_.state() != Brain::State::startup && brain_.state() != Brain::State::no_master)
        sending_.forget(Type::masterreq);
    if (reign_) {
        std::vector<Id> own;
        for (const Id id : brain_.daemon().list)
            if (const Peer* peer = company_.find(id); peer != nullptr && peer->own)
                own.push_back(id);
        reign_->set_slaves(own);
    }
    const std::string state = brain_.rests() ? "resting" : std::string(name_of(brain_.state()));
    const std::string master =
        brain_.leader() == me_ ? config_.name : company_.name_of(brain_.leader());
    if (master != told_master_ && !master.empty())
        log_.notice(master == config_.name ? "is the master" : "follows " + master);
    if (state == told_state_ && master == told_master_ && told_set_ == keeper_.is_set()) return;
    told_state_ = state;
    told_master_ = master;
    told_set_ = keeper_.is_set();
    on_change();
}

}  // namespace conclave::timed
