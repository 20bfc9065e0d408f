#include "conclave/timed/daemon/bsd_round.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>

#include "conclave/net/clock.hpp"
#include "conclave/net/random.hpp"
#include "conclave/wire/big_endian.hpp"

namespace conclave::timed {

namespace {

constexpr std::uint8_t timestamp_request = 13, timestamp_reply = 14;
constexpr std::int32_t day_ms = 86'400'000;
constexpr std::int32_t quick_ms = 7;  // as quick as can be expected: ask no further
constexpr std::uint32_t wanted = 5, most = 10;
constexpr Duration wait_each = std::chrono::milliseconds(100);
constexpr Duration wait_all = std::chrono::seconds(3);

std::uint16_t checksum_of(std::span<const std::byte> bytes) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) sum += wire::get_number(bytes, i, 2);
    while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(~sum);
}

std::int32_t folded(std::int64_t ms) {
    ms %= day_ms;
    if (ms > day_ms / 2) ms -= day_ms;
    if (ms < -day_ms / 2) ms += day_ms;
    return static_cast<std::int32_t>(ms);
}

}  // namespace

std::array<std::byte, 20> write_icmp_request(std::uint16_t id, std::uint16_t sequence,
                                             std::uint32_t originate) {
    std::array<std::byte, 20> bytes{};
    bytes[0] = std::byte{timestamp_request};
    wire::put_number(bytes, 4, 2, id);
    wire::put_number(bytes, 6, 2, sequence);
    wire::put_number(bytes, 8, 4, originate);
    wire::put_number(bytes, 2, 2, checksum_of(bytes));
    return bytes;
}

std::optional<IcmpReply> read_icmp_reply(std::span<const std::byte> packet, std::uint16_t id) {
    if (packet.size() < 20) return std::nullopt;
    const std::size_t header = (std::to_integer<std::size_t>(packet[0]) & 15) * 4;
    if (header < 20 || packet.size() < header + 20) return std::nullopt;
    packet = packet.subspan(header).first(20);
    if (packet[0] != std::byte{timestamp_reply} || wire::get_number(packet, 4, 2) != id)
        return std::nullopt;
    return IcmpReply{static_cast<std::uint16_t>(wire::get_number(packet, 6, 2)),
                     wire::get_number(packet, 8, 4), wire::get_number(packet, 12, 4),
                     wire::get_number(packet, 16, 4)};
}

std::optional<IcmpReading> reading_of(const IcmpReply& reply, std::uint32_t returned) {
    constexpr std::uint32_t not_standard = 1u << 31;
    if ((reply.receive & not_standard) != 0 || returned < reply.originate) return std::nullopt;
    return IcmpReading{folded(std::int64_t{reply.receive} - reply.originate),
                       folded(std::int64_t{returned} - reply.transmit)};
}

BsdRound::BsdRound(net::Loop& loop, Stage& stage)
    : loop_(loop),
      stage_(stage),
      socket_(socket(AF_INET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_ICMP)),
      id_(static_cast<std::uint16_t>(net::random_number())),
      alarm_(loop, [this] { ring(); }) {
    if (socket_) loop_.watch(socket_.get(), [this] { receive(); });
}

BsdRound::~BsdRound() {
    if (socket_) loop_.forget(socket_.get());
}

std::uint32_t BsdRound::now_ms() const {
    const auto ms = std::chrono::floor<std::chrono::milliseconds>(net::unix_time() + ahead_);
    return static_cast<std::uint32_t>(((ms.count() % day_ms) + day_ms) % day_ms);
}

void BsdRound::begin(const std::map<Id, net::Address>& slaves, Duration ahead) {
    ahead_ = ahead;
    asked_.clear();
    for (const auto& [id, address] : slaves) asked_[id].address = address.with_port(0);
    deadline_ = loop_.time() + wait_all;
    ring();
}

void BsdRound::end() {
    asked_.clear();
    alarm_.stop();
}

void BsdRound::ring() {
    const Time now = loop_.time();
    const bool over = std::all_of(asked_.begin(), asked_.end(), [](const auto& entry) {
        return entry.second.done || entry.second.requests == most;
    });
    if (asked_.empty() || over || now >= deadline_ || !socket_) return finish();
    for (auto& [id, asked] : asked_) {
        if (asked.done || asked.requests == most) continue;
        ++asked.requests;
        const auto request = write_icmp_request(id_, ++sequence_, now_ms());
        const net::RawAddress to = net::to_raw(asked.address);
        [[maybe_unused]] const ssize_t sent =
            sendto(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL, to.get(), to.size);
    }
    alarm_.set(now + wait_each);
}

void BsdRound::receive() {
    std::array<std::byte, 256> buffer{};
    net::RawAddress raw;
    raw.size = sizeof raw.storage;
    const ssize_t size =
        recvfrom(socket_.get(), buffer.data(), buffer.size(), 0, raw.get(), &raw.size);
    const std::uint32_t returned = now_ms();
    if (size < 0) return;
    const auto reply =
        read_icmp_reply(std::span(buffer).first(static_cast<std::size_t>(size)), id_);
    const auto from = net::from_raw(raw.get());
    if (!reply || !from) return;
    const auto reading = reading_of(*reply, returned);
    const auto at = std::find_if(asked_.begin(), asked_.end(), [&](const auto& entry) {
        return entry.second.address.bytes == from->bytes;
    });
    if (at == asked_.end() || !reading || at->second.done) return;
    Asked& asked = at->second;
    const bool quick = reading->there + reading->back <= quick_ms;
    if (asked.answers == 0 || quick) {
        asked.there = reading->there;
        asked.back = reading->back;
    }
    asked.there = std::min(asked.there, reading->there);
    asked.back = std::min(asked.back, reading->back);
    asked.done = ++asked.answers == wanted || quick;
    if (std::all_of(asked_.begin(), asked_.end(), [](const auto& e) { return e.second.done; }))
        finish();
}

void BsdRound::finish() {
    alarm_.stop();
    std::vector<Reading> readings;
    for (const auto& [id, asked] : asked_) {
        Reading reading{.slave = id};
        if (asked.answers != 0) {
            using std::chrono::microseconds;
            reading.offset = microseconds(500 * (std::int64_t{asked.there} - asked.back));
            reading.round_trip = std::chrono::milliseconds(asked.there + asked.back);
        }
        readings.push_back(reading);
    }
    asked_.clear();
    stage_.round_over(readings);
}

}  // namespace conclave::timed
