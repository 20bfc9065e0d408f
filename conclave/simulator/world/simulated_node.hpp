// One node of a run.
#pragma once

#include <cstdint>

#include "conclave/core/id.hpp"

namespace conclave::simulator {

enum class Status : std::uint8_t { unborn, up, paused, down };

template <class A>
struct SimulatedNode {
    Id id = nobody;
    std::uint16_t births = 0;        // how often it came up
    Status status = Status::unborn;  // next to small states, so that eight bytes may hold a node
    A algorithm{};

    bool lives() const { return status == Status::up || status == Status::paused; }
    void come_up() {  // remembering nothing
        status = Status::up;
        ++births;
        algorithm = A{};
    }
    void pause() {
        if (status == Status::up) status = Status::paused;
    }
    bool resume() {  // did it stand still?
        const bool paused = status == Status::paused;
        if (paused) status = Status::up;
        return paused;
    }
    // Messages for it are read now. A machine may run on while the process that reads does not.
    bool reads() const {
        if constexpr (requires { algorithm.listens(); })
            return status == Status::up && algorithm.listens();
        else
            return status == Status::up;
    }
};

}  // namespace conclave::simulator
