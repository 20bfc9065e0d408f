// --stretch: times that a machine cannot keep are doubled until it can. See member/stretch.hpp.
#pragma once

#include "conclave/agent/settings/node_config.hpp"
#include "conclave/member/stretch.hpp"

namespace conclave::agent {

// With a detection time of at least `least`, as far as doubling goes.
inline Config stretch(Config config, Duration least) {
    const int times = 1 << member::doublings(config.detect, least);
    config.detect *= times;
    config.heartbeat *= times;
    config.grace.span *= times;
    config.grace.asked *= times;
    config.on_stopped.asked *= times;
    config.on_stopped.limit *= times;
    return config;
}

}  // namespace conclave::agent
