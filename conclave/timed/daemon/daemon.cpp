#include "conclave/timed/daemon/daemon.hpp"

#include "conclave/net/clock.hpp"
#include "conclave/net/random.hpp"

namespace conclave::timed {

namespace {

constexpr Duration steer_every = std::chrono::seconds(1);

// Whatever BSD's timers are divided by in a test, clocks are slewed so much faster by it.
clock::ServoSettings servo_of(const DaemonConfig& config) {
    const auto faster = static_cast<std::int64_t>(config.time_scale);
    return {.limit = config.slew_limit,
            .bsd_limit = clock::clamp(faster * clock::ppm(500), clock::ppm(50'000)),
            .step = config.step};
}

// A daemon that is started anew counts further, if its machine's clock did not go back.
std::uint32_t incarnation_now() {
    return static_cast<std::uint32_t>(net::unix_time() / std::chrono::seconds(1));
}

std::uint64_t seed_of(const DaemonConfig& config) {
    return config.seed ? *config.seed : net::random_number();
}

}  // namespace

Daemon::Daemon(net::Loop& loop, const DaemonConfig& config, const wire::Keys& keys)
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

// Daemons that come over from another master are measured before they are set.
void Daemon::announce() {
    say_once(everyone, Type::masterup);
    if (!reign_) return;  // the first round of a new master comes by itself
    took_over_ = loop_.time();
    gathering_.set_after(timing_.first_round);
}

// Nobody adjusts a daemon that must not stand itself: it calls for a master.
void Daemon::plead() {
    if (brain_.state() == TempoHost::State::no_master)
        say_reliably(everyone, Type::masterreq);
    else
        say_once(everyone, Type::slaveup);
}

bool Daemon::may_lead() const {
    return config_.eligible && !abstaining_.is_set() && keeper_.may_lead(timepiece_->raw_now());
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
    if (brain_.state() != TempoHost::State::startup &&
        brain_.state() != TempoHost::State::no_master)
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
