// Every way in which a first roster can come about among two or three nodes that crash, come back
// with and without their disks, and lose messages: no two rosters fork, and it comes about.
#include "conclave/member/founding.hpp"

#include <gtest/gtest.h>

#include "conclave/checker/hosting.hpp"

namespace conclave::checker {
namespace founding_test {

using member::Founding;
using Ids = std::vector<Id>;

// `nodes` are here, and a group of `expect` forms. A heartbeat is two ticks, a message takes one or
// gets lost; time ends after `ticks`, and the last fault comes three heartbeats before that.
Query query_of(std::uint32_t nodes, std::uint32_t expect, std::uint32_t ticks) {
    Query query;
    query.algorithm = "founding";
    for (std::uint32_t i = 1; i <= nodes; ++i) query.ring.push_back(Id{i});
    query.timing = Timing::bounded;
    query.delay_min = 1;
    query.ticks_max = ticks;
    query.faults_until = ticks - 6;
    query.reduce = false;
    query.threads = 2;
    query.settings = {{"expect", std::to_string(expect)}, {"heartbeat", "2ms"}};
    return query;
}

const Founding& node_of(const Space& space, const std::uint32_t* world, std::size_t at) {
    return static_cast<const Model<Founding>&>(space).local(world, at).algorithm;
}

std::string find_fork(const Space& space, const std::uint32_t* world, std::size_t nodes) {
    const Ids* first = nullptr;
    for (std::size_t at = 0; at < nodes; ++at) {
        const Founding& node = node_of(space, world, at);
        if (!node.disk.fixed) continue;
        if (first != nullptr && *first != node.disk.list) return "two rosters are fixed";
        first = &node.disk.list;
    }
    return {};
}

Searched explore_founding(const Query& query) {
    std::string problem;
    const auto settings = detail::settings_of<Founding>(query, problem);
    EXPECT_EQ(problem, "");
    Shared<Founding> shared(query, settings);
    const std::size_t nodes = query.ring.size();
    const auto formed = [](const View& view) { return view.followed == view.alive; };
    const std::vector<Property> properties{
        {"fork", false,
         [nodes](const Space& space, const std::uint32_t* world) {
             return find_fork(space, world, nodes);
         },
         [](const View&) { return true; }},
        {"formed", false,
         [&](const Space& space, const std::uint32_t* world) -> std::string {
             const View view = space.view(world);
             const bool all = nodes == settings.expect && view.alive.size() == nodes;
             return view.time_is_up && all && !formed(view) ? "somebody still waits" : "";
         },
         [](const View& view) { return view.time_is_up; }}};
    return search(shared.query, [&] { return std::make_unique<Model<Founding>>(shared); },
                  properties, {});
}

void expect_well(const Query& query) {
    const Searched searched = explore_founding(query);
    EXPECT_TRUE(searched.complete);
    EXPECT_EQ(searched.found.property, "") << searched.found.what;
    EXPECT_EQ(searched.tested, 3u);  // both had a chance to fail
    testing::Test::RecordProperty("states", static_cast<int>(searched.states));
}

TEST(FoundingSearch, two_that_crash_and_come_back_form_one_group) {
    Query query = query_of(2, 2, 14);
    query.budget.crashes = query.budget.recoveries = 2;
    query.budget.losses = 2;
    expect_well(query);
}

TEST(FoundingSearch, one_that_loses_its_disk_meanwhile_takes_the_roster_from_the_other) {
    Query query = query_of(2, 2, 14);
    query.budget.crashes = query.budget.recoveries = query.budget.blank_recoveries = 1;
    query.budget.losses = 1;
    expect_well(query);
}

TEST(FoundingSearch, three_of_whom_one_crashes_and_comes_back_form_one_group) {
    Query query = query_of(3, 3, 12);
    query.budget.crashes = query.budget.recoveries = 1;
    expect_well(query);
}

// One too many is here, at any time something is lost and a node crashes and comes back.
Query one_too_many() {
    Query query = query_of(3, 2, 7);
    query.faults_until = 0;
    query.budget.crashes = query.budget.recoveries = query.budget.losses = 1;
    return query;
}

TEST(FoundingSearch, of_three_where_two_are_expected_no_two_pairs_form_a_group) {
    expect_well(one_too_many());
}

TEST(FoundingSearch, a_list_that_is_said_before_it_is_stored_lets_two_pairs_form) {
    Query query = one_too_many();
    query.settings.emplace_back("hasty", "on");
    EXPECT_EQ(explore_founding(query).found.property, "fork");
}

TEST(FoundingSearch, a_list_of_a_former_life_that_needs_nobodys_word_lets_two_pairs_form) {
    Query query = one_too_many();
    query.settings.emplace_back("trusts", "on");
    EXPECT_EQ(explore_founding(query).found.property, "fork");
}

}  // namespace founding_test
}  // namespace conclave::checker
