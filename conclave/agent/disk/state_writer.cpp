#include "conclave/agent/disk/state_writer.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "conclave/net/failure.hpp"
#include "conclave/net/signals.hpp"

namespace conclave::agent {

StateWriter::StateWriter(net::Loop& loop, StateFile& file, Done done)
    : loop_(loop),
      file_(file),
      done_(std::move(done)),
      finished_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!finished_) net::fail("eventfd", errno);
    loop_.watch(finished_.get(), [this] { hear(); });
    const net::SignalsBlocked here;  // they are for the loop
    thread_ = std::thread([this] { work(); });
}

StateWriter::~StateWriter() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
        next_.reset();
    }
    wake_.notify_one();
    thread_.join();
    loop_.forget(finished_.get());
}

std::uint64_t StateWriter::write(const State& state) {
    if (under_way_ && last_.state == state) return last_.number;
    last_ = {last_.number + 1, state};
    under_way_ = true;
    {
        const std::lock_guard lock(mutex_);
        next_ = last_;
    }
    wake_.notify_one();
    return last_.number;
}

void StateWriter::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [&] { return ending_ || next_.has_value(); });
        if (ending_) return;
        const Job job = *std::exchange(next_, std::nullopt);
        lock.unlock();
        const std::string problem = file_.write(job.state).value_or("");
        lock.lock();
        results_.push_back({job.number, problem});
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto told = ::write(finished_.get(), &one, sizeof one);
    }
}

void StateWriter::hear() {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto read = ::read(finished_.get(), &count, sizeof count);
    std::vector<Result> results;
    {
        const std::lock_guard lock(mutex_);
        results = std::exchange(results_, {});
    }
    for (const Result& each : results) {
        if (each.number == last_.number) under_way_ = false;
        done_(each.number, each.problem);
    }
}

}  // namespace conclave::agent
