// Two machines of one name. To everybody else they are one, which keeps changing its mind: the one
// that came later is not heard, and nobody could see why. So it is logged, and told by status.
#include "conclave/timed/daemon.hpp"

namespace conclave::timed {

namespace {

constexpr Duration told_for = std::chrono::minutes(1);
constexpr Duration answer_every = std::chrono::seconds(5);
// Names come from the network: more are not kept.
constexpr std::size_t twins_most = 16;

constexpr const char* twin_remedy = ": give one of them another with --name";

std::string host_of(const net::Address& address) {
    const std::string text = net::text(address);
    return text.substr(0, text.rfind(':'));
}

}  // namespace

// Another machine has this daemon's name, and need not know: it is answered, seldom enough that
// nobody can be flooded by it.
void Daemon::hear_namesake(const net::Address& from) {
    warn_of_twin(config_.name, "another machine, " + host_of(from) +
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
        warn_of_twin(name, "two machines, " + host_of(std::min(peer->seen, peer->former)) +
                               " and " + host_of(std::max(peer->seen, peer->former)) +
                               ", have the name " + name + twin_remedy);
    peer->former = std::exchange(peer->seen, from);
    peer->moved = loop_.time();
}

void Daemon::warn_of_twin(const std::string& name, const std::string& sentence) {
    if (twins_.size() >= twins_most && !twins_.contains(name)) return;
    Twin& twin = twins_[name];
    if (twin.sentence != sentence) log_.warn(sentence);
    twin = {sentence, loop_.time()};
}

std::vector<std::string> Daemon::twin_warnings() const {
    std::vector<std::string> all;
    for (const auto& [name, twin] : twins_)
        if (loop_.time() - twin.heard < told_for) all.push_back(twin.sentence);
    return all;
}

}  // namespace conclave::timed
