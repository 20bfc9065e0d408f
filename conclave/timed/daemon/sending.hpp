// Says something until it is acknowledged: five copies, the waits doubling from 200 ms, as BSD
// timed does it.
//
// One counter numbers all that is said so, from a random start; all copies of one datagram have one
// number, and 0 is left out, for a slave of BSD timed takes that for a repetition after an
// election. An acknowledgement counts only with the right type, number and name.
#pragma once

#include <functional>
#include <list>
#include <string>

#include "conclave/core/id.hpp"
#include "conclave/net/address.hpp"
#include "conclave/net/loop.hpp"
#include "conclave/wire/tsp_trailer.hpp"

namespace conclave::timed {

class Sending {
public:
    using Type = wire::TspDatagram::Type;
    struct Ended {
        Id to = nobody;
        Type type = Type::any;
        bool answered = false;
    };

    struct Order {
        Id to = nobody;  // or everyone
        net::Address address{};
        wire::TspDatagram datagram{};
        wire::TspTrailer::Body body{};  // for a daemon of our own
        Type wanted = Type::ack;
        Duration delay{};          // before the first copy
        std::uint32_t copies = 5;  // at most
    };
    using Transmit = std::function<void(const Order&)>;

    Sending(net::Loop& loop, std::uint16_t first, Transmit transmit,
            std::function<void(const Ended&)> ended);

    void set_first_wait(Duration wait) { first_wait_ = wait; }
    // Numbers the datagram and sends it.
    void post(Order order);
    // True if something was waiting for this.
    bool acknowledge(Type type, Id from, std::uint16_t number);
    void forget(Type type);  // it is no longer wanted
    void forget_same(Id to, Type type);
    void forget_all();

    std::uint16_t next_number();

private:
    struct Item {
        Order order;
        Time due{};
        Duration wait{};
        std::uint32_t sent = 0;
    };
    void ring();
    void plan();

    net::Loop& loop_;
    std::uint16_t counter_;
    Transmit transmit_;
    std::function<void(const Ended&)> ended_;
    Duration first_wait_ = std::chrono::milliseconds(200);
    std::list<Item> items_;
    net::Alarm alarm_;
};

}  // namespace conclave::timed
