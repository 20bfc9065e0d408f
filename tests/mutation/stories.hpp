// A group in peace to which one thing happens, and what a run of it came to: what no promise speaks
// of, such as candidacies without success, shows there.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "conclave/election/bully.hpp"
#include "conclave/election/deployed/deployed_bully.hpp"
#include "conclave/simulator/campaign/storm.hpp"
#include "conclave/simulator/cluster/cluster_hosting.hpp"
#include "conclave/simulator/world/world.hpp"

namespace conclave::stories {

using namespace std::chrono_literals;
using lease::Ballot;
using lease::RepairedRule;
using simulator::Scenario;
using Machine = simulator::Cluster<Bully>;
using World = simulator::World<Machine>;

// What a run came to.
struct Course {
    std::uint64_t terms = 0;
    std::uint64_t rounds = 0;        // of the greatest ballot: every candidacy has its own
    bool claims = false;             // somebody believed that it leads, and neither led nor stood
    bool stands_at_the_end = false;  // beside the leader, in the last second
    bool unsupported = false;  // in the end a member that could has not promised to the leader
    bool stays = false;        // in the end an agent that was asked to end is still there
    bool misled = false;       // a member followed one that no longer held a lease
    Id leader = nobody;        // in the end
};

struct Story {
    Scenario scenario;
    Machine::Turn::Settings settings = simulator::Usual<Machine>::settings();

    // Something happens `at` this time and lasts for `span`: both are others in each seed.
    explicit Story(std::uint64_t seed, std::uint32_t nodes = 3)
        : at(2s + 1ms * (seed * 37 % 200)), span(1ms * (50 + seed * 61 % 1500)) {
        scenario.algorithm = "cluster-bully";
        scenario.nodes = nodes;
        scenario.seed = seed;
        scenario.until = 6s;
        const Duration most = 1ms * (1 << seed % 4);
        scenario.delay = {simulator::Delay::Shape::uniform, 200us, most};
    }
    void befall(std::string_view what, std::uint32_t id, Time time) {
        const auto& names = simulator::mishap_names();
        const auto which = std::find(names.begin(), names.end(), what) - names.begin();
        scenario.mishaps.push_back({Id{id}, time, static_cast<std::uint8_t>(which)});
    }

    Course run() const {
        simulator::Decisions decisions(scenario.seed);
        World world(simulator::cluster_scenario(scenario), settings, decisions);
        Course course;
        const Time end = *scenario.until;
        for (Time now = 1500ms; now <= end; now += 5ms) {
            world.run_until(now);
            for (std::uint32_t i = 1; i <= scenario.nodes; ++i)
                watch(world, Id{i}, end - now < 1s, course);
        }
        conclude(world, course);
        return course;
    }

    Time at;
    Duration span;

private:
    static void watch(const World& world, Id id, bool late, Course& course) {
        const Machine& node = world.node(id);
        if (!world.is_up(id) || node.agent != Machine::Agent::up) return;
        const auto& lease = node.brain.lease;
        const bool stands = lease.candidacy.ballot.stands();
        course.claims = course.claims || (node.brain.leader == id && !lease.acting && !stands);
        course.stands_at_the_end = course.stands_at_the_end || (late && stands && !lease.acting);
        const Id leader = node.brain.leader;
        if (leader == nobody || leader == id || !world.is_up(leader)) return;
        // Bound to another, it believes in one whose work was ended for want of renewals.
        const bool bound = lease.voter.highest.stands() && lease.voter.highest.member != leader;
        course.misled = course.misled || (bound && !node.brain.hearsay && !lease.voter.amnesiac &&
                                          !world.node(leader).works());
    }
    void conclude(World& world, Course& course) const {
        Ballot leads;
        for (std::uint32_t i = 1; i <= scenario.nodes; ++i) {
            const Machine& node = world.node(Id{i});
            const auto& disk = node.disk;
            course.rounds = std::max({course.rounds, disk.used.round, disk.highest.round});
            if (world.is_up(Id{i}) && node.works()) leads = node.working;
            const bool up = world.is_up(Id{i}) && node.agent == Machine::Agent::up;
            course.stays = course.stays || (up && node.brain.departing);
        }
        course.leader = leads.member;
        for (std::uint32_t i = 1; i <= scenario.nodes; ++i) {
            const Machine& node = world.node(Id{i});
            const bool votes = world.is_up(Id{i}) && node.votes();
            if (votes && node.brain.lease.voter.highest != leads) course.unsupported = true;
        }
        course.terms = world.finish().terms;
    }
};

// How many of a hundred seeds are so.
template <class Tell, class Wrong>
int count_shown(std::uint64_t rules_off, const Tell& tell, const Wrong& wrong) {
    int count = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Story story = tell(seed);
        story.scenario.mutation.rules_off = rules_off;
        count += wrong(story.run());
    }
    return count;
}

// Of a hundred seeds none with the rule, and some without it, are so.
template <class Tell, class Wrong>
void expect_shown(RepairedRule rule, const Tell& tell, const Wrong& wrong) {
    const auto first = [&](std::uint64_t rules_off) {
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            Story story = tell(seed);
            story.scenario.mutation.rules_off = rules_off;
            if (wrong(story.run())) return seed;
        }
        return std::uint64_t{0};
    };
    EXPECT_EQ(first(0), 0u);
    const std::uint64_t seed = first(lease::bit(rule));
    EXPECT_NE(seed, 0u);
    testing::Test::RecordProperty("seed", std::to_string(seed));
}

}  // namespace conclave::stories
