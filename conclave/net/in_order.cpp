#include "conclave/net/in_order.hpp"

#include <utility>

namespace conclave::net {

// A job finds thread_ as it will be: whoever adds one has constructed all of this.
InOrder::InOrder() : thread_([this] { work(); }) {}

InOrder::~InOrder() {
    {
        const std::lock_guard guard(mutex_);
        ending_ = true;
    }
    wake_.notify_one();
    thread_.join();
}

void InOrder::add(Job job) {
    {
        const std::lock_guard guard(mutex_);
        jobs_.push_back(std::move(job));
    }
    wake_.notify_one();
}

bool InOrder::idle() const {
    const std::lock_guard guard(mutex_);
    return jobs_.empty() && !busy_;
}

void InOrder::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [&] { return ending_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        const Job job = std::move(jobs_.front());
        jobs_.pop_front();
        busy_ = true;
        lock.unlock();
        job();
        lock.lock();
        busy_ = false;
    }
}

}  // namespace conclave::net
