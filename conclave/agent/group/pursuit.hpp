// A change of a running group that a program asks its own node for, until it is done.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace conclave::agent {

// As Node::change() reads it; "" where a word is empty or has a space in it.
std::string change_line(const std::vector<std::string>& words);

// Asks until the change is done (""), or cannot be, or `goes_on` ends the waiting: a sentence.
std::string pursue(const std::function<std::string(bool first)>& ask,
                   const std::function<bool()>& goes_on);

}  // namespace conclave::agent
