#include "conclave/net/signals.hpp"

#include <fcntl.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "conclave/net/failure.hpp"

namespace conclave::net {

namespace {

std::atomic<int> pipe_end{-1};

void write_signal(int number) {
    const int before = errno;
    const auto byte = static_cast<unsigned char>(number);
    [[maybe_unused]] const ssize_t written = write(pipe_end.load(), &byte, 1);
    errno = before;
}

}  // namespace

Signals::Signals(Loop& loop, std::vector<int> which, std::function<void(int)> arrived)
    : loop_(loop), which_(std::move(which)), arrived_(std::move(arrived)) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) fail("open a pipe for signals", errno);
    reader_ = Descriptor(ends[0]);
    writer_ = Descriptor(ends[1]);
    pipe_end = ends[1];
    struct sigaction action{};
    action.sa_handler = &write_signal;
    action.sa_flags = SA_RESTART;
    for (const int number : which_) sigaction(number, &action, nullptr);
    loop_.watch(ends[0], [this] { read_pipe(); });
}

Signals::~Signals() {
    for (const int number : which_) signal(number, SIG_DFL);
    loop_.forget(reader_.get());
    pipe_end = -1;
}

void Signals::read_pipe() {
    unsigned char number = 0;
    while (read(reader_.get(), &number, 1) == 1) arrived_(number);
}

}  // namespace conclave::net
