// Faults that an operator has to repair: logged once, and shown by status while they last.
//
// Two machines of one name are one to everybody else, which keeps changing its mind: the one that
// came later is not heard, and nobody could see why. Machines whose daemons do not understand each
// other, for their version or key, form two networks with two times, and each may call itself good.
#include "conclave/timed/daemon/daemon.hpp"

namespace conclave::timed {

namespace {

constexpr Duration told_for = std::chrono::minutes(1);
constexpr Duration answer_every = std::chrono::seconds(5);
// Names and addresses come from the network: more are not kept.
constexpr std::size_t warnings_most = 16;

constexpr const char* twin_remedy = ": give one of them another with --name";

}  // namespace

// Another machine has this daemon's name, and need not know: it is answered, seldom enough that
// nobody can be flooded by it.
void Daemon::hear_namesake(const net::Address& from) {
    warn("name " + config_.name, "another machine, " + net::host_text(from) +
                                     ", has the name of this one, " + config_.name + twin_remedy);
    if (answering_twin_.is_set()) return;
    answering_twin_.set_after(answer_every);
    transmit(from, {.type = Type::ack, .name = config_.name});
}

// A machine may change its address; if it changes it back within a minute, there are two.
void Daemon::watch_address(const std::string& name, const net::Address& from) {
    Peer* peer = company_.find(id_of(name));
    if (peer == nullptr || peer->name != name || peer->seen.bytes == from.bytes) return;
    if (peer->former.bytes == from.bytes && loop_.time() - peer->moved < told_for)
        warn("name " + name, "two machines, " + net::host_text(std::min(peer->seen, peer->former)) +
                                 " and " + net::host_text(std::max(peer->seen, peer->former)) +
                                 ", have the name " + name + twin_remedy);
    peer->former = std::exchange(peer->seen, from);
    peer->moved = loop_.time();
}

// Another key may be another network's, on purpose: that is logged, and no warning.
void Daemon::hear_foreigner(Reason reason, const net::Address& from) {
    const std::string host = net::host_text(from);
    if (reason == "version")
        warn("version " + host,
             "the time daemon of " + host +
                 " has another version, and keeps another time: upgrade one of the two");
    else if (reason == "other_key" && strangers_.size() < warnings_most &&
             strangers_.insert(host).second)
        log_.warn("the time daemon of " + host + " has another key, and keeps another time");
}

// One sentence for a cause; it is logged again when it comes back after a minute.
void Daemon::warn(const std::string& cause, const std::string& sentence) {
    const Time now = loop_.time();
    std::erase_if(warnings_, [&](const auto& each) { return now - each.second.heard >= told_for; });
    if (warnings_.size() >= warnings_most && !warnings_.contains(cause)) return;
    const auto [at, fresh] = warnings_.insert_or_assign(cause, Warning{sentence, now});
    if (fresh) log_.warn(sentence);
}

std::vector<std::string> Daemon::warnings() const {
    std::vector<std::string> all;
    for (const auto& [cause, warning] : warnings_)
        if (loop_.time() - warning.heard < told_for) all.push_back(warning.sentence);
    return all;
}

}  // namespace conclave::timed
