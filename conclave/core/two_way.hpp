// Rings that pass messages both ways. A message says itself in which direction it travels: its
// sender does not tell, because on a ring of two both neighbours are the same.
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave {

// To the next process in the message's direction of travel.
template <class M, class Turn>
void send_on(const M& message, Turn& turn) {
    turn.send(message.clockwise ? turn.next : turn.previous(), message);
}

}  // namespace conclave
