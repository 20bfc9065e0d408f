#include "conclave/agent/group/post.hpp"

#include <algorithm>

#include "conclave/net/clock.hpp"
#include "conclave/net/failure.hpp"
#include "conclave/wire/body.hpp"

namespace conclave::agent {

namespace {

// The kernel tells when interfaces change; a look at them without being told is for whatever that
// misses. On a machine where they change all the time, as beside containers that come and go, not
// every change is worth a look of its own.
constexpr Duration look_every = std::chrono::seconds(5);
constexpr Duration look_at_most_every = std::chrono::milliseconds(10);

// Bound to the group itself, it hears nothing else that comes to the port.
net::Address shared_address(const PostSettings& settings) {
    const net::Address& meeting = settings.meeting;
    return meeting.family == net::Family::ipv4 && !settings.broadcast
               ? meeting
               : net::any_address(meeting.family, meeting.port);
}

wire::Place place_of(const net::Address& address) {
    const std::uint8_t family = address.family == net::Family::ipv4 ? 4 : 6;
    return {family, address.bytes, address.port, address.scope};
}
net::Address address_of(const wire::Place& place) {
    const net::Family family = place.family == 4 ? net::Family::ipv4 : net::Family::ipv6;
    return {family, place.bytes, place.port, place.scope};
}

net::Socket open_own(const net::Address& local, std::uint16_t usual_port) {
    const bool usual = local.port == 0 && usual_port != 0;
    try {
        return net::Socket(usual ? local.with_port(usual_port) : local, net::Socket::Use::alone);
    } catch (const net::Failure& failure) {
        if (usual) return open_own(local, 0);  // another node of this machine has that port
        throw net::Failure(
            failure.what() +
            std::string(": give this node an address of this "
                        "machine in --members, and a port that is free, there or by --port"));
    }
}

}  // namespace

std::string no_path_remark(bool broadcast) {
    return "no network interface can " + std::string(broadcast ? "broadcast" : "multicast") +
           ": name the members with addresses";
}

std::vector<net::Interface> meeting_paths(const PostSettings& settings,
                                          std::vector<net::Interface> all) {
    if (!settings.interface.empty())
        std::erase_if(all, [&](const auto& each) { return each.name != settings.interface; });
    return settings.broadcast
               ? net::broadcast_paths(all, settings.loopback_only)
               : net::multicast_paths(all, settings.meeting.family, settings.loopback_only);
}

Post::Post(net::Loop& loop, PostSettings settings, Handlers handlers)
    : loop_(loop),
      settings_(std::move(settings)),
      handlers_(std::move(handlers)),
      group_(wire::digest_of(settings_.group)),
      session_(wire::random_number()),
      sessions_(settings_.identity, session_, &wire::random_number),
      own_(open_own(settings_.local, settings_.usual_port)),
      look_again_(loop, [this] { find_paths(); }) {
    own_.stamp_arrivals();
    loop_.watch(own_.fd(), [this] { read(own_); });
    if (settings_.by_address) return;
    shared_ = std::make_unique<net::Socket>(shared_address(settings_), net::Socket::Use::shared);
    shared_->stamp_arrivals();
    loop_.watch(shared_->fd(), [this] { read(*shared_); });
    interfaces_ = std::make_unique<net::InterfaceWatch>(
        loop_, [this] { look_again_.set_earlier(looked_ + look_at_most_every); });
    find_paths();
}

Post::~Post() {
    loop_.forget(own_.fd());
    if (shared_) loop_.forget(shared_->fd());
}

void Post::find_paths() {
    looked_ = net::boot_time();
    paths_ = meeting_paths(settings_, net::list_interfaces());
    if (!settings_.broadcast)
        for (const net::Interface& each : paths_) shared_->join(settings_.meeting, each.index);
    look_again_.set(looked_ + look_every);
}

std::vector<std::string> Post::paths() const {
    std::vector<std::string> names;
    for (const net::Interface& each : paths_) names.push_back(each.name);
    return names;
}

Bytes Post::seal(wire::Kind kind, std::uint64_t receiver, std::uint64_t sequence,
                 Input body) const {
    return wire::seal({.version = version(),
                       .newest = settings_.versions.newest,
                       .kind = kind,
                       .group = group_,
                       .sender = settings_.identity,
                       .receiver = receiver,
                       .session = session_,
                       .incarnation = settings_.incarnation,
                       .sequence = sequence,
                       .body = {body.begin(), body.end()}},
                      settings_.keys);
}

void Post::transmit(const net::Address& to, Input datagram, const net::Path& path) {
    if (own_.send(to, datagram, path))
        ++counts_.sent;
    else
        ++counts_.unsent;
}

void Post::send(const Receiver& to, wire::Kind kind, Input body) {
    transmit(to.address, seal(kind, to.identity, ++sequence_, body));
}

void Post::send_all(wire::Kind kind, Input body) {
    const Bytes datagram = seal(kind, wire::Envelope::everyone, ++sequence_, body);
    for (const net::Address& to : settings_.each) transmit(to, datagram);
    for (const net::Interface& path : paths_) {
        net::Address to = settings_.broadcast ? path.broadcast->with_port(settings_.meeting.port)
                                              : settings_.meeting;
        if (to.family == net::Family::ipv6) to.scope = path.index;
        transmit(to, datagram, {path.index, path.address(to.family).value_or(net::Address{})});
    }
}

Bytes Post::seal_death_notice(Input body) const {
    return seal(wire::Kind::death_notice, wire::Envelope::everyone, wire::Envelope::last, body);
}

void Post::probe(std::uint64_t identity) {
    const auto probe = sessions_.probe(identity, net::boot_time());
    if (!probe) return;
    Bytes body;
    wire::encode_fields(probe->greeting, version(), body);
    send({identity, address_of(probe->place)}, wire::Kind::greeting, body);
}

// A few at a time, so that a flood does not keep the timers from ringing.
void Post::read(net::Socket& socket) {
    const bool to_all = &socket == shared_.get() || settings_.by_address;
    for (int i = 0; i < 16; ++i) {
        const auto arrival = socket.receive();
        if (!arrival) return;
        receive(*arrival, to_all);
    }
}

wire::Arrived Post::describe(const net::Arrival& arrival) const {
    const auto& each = settings_.each;
    return {.from = place_of(arrival.from),
            .at = place_of(arrival.to.with_port(own_.local().port)),
            .named = std::find(each.begin(), each.end(), arrival.from) != each.end()};
}

// A death notice is for everyone, and its guardian says it to each.
bool Post::is_for_us(const wire::Envelope& envelope, bool to_all) const {
    if (envelope.receiver != wire::Envelope::everyone)
        return envelope.receiver == settings_.identity;
    return to_all || envelope.kind == wire::Kind::death_notice;
}

// One that is new here answers within milliseconds, if it hears the challenge.
void Post::note_stranger(const wire::Envelope& envelope, const net::Address& from) {
    constexpr std::size_t most = 16;
    const Time now = net::boot_time();
    for (Stranger& each : strangers_)
        if (each.session == envelope.session) {
            each.last = now;
            return;
        }
    if (strangers_.size() == most) strangers_.erase(strangers_.begin());
    strangers_.push_back({envelope.session, from, now, now});
}

std::vector<net::Address> Post::mute() const {
    constexpr Duration patience = std::chrono::seconds(1), lately = std::chrono::seconds(5);
    const Time now = net::boot_time();
    std::vector<net::Address> found;
    for (const Stranger& each : strangers_)
        if (each.last - each.first > patience && now - each.last < lately)
            found.push_back(each.from);
    return found;
}

void Post::receive(const net::Arrival& arrival, bool to_all) {
    ++counts_.received;
    if (settings_.loopback_only && !arrival.from.is_loopback()) return count(wire::Drop::foreign);
    const auto opened = wire::open(arrival.bytes, group_, settings_.keys, settings_.versions);
    if (const auto* drop = std::get_if<wire::Drop>(&opened)) {
        count(*drop);
        if (handlers_.refused) handlers_.refused(*drop, arrival.from);
        return;
    }
    const auto& envelope = std::get<wire::Envelope>(opened);
    if (!is_for_us(envelope, to_all)) return count(wire::Drop::misdirected);
    const auto verdict = sessions_.judge(envelope, net::boot_time(), describe(arrival));
    if (verdict.answer) {
        Bytes body;
        wire::encode_fields(*verdict.answer, version(), body);
        send({envelope.sender, arrival.from}, wire::Kind::greeting, body);
    }
    if (verdict.drop == wire::Drop::stranger) note_stranger(envelope, arrival.from);
    if (verdict.proved)
        std::erase_if(strangers_, [&](const Stranger& s) { return s.session == envelope.session; });
    if (verdict.drop) return count(*verdict.drop);
    const net::Address from = address_of(verdict.place);
    if (verdict.alive && handlers_.proved)
        handlers_.proved({envelope.sender, from}, verdict.proved);
    if (envelope.kind == wire::Kind::greeting) return;
    const Duration waited = arrival.stamp ? net::unix_time() - *arrival.stamp : Duration{};
    handlers_.deliver({envelope, from, waited});
}

}  // namespace conclave::agent
