// A thread that does one job after the other, in the order in which they were given.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace conclave::net {

class InOrder {
public:
    using Job = std::function<void()>;

    InOrder();
    ~InOrder();  // when all jobs are done
    InOrder(const InOrder&) = delete;
    InOrder& operator=(const InOrder&) = delete;

    void add(Job job);
    bool idle() const;
    // Is it this thread that does the jobs?
    bool is_here() const { return std::this_thread::get_id() == thread_.get_id(); }

private:
    void work();

    mutable std::mutex mutex_;  // of all below, but the thread
    std::condition_variable wake_;
    std::deque<Job> jobs_;
    bool busy_ = false, ending_ = false;
    std::thread thread_;
};

}  // namespace conclave::net
