// A refusal of the system when something is opened: a sentence that names the thing and the reason.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>

namespace conclave::net {

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// "cannot bind port 7676: Address already in use"
[[noreturn]] inline void fail(const std::string& what, int error) {
    throw Failure("cannot " + what + ": " + std::strerror(error));
}

}  // namespace conclave::net
