#include "conclave/timed/daemon/gate.hpp"

#include <algorithm>

#include "conclave/core/names.hpp"
#include "conclave/net/random.hpp"
#include "conclave/timed/daemon/peer_table.hpp"
#include "conclave/timed/daemon/subnet.hpp"

namespace conclave::timed {

namespace {

using Type = wire::TspDatagram::Type;

// As many as a network can have daemons.
constexpr wire::Sessions::Limits limits{.peers = Company::most,
                                        .patience = std::chrono::milliseconds(20),
                                        .challenge_life = std::chrono::seconds(1),
                                        .silence = std::chrono::seconds(2),
                                        .answers = 256,
                                        .answer_every = std::chrono::microseconds(500)};

}  // namespace

bool is_tool(Type type) {
    return type == Type::msite || type == Type::test || type == Type::traceon ||
           type == Type::traceoff || type == Type::setdate;
}

Gate::Gate(const DaemonConfig& config, const wire::Keys& keys, std::uint64_t session)
    : config_(config),
      keys_(keys),
      subnet_bits_(subnet_bits(*config.address, *config.broadcast)),
      sessions_(wire::digest_of(config.name), session, &net::random_number, limits) {}

bool Gate::is_local(const net::Address& from) const {
    return from.is_loopback() || from.bytes == config_.address->bytes;
}

bool Gate::is_near(const net::Address& from) const {
    return share_bits(from, *config_.broadcast, subnet_bits_);
}

bool Gate::trusts(const std::string& name, const net::Address& from) const {
    if (!is_near(from)) return false;
    if (config_.insecure) return true;
    return std::any_of(config_.trusted.begin(), config_.trusted.end(), [&](const Trusted& each) {
        return each.network ? share_bits(*each.network, from, each.bits) : each.name == name;
    });
}

Gate::Verdict Gate::judge(const Arrival& arrival, Time now) {
    auto datagram = wire::read_datagram(arrival.bytes);
    if (!datagram || datagram->name.empty()) return {Reason("malformed")};
    Heard heard{.datagram = std::move(*datagram), .local = is_local(arrival.from)};
    const bool tool = is_tool(heard.datagram.type);
    const bool mine = heard.datagram.name == config_.name && !tool;
    if (mine && heard.local) return {Reason("self")};
    const auto read = wire::read_trailer(arrival.bytes, keys_);
    if (const auto* drop = std::get_if<wire::Drop>(&read)) return {name_of(*drop)};
    if (const auto* trailer = std::get_if<wire::TspTrailer>(&read)) {
        heard.trailer = *trailer;
        heard.authentic = !keys_.empty();  // or it would have been dropped
    }
    if (mine) return {Reason(keys_.empty() || heard.authentic ? "namesake" : "unsealed")};
    if (const auto* trailer = std::get_if<wire::TspTrailer>(&read)) {
        if (heard.authentic) return judge_session(std::move(heard), *trailer, now);
    }
    if (tool) {
        if (heard.local) return {std::move(heard)};
        return {Reason("tool")};
    }
    if (!trusts(heard.datagram.name, arrival.from))
        return {Reason(keys_.empty() ? "untrusted" : "unsealed"),
                {},
                false,
                heard.datagram.type == Type::quit};
    return {std::move(heard)};
}

Gate::Verdict Gate::judge_session(Heard heard, const wire::TspTrailer& trailer, Time now) {
    wire::Envelope envelope{.kind = wire::Kind::algorithm,
                            .sender = wire::digest_of(heard.datagram.name),
                            .session = trailer.session,
                            .incarnation = trailer.incarnation,
                            .sequence = trailer.sequence};
    const auto* greeting = std::get_if<wire::Greeting>(&trailer.body);
    if (greeting != nullptr) {
        envelope.kind = wire::Kind::greeting;
        encode(*greeting, envelope.body);
    }
    const wire::Sessions::Verdict verdict = sessions_.judge(envelope, now);
    if (verdict.drop)
        return {name_of(*verdict.drop), verdict.answer, false, false,
                *verdict.drop == wire::Drop::twin ? heard.datagram.name : ""};
    if (greeting != nullptr) return {Reason("greeting"), verdict.answer, verdict.proved};
    return {std::move(heard), verdict.answer};
}

}  // namespace conclave::timed
