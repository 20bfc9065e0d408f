// A leader election without a network, for tests of programs that use one: the test says what
// happens, on its own thread and at once.
//
//     conclave::FakeElector election("a");
//     Scheduler scheduler(election);  // takes a conclave::LeaderElection&
//     election.lead(7);
//     EXPECT_TRUE(scheduler.runs());
//     election.follow({.leader = "b", .token = 8});
//     EXPECT_FALSE(scheduler.runs());
//
// It refuses what an Elector refuses, in the same words.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "conclave/leader_election.hpp"
#include "conclave/net/clock.hpp"

namespace conclave {

class FakeElector final : public LeaderElection {
public:
    explicit FakeElector(std::string name, Changed changed = {})
        : name_(std::move(name)),
          changed_(std::move(changed)),
          news_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
          participants_{{.name = name_, .self = true, .alive = true}} {}
    ~FakeElector() override { close(news_); }
    FakeElector(const FakeElector&) = delete;
    FakeElector& operator=(const FakeElector&) = delete;

    // ------------------------------------------------------------ for the test

    // This program leads, for `lease` unless told otherwise.
    void lead(std::uint64_t token, Duration lease = std::chrono::hours(1)) {
        tell([&](Leadership& now) {
            now = {true, net::boot_time() + lease, token, name_, {}, published_};
        });
    }
    // Another program leads: `leads` and `deadline` of `other` do not matter.
    void follow(Leadership other) {
        other.leads = false;
        other.deadline = {};
        tell([&](Leadership& now) { now = std::move(other); });
    }
    // Nobody leads.
    void lose() {
        tell([](Leadership& now) { now = {}; });
    }
    // The deadline passes before anything is told, as in a process that was stopped.
    void expire() {
        const std::lock_guard guard(mutex_);
        now_.deadline = net::boot_time();
    }
    // The elector ends by itself.
    void fail(const std::string& why) {
        {
            const std::lock_guard guard(mutex_);
            failure_ = why;
        }
        lose();
    }
    void set_participants(std::vector<Participant> all) {
        const std::lock_guard guard(mutex_);
        participants_ = std::move(all);
    }

    // Requests of the program.
    std::string published() const { return copy(published_); }
    bool paused() const { return copy(paused_); }
    // The successor that it named when it resigned last, perhaps empty; nothing: it did not resign.
    std::optional<std::string> resigned_to() const { return copy(resigned_to_); }

    // ------------------------------------------------------------ for the program

    Leadership leadership() const override {
        const std::lock_guard guard(mutex_);
        return current();
    }
    Leadership campaign(std::stop_token stop = {}, Duration limit = for_ever) override {
        std::unique_lock lock(mutex_);
        const auto settled = [&] { return !failure_.empty() || current().leads; };
        changes_.wait_for(lock, std::move(stop),
                          std::min<Duration>(limit, std::chrono::hours(24 * 365)), settled);
        return current();
    }
    std::string resign(const std::string& successor = {}) override {
        {
            const std::lock_guard guard(mutex_);
            if (!failure_.empty()) return "this elector has ended";
            if (!current().leads) return "this node does not lead";
            resigned_to_ = successor;
        }
        lose();
        return {};
    }
    std::string publish(const std::string& value) override {
        if (const std::string problem = published_problem(value); !problem.empty())
            return "this cannot be published: " + problem;
        bool leads = false;
        {
            const std::lock_guard guard(mutex_);
            if (!failure_.empty()) return "this elector has ended";
            if (std::exchange(published_, value) == value) return {};
            leads = current().leads;
        }
        if (leads) tell([&](Leadership& now) { now.value = value; });
        return {};
    }
    std::string pause() override { return set_paused(true); }
    std::string resume() override { return set_paused(false); }
    std::vector<Participant> participants() const override { return copy(participants_); }
    std::string failure() const override { return copy(failure_); }
    int fd() const override { return news_; }
    Leadership take_news() override {
        eventfd_t rings = 0;
        eventfd_read(news_, &rings);
        return leadership();
    }

private:
    template <class T>
    T copy(const T& field) const {
        const std::lock_guard guard(mutex_);
        return field;
    }
    Leadership current() const {
        return now_.leads && net::boot_time() >= now_.deadline ? Leadership{} : now_;
    }
    std::string set_paused(bool paused) {
        const std::lock_guard guard(mutex_);
        if (!failure_.empty()) return "this elector has ended";
        paused_ = paused;
        return {};
    }
    template <class Change>
    void tell(const Change& change) {
        Leadership told;
        {
            const std::lock_guard guard(mutex_);
            change(now_);
            told = now_;
        }
        eventfd_write(news_, 1);
        changes_.notify_all();
        if (changed_) changed_(told);
    }

    const std::string name_;
    const Changed changed_;
    const int news_;
    mutable std::mutex mutex_;  // of all below
    std::condition_variable_any changes_;
    Leadership now_{};
    std::string failure_{}, published_{};
    bool paused_ = false;
    std::optional<std::string> resigned_to_{};
    std::vector<Participant> participants_;
};

}  // namespace conclave
