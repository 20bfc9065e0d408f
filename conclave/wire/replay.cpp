#include "conclave/wire/replay.hpp"

#include <algorithm>

namespace conclave::wire {

namespace {

constexpr Time long_ago = -std::chrono::hours(24);

using Verdict = Sessions::Verdict;

Verdict dropped(Drop reason, std::optional<Greeting> answer = std::nullopt) {
    return {.drop = reason, .answer = answer};
}

}  // namespace

bool Window::take(std::uint64_t sequence) {
    if (sequence > top_) {
        const std::uint64_t by = sequence - top_;
        heard_ = (by < width ? heard_ << by : 0) | 1;
        top_ = sequence;
        return true;
    }
    const std::uint64_t age = top_ - sequence;
    if (age >= width || (heard_ >> age & 1) != 0) return false;
    heard_ |= std::uint64_t{1} << age;
    return true;
}

Verdict Sessions::judge(const Envelope& envelope, Time now) {
    if (envelope.sender == id_)
        return dropped(envelope.session == session_ ? Drop::self : Drop::twin);
    Peer* peer = find(envelope.sender, envelope.session);
    if (peer != nullptr && peer->trusted) return judge_trusted(*peer, envelope, now);
    return judge_stranger(envelope, now);
}

Verdict Sessions::judge_trusted(Peer& peer, const Envelope& envelope, Time now) {
    if (!peer.window.take(envelope.sequence)) return dropped(Drop::replayed);
    peer.heard = now;
    if (envelope.kind != Kind::greeting) return {};
    const auto greeting = decode_all<Greeting>(envelope.body);
    if (!greeting) return dropped(Drop::malformed);
    return {.answer = greet(peer, *greeting, now)};
}

Verdict Sessions::judge_stranger(const Envelope& envelope, Time now) {
    Greeting greeting;
    if (envelope.kind == Kind::greeting) {
        const auto read = decode_all<Greeting>(envelope.body);
        if (!read) return dropped(Drop::malformed);
        greeting = *read;
    }
    if (!outlived(envelope, now)) return dropped(Drop::twin);
    Peer* peer = admit(envelope, now);
    if (peer == nullptr) return dropped(Drop::crowded);
    const bool answers = peer->challenge != 0 && greeting.echo == peer->challenge &&
                         now - peer->challenged <= limits_.challenge_life;
    if (!answers) return dropped(Drop::stranger, greet(*peer, greeting, now));
    trust(*peer, envelope, now);
    Peer* proved = find(envelope.sender, envelope.session);
    return {.answer = greet(*proved, greeting, now), .proved = true};
}

// A challenge is answered, and a session that is not trusted is challenged; else there is nothing
// to say.
std::optional<Greeting> Sessions::greet(Peer& peer, const Greeting& heard, Time now) {
    const bool asked = heard.challenge != 0;
    if (peer.trusted && !asked) return std::nullopt;
    if (asked ? now - peer.echoed < limits_.patience / 2 : now - peer.greeted < limits_.patience)
        return std::nullopt;
    if (!may_answer(now)) return std::nullopt;
    peer.greeted = now;
    if (asked) peer.echoed = now;
    if (!peer.trusted && (peer.challenge == 0 || now - peer.challenged > limits_.challenge_life)) {
        peer.challenge = std::max<std::uint64_t>(random_(), 1);
        peer.challenged = now;
    }
    return Greeting{.challenge = peer.trusted ? 0 : peer.challenge, .echo = heard.challenge};
}

bool Sessions::may_answer(Time now) {
    const auto more = (now - refilled_) / limits_.answer_every;
    if (more > 0) {
        answers_ = static_cast<std::uint32_t>(
            std::min<std::int64_t>(limits_.answers, static_cast<std::int64_t>(answers_) + more));
        refilled_ = now;
    }
    if (answers_ == 0) return false;
    --answers_;
    return true;
}

// A later incarnation takes over at once: its process was started again. Any other must wait until
// the session that we trust has fallen silent: two that live with one id would vote twice.
bool Sessions::outlived(const Envelope& envelope, Time now) const {
    return std::none_of(peers_.begin(), peers_.end(), [&](const Peer& peer) {
        return peer.id == envelope.sender && peer.trusted &&
               envelope.incarnation <= peer.incarnation && now - peer.heard < limits_.silence;
    });
}

void Sessions::trust(Peer& peer, const Envelope& envelope, Time now) {
    peer.trusted = true;
    peer.incarnation = envelope.incarnation;
    peer.window = Window(envelope.sequence);
    peer.challenge = 0;
    peer.heard = now;
    std::erase_if(peers_, [&](const Peer& other) {
        return other.id == envelope.sender && other.session != envelope.session;
    });
}

std::optional<std::uint64_t> Sessions::trusted(std::uint64_t id) const {
    for (const Peer& peer : peers_)
        if (peer.id == id && peer.trusted) return peer.session;
    return std::nullopt;
}

std::uint8_t Sessions::common(Versions versions) const {
    if (peers_.empty()) return versions.oldest;
    std::uint8_t newest = versions.newest;
    for (const Peer& peer : peers_) newest = std::min(newest, peer.newest);
    return std::max(newest, versions.oldest);
}

Sessions::Peer* Sessions::find(std::uint64_t id, std::uint64_t session) {
    const auto found = std::find_if(peers_.begin(), peers_.end(), [&](const Peer& peer) {
        return peer.id == id && peer.session == session;
    });
    return found == peers_.end() ? nullptr : &*found;
}

// The place of a session that is not trusted; when all places are taken, of the stranger that was
// silent longest. Who is trusted keeps its place.
Sessions::Peer* Sessions::admit(const Envelope& envelope, Time now) {
    if (Peer* known = find(envelope.sender, envelope.session)) {
        known->heard = now;
        return known;
    }
    if (peers_.size() >= limits_.peers) {
        const auto oldest =
            std::min_element(peers_.begin(), peers_.end(), [](const Peer& a, const Peer& b) {
                return a.trusted != b.trusted ? b.trusted : a.heard < b.heard;
            });
        if (oldest->trusted) return nullptr;
        peers_.erase(oldest);
    }
    peers_.push_back({.id = envelope.sender,
                      .session = envelope.session,
                      .incarnation = envelope.incarnation,
                      .newest = envelope.newest,
                      .greeted = long_ago,
                      .echoed = long_ago,
                      .heard = now});
    return &peers_.back();
}

}  // namespace conclave::wire
