// One datagram on its way through sendmsg or recvmsg: address, bytes, and room for what the kernel
// says about it.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstring>
#include <ctime>
#include <optional>
#include <span>

#include "conclave/core/time.hpp"
#include "conclave/net/address.hpp"

namespace conclave::net {

class Message {
public:
    // To be received, into `room`.
    explicit Message(std::span<std::byte> room) : part_{room.data(), room.size()} {
        header_.msg_namelen = sizeof raw_.storage;
        header_.msg_control = control_.data();
        header_.msg_controllen = control_.size();
    }
    // To be sent.
    Message(const Address& to, std::span<const std::byte> bytes)
        : raw_(to_raw(to)), part_{const_cast<std::byte*>(bytes.data()), bytes.size()} {
        header_.msg_namelen = raw_.size;
    }

    bool send(int fd, int flags) { return sendmsg(fd, header(), flags) >= 0; }
    // The bytes that came, unless there are none.
    std::optional<std::span<const std::byte>> receive(int fd, int flags) {
        const ssize_t size = recvmsg(fd, header(), flags);
        if (size < 0) return std::nullopt;
        return std::span(static_cast<const std::byte*>(part_.iov_base),
                         static_cast<std::size_t>(size));
    }

    int flags() const { return header_.msg_flags; }
    std::optional<Address> from() { return from_raw(raw_.get()); }

    template <class T>
    void add_control(int level, int type, const T& value) {
        header_.msg_control = control_.data();
        header_.msg_controllen = CMSG_SPACE(sizeof value);
        cmsghdr* control = CMSG_FIRSTHDR(&header_);
        control->cmsg_level = level;
        control->cmsg_type = type;
        control->cmsg_len = CMSG_LEN(sizeof value);
        std::memcpy(CMSG_DATA(control), &value, sizeof value);
    }
    template <class T>
    std::optional<T> control(int level, int type) {
        for (cmsghdr* c = CMSG_FIRSTHDR(&header_); c != nullptr; c = CMSG_NXTHDR(&header_, c)) {
            if (c->cmsg_level != level || c->cmsg_type != type) continue;
            T value{};
            std::memcpy(&value, CMSG_DATA(c), sizeof value);
            return value;
        }
        return std::nullopt;
    }
    // When the kernel had it, by CLOCK_REALTIME, if it was asked to note that.
    std::optional<Time> stamp() {
        const auto stamps = control<std::array<timespec, 3>>(SOL_SOCKET, SO_TIMESTAMPING);
        if (!stamps || stamps->front().tv_sec == 0) return std::nullopt;
        return std::chrono::seconds(stamps->front().tv_sec) +
               std::chrono::nanoseconds(stamps->front().tv_nsec);
    }

private:
    msghdr* header() {
        header_.msg_name = raw_.get();
        header_.msg_iov = &part_;
        header_.msg_iovlen = 1;
        return &header_;
    }

    RawAddress raw_{};
    iovec part_;
    alignas(cmsghdr) std::array<std::byte, 512> control_{};
    msghdr header_{};
};

}  // namespace conclave::net
