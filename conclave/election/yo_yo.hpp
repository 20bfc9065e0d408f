// Yo-Yo: Santoro (2006), "Design and Analysis of Distributed Algorithms", section 3.8.3. The book
// is not at hand: this follows what lectures teach of it, with one restriction of the pruning,
// which the page explains.
//
// Neighbours tell each other their ranks, and every link points from the better to the worse end.
// In each round the sources, which no link points to, send their ranks down; everybody waits for
// all links that point to it and passes the best value on. Then votes come back up: yes to those
// that sent the best value, no to the others, and no to all where a no came back. A link that
// carries a no turns round, so that a source that lost is none any more: at least every second one.
// A link that can tell nothing new is pruned; the source that has none left has won. With s sources
// at first, 2E messages for the ranks, at most 2E for each of ceil(log2 s) + 1 rounds, and 2E-N+1
// for the news. No process may fail.
#pragma once

#include <vector>

#include "conclave/core/algorithm.hpp"

namespace conclave {

struct YoYo {
    static constexpr Card card{"yo-yo",
                               "Santoro 2006",
                               Network::graph,
                               Links::fifo,
                               "at most 2E(ceil(log2 s) + 2) for s sources, and 2E-N+1",
                               "no failures during the run"};

    // It says
    struct Hello {
        std::uint32_t run;  // elections before this one
        Rank rank;
    };
    struct Down {  // the best value from there
        std::uint32_t run;
        Rank value;
    };
    struct Up {
        std::uint32_t run;
        bool yes;
        bool prune;  // use this link no more
    };
    struct Elected {
        std::uint32_t run;
        Rank best;
    };
    using Turn = conclave::Turn<Types<Hello, Down, Up, Elected>>;

    // It remembers
    enum class Way : std::uint8_t { unknown, in, out, pruned };
    struct Link {
        Way way = Way::unknown;
        Rank value{};  // of this round: came down if the link points here
        Rank ahead{};  // of the next round: its sender is done with this one, and no more than one
        bool voted = false, yes = false, prune = false;  // came up if it points away
    };
    enum class State : std::uint8_t { idle, greeting, waiting, voting, passive };
    State state = State::idle;
    bool source = true;  // of all rounds so far
    std::uint32_t run = 0;
    std::vector<Link> links;  // by port

    // It does
    void on(Call, Turn& turn) {
        if (state == State::idle) wake(run, turn);
    }
    void wake(std::uint32_t now, Turn& turn) {
        *this = {.state = State::greeting, .run = now, .links{}};
        links.resize(turn.ports.count());
        turn.send_through_all(Hello{run, turn.rank()});
        go_on(turn);
    }
    // False: it belongs to an election that is over.
    bool take_part(std::uint32_t said, Turn& turn) {
        if (said > run || (said == run && state == State::idle)) wake(said, turn);
        return said == run;
    }
    Link& link(const Turn& turn) { return links[static_cast<std::uint32_t>(turn.port)]; }

    void on(Hello hello, Turn& turn) {
        if (!take_part(hello.run, turn)) return;
        link(turn).way = hello.rank > turn.rank() ? Way::in : Way::out;
        if (hello.rank > turn.rank()) source = false;
        go_on(turn);
    }
    void on(Down down, Turn& turn) {
        if (!take_part(down.run, turn)) return;
        link(turn).ahead = down.value;
        go_on(turn);
    }
    void on(Up up, Turn& turn) {
        if (!take_part(up.run, turn)) return;
        link(turn).voted = true;
        link(turn).yes = up.yes;
        link(turn).prune = up.prune;
        go_on(turn);
    }
    void on(Elected elected, Turn& turn) {
        if (elected.run < run) return;  // heard already
        *this = {.run = elected.run + 1, .links{}};
        turn.follow(id_of(elected.best));
        turn.send_through_all(elected, turn.port);
    }

    bool any(Way way) const {
        for (const Link& each : links)
            if (each.way == way) return true;
        return false;
    }

    // Each message may complete a round, and that the first half of the next.
    void go_on(Turn& turn) {
        if (state == State::greeting && !any(Way::unknown)) state = State::waiting;
        while (state == State::waiting && pass_down(turn) && pass_up(turn)) continue;
        if (state == State::voting && pass_up(turn)) go_on(turn);
    }

    // False: not all values are there yet.
    bool pass_down(Turn& turn) {
        for (const Link& each : links)
            if (each.way == Way::in && each.ahead == Rank{}) return false;
        if (!any(Way::in) && !any(Way::out)) return retire(turn);
        for (Link& each : links)
            if (each.way == Way::in) each.value = std::exchange(each.ahead, Rank{});
        state = State::voting;
        for (std::uint32_t at = 0; at < links.size(); ++at)
            if (links[at].way == Way::out) turn.send(Port{at}, Down{run, best(turn)});
        return true;
    }
    Rank best(const Turn& turn) const {
        Rank value{};
        for (const Link& each : links)
            if (each.way == Way::in) value = std::max(value, each.value);
        return value == Rank{} ? turn.rank() : value;
    }
    bool retire(Turn& turn) {
        state = State::passive;
        if (!source) return false;
        turn.lead();
        turn.send_through_all(Elected{run, turn.rank()});
        *this = {.run = run + 1, .links{}};
        return false;
    }

    // False: not all votes are there yet.
    bool pass_up(Turn& turn) {
        bool yes = true, leaf = true;  // leaf: nothing is left below, and only one value above
        const Rank value = best(turn);
        for (const Link& each : links) {
            if (each.way == Way::out && !each.voted) return false;
            if (each.way == Way::out) yes = yes && each.yes, leaf = leaf && each.prune;
            if (each.way == Way::in) leaf = leaf && each.value == value;
        }
        if (!yes) source = false;
        bool kept = false;  // one link for the best value suffices
        for (std::uint32_t at = 0; at < links.size(); ++at) {
            Link& each = links[at];
            if (each.way == Way::out) {
                each.way = each.prune ? Way::pruned : each.yes ? Way::out : Way::in;
            } else if (each.way == Way::in) {
                const bool agreed = yes && each.value == value, prune = agreed && (leaf || kept);
                turn.send(Port{at}, Up{run, agreed, prune});
                kept = kept || agreed;
                each.way = prune ? Way::pruned : agreed ? Way::in : Way::out;
            }
            each.voted = false;
        }
        state = State::waiting;
        return true;
    }

    std::string_view label() const {
        const bool in_round = state == State::waiting || state == State::voting;
        return in_round && source ? "source" : name_of(state);
    }
};

static_assert(Algorithm<YoYo>);

}  // namespace conclave
