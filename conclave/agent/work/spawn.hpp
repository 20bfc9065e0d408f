// Starts a program with chosen descriptors, in a session of its own, and with clean signals.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace conclave::agent {

// Our environment with these set, and without what our own service manager told only us.
std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& variables);

struct Spawned {
    pid_t pid;
};
// `descriptors` are there from 3 on, a negative one is left out; all others are closed. Or errno.
std::variant<Spawned, int> spawn_apart(const std::vector<std::string>& words,
                                       const std::vector<std::string>& environment,
                                       const std::vector<int>& descriptors);

}  // namespace conclave::agent
