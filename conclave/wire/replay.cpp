#include "conclave/wire/replay.hpp"

#include <algorithm>

#include "conclave/wire/body.hpp"

namespace conclave::wire {

namespace {

constexpr Time long_ago = -std::chrono::hours(24);

using Verdict = Sessions::Verdict;

Verdict dropped(Drop reason, std::optional<Greeting> answer = std::nullopt) {
    return {.drop = reason, .answer = answer};
}

// The scope of a place is its machine's own affair.
std::optional<Greeting> read_greeting(const Envelope& envelope) {
    Greeting greeting;
    if (!decode_fields(greeting, body_of(envelope)) || greeting.reached.scope != 0) return {};
    return greeting;
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

Verdict Sessions::judge(const Envelope& envelope, Time now, const Arrived& arrived) {
    if (envelope.sender == id_)
        return dropped(envelope.session == session_ ? Drop::self : Drop::twin);
    Peer* peer = find(envelope.sender, envelope.session);
    if (peer != nullptr && peer->trusted) return judge_trusted(*peer, envelope, arrived, now);
    return judge_stranger(envelope, arrived, now);
}

Verdict Sessions::judge_trusted(Peer& peer, const Envelope& envelope, const Arrived& arrived,
                                Time now) {
    if (!peer.window.take(envelope.sequence)) return dropped(Drop::replayed);
    Greeting greeting;
    if (envelope.kind == Kind::greeting) {
        const auto read = read_greeting(envelope);
        if (!read) return dropped(Drop::malformed);
        greeting = *read;
    }
    peer.heard = now;
    const bool alive = is_answered(peer, greeting, now);
    auto answer = greet(peer, greeting, arrived, now);
    return {.answer = answer, .alive = alive, .place = peer.place};
}

Verdict Sessions::judge_stranger(const Envelope& envelope, const Arrived& arrived, Time now) {
    Greeting greeting;
    if (envelope.kind == Kind::greeting) {
        const auto read = read_greeting(envelope);
        if (!read) return dropped(Drop::malformed);
        greeting = *read;
    }
    if (!outlived(envelope, now)) return dropped(Drop::twin);
    Peer* peer = admit(envelope, now);
    if (peer == nullptr) return dropped(Drop::crowded);
    if (!is_answered(*peer, greeting, now))
        return dropped(Drop::stranger, greet(*peer, greeting, arrived, now));
    trust(*peer, envelope, now);
    Peer* proved = find(envelope.sender, envelope.session);
    auto answer = greet(*proved, greeting, arrived, now);
    return {.answer = answer, .proved = true, .alive = true, .place = proved->place};
}

// The session is where it answered a challenge, if it says itself that it was reached there, or if
// an operator said so: a relay may be meant.
bool Sessions::is_answered(Peer& peer, const Greeting& greeting, Time now) const {
    if (greeting.echo == 0) return false;
    for (Lead& lead : peer.leads) {
        if (!lead.is_open(now, limits_.challenge_life) || greeting.echo != lead.challenge) continue;
        if (!lead.named && greeting.reached != lead.place) continue;
        lead.challenge = 0;
        peer.place = lead.place;
        peer.named = lead.named;
        return true;
    }
    return false;
}

// The one to that place, or the one that was followed least lately.
Sessions::Lead& Sessions::lead_to(Peer& peer, const Place& place, bool named) {
    const auto used = [](const Lead& lead) { return std::max(lead.greeted, lead.echoed); };
    auto at = std::find_if(peer.leads.begin(), peer.leads.end(), [&](const Lead& lead) {
        return lead.place == place && used(lead) != long_ago;
    });
    if (at == peer.leads.end()) {
        at = std::min_element(peer.leads.begin(), peer.leads.end(),
                              [&](const Lead& a, const Lead& b) { return used(a) < used(b); });
        *at = {.place = place, .greeted = long_ago, .echoed = long_ago};
    }
    at->place.scope = place.scope;
    at->named = named;
    return *at;
}

void Sessions::challenge(Lead& lead, Time now) {
    if (lead.is_open(now, limits_.challenge_life)) return;
    lead.challenge = std::max<std::uint64_t>(random_(), 1);
    lead.challenged = now;
}

// A challenge is answered; a session that is not trusted, or not known to be there, is challenged;
// else there is nothing to say.
std::optional<Greeting> Sessions::greet(Peer& peer, const Greeting& heard, const Arrived& arrived,
                                        Time now) {
    const bool asked = heard.challenge != 0;
    const bool settled = peer.trusted && peer.place == arrived.from;
    if (settled && !asked) return std::nullopt;
    Lead& lead = lead_to(peer, arrived.from, arrived.named);
    const Duration patience = peer.trusted ? limits_.move_patience : limits_.patience;
    if (asked ? now - lead.echoed < limits_.patience / 2 : now - lead.greeted < patience)
        return std::nullopt;
    if (!may_answer(now)) return std::nullopt;
    lead.greeted = now;
    if (asked) lead.echoed = now;
    if (!settled) challenge(lead, now);
    return Greeting{.challenge = settled ? 0 : lead.challenge,
                    .echo = heard.challenge,
                    .reached = asked ? arrived.at.on_wire() : Place{}};
}

std::optional<Sessions::Probe> Sessions::probe(std::uint64_t id, Time now) {
    for (Peer& peer : peers_) {
        if (peer.id != id || !peer.trusted) continue;
        Lead& lead = lead_to(peer, peer.place, peer.named);
        if (now - lead.greeted < limits_.patience || !may_answer(now)) return std::nullopt;
        lead.greeted = now;
        challenge(lead, now);
        return Probe{{.challenge = lead.challenge}, peer.place};
    }
    return std::nullopt;
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
                      .heard = now});
    for (Lead& lead : peers_.back().leads) lead.greeted = lead.echoed = long_ago;
    return &peers_.back();
}

}  // namespace conclave::wire
