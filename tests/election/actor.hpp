// One node of a group of `size`, driven event by event; every answer is what it asked of its host.
#pragma once

#include <string>
#include <vector>

#include "conclave/core/algorithm.hpp"
#include "conclave/core/graph.hpp"

namespace conclave {

using Lines = std::vector<std::string>;

template <class A>
class Actor {
public:
    explicit Actor(std::uint32_t me, std::uint32_t size) : me_(me) {
        for (std::uint32_t i = 0; i < size; ++i) {
            ring_.push_back(Id{i + 1});
            place_.push_back(i);
        }
        group_ = {ring_, place_, {}};
        graph_ = make_graph({.shape = GraphPlan::Shape::complete}, size, 1);
    }
    Actor(const Actor&) = delete;

    template <class Event>
    Lines after(const Event& event, std::uint32_t from = 0) {
        effects_.clear();
        typename A::Turn turn{
            effects_, settings, group_, chance_, rows, Id{me_}, group_.after(Id{me_}),
            Id{from}, now};
        look_around<A>(graph_, group_, me_ - 1, turn);
        offer(node, event, turn);
        broken = broken_invariant(node, turn);
        return describe<typename A::Turn::Timers>(effects_);
    }
    // With ranks of the given priorities, from id 1 on.
    void set_priorities(const std::vector<std::uint32_t>& priorities) {
        ranks_.clear();
        for (std::uint32_t i = 0; i < ring_.size(); ++i)
            ranks_.push_back(make_rank(true, false, priorities[i], Id{i + 1}));
        group_ = {ring_, place_, ranks_};
    }

    const typename A::Turn::Effects& effects() const { return effects_; }

    A node{};
    typename A::Turn::Settings settings{};
    Time now{};
    std::string_view broken;
    Rows rows;                 // what is switched off
    std::uint64_t chosen = 0;  // what the next choices come to, modulo their range

private:
    struct Fixed final : Chance {
        explicit Fixed(const std::uint64_t& value) : value_(value) {}
        std::uint64_t choose(std::uint64_t n) override { return value_ % n; }
        const std::uint64_t& value_;
    };
    std::uint32_t me_;
    std::vector<Id> ring_;
    std::vector<std::uint32_t> place_;
    std::vector<Rank> ranks_;
    Group group_;
    Graph graph_;  // everybody is behind a port, in the order of ids
    typename A::Turn::Effects effects_;
    Fixed chance_{chosen};
};

}  // namespace conclave
