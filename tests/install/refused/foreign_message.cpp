// refused: no matching function|not convert|no known conversion|no viable conversion
#include "conclave/election/chang_roberts.hpp"

namespace conclave {

struct Foreign {};

void shout(ChangRoberts::Turn& turn) {
#ifdef MENDED
    turn.send(turn.next, ChangRoberts::Elected{turn.rank()});
#else
    turn.send(turn.next, Foreign{});
#endif
}

}  // namespace conclave
