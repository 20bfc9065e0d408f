// Messages behind stores that are not known to be on disk yet: they leave when they are.
//
// A host whose disk takes its time numbers its stores. A later store holds all that an earlier one
// did, so a number that is on disk answers for every lesser one.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "conclave/core/effects.hpp"

namespace conclave {

template <class Message>
struct Withheld {
    struct Held {
        std::uint64_t store;
        Send<Message> send;
    };
    std::vector<Held> sends{};  // in the order in which they were said
    std::uint64_t asked = 0;    // the last store

    // Takes from a turn's effects what was said behind its store.
    template <class Effects>
    void hold(Effects& effects, std::uint64_t store) {
        asked = store;
        for (std::size_t i = effects.unbound; i < effects.sends.size(); ++i)
            sends.push_back({store, std::move(effects.sends[i])});
        effects.sends.resize(effects.unbound);
    }
    // The store is on disk: what may leave now, in order.
    std::vector<Send<Message>> release(std::uint64_t store) {
        std::vector<Send<Message>> free;
        for (Held& each : sends)
            if (each.store <= store) free.push_back(std::move(each.send));
        drop(store);
        return free;
    }
    // It may not be: what was said behind it never leaves.
    void drop(std::uint64_t store) {
        std::erase_if(sends, [&](const Held& each) { return each.store <= store; });
    }
    // Later ones are of others who write the same file.
    bool is_last(std::uint64_t store) const { return store >= asked; }
};

}  // namespace conclave
