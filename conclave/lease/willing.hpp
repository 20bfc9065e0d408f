// The simplest "election": whoever is called wants to lead, and when called again no longer does.
//
// Around it the lease stands alone. Whatever an election may ask for, in whatever order, some
// sequence of calls asks for too, so what holds of a lease around this holds around every
// algorithm.
#pragma once

#include "conclave/core/algorithm.hpp"

namespace conclave::lease {

using conclave::operator==;

struct Willing {
    static constexpr Card card{"",     "-",       Network::full,        Links::any,
                               "none", "nothing", {false, false, false}};
    struct Hint {};  // a message nobody sends: a network carries at least one kind
    using Turn = conclave::Turn<Types<Hint>>;

    bool wants = false;

    void on(Call, Turn& turn) {
        wants = !wants;
        turn.follow(wants ? turn.me : turn.next);
    }
    void on(Hint, Turn&) {}

    std::string_view label() const { return wants ? "willing" : "idle"; }
};

static_assert(Algorithm<Willing>);

}  // namespace conclave::lease
