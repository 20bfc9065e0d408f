// Changes of a running group in the words of an operator, as they come over the control socket.
#pragma once

#include <string>
#include <vector>

#include "conclave/member/wish.hpp"

namespace conclave::agent {

// "add NAME[=ADDRESS]", "remove NAME", "replace OLD NEW[=ADDRESS]", "set detect DURATION [heartbeat
// DURATION]", "set heartbeat DURATION". The problem, in a sentence; empty: there is none.
std::string read_wish(const std::string& words, member::Wish& wish);

// "force NAME,NAME PHRASE".
struct ForceWords {
    std::vector<std::string> kept{};  // in the order of the alphabet, each once
    std::string phrase{};             // empty: none yet
    std::string problem{};            // empty: there is none
};
ForceWords read_force(const std::string& words);

}  // namespace conclave::agent
