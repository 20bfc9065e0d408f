#include "conclave/core/id.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <tuple>

namespace conclave {
namespace id_test {

TEST(Ranks, compare_eligible_then_incumbent_then_priority_then_id) {
    EXPECT_GT(make_rank(true, false, 0, Id{1}), make_rank(false, true, 9, Id{9}));
    EXPECT_GT(make_rank(true, true, 0, Id{1}), make_rank(true, false, 9, Id{9}));
    EXPECT_GT(make_rank(true, false, 2, Id{1}), make_rank(true, false, 1, Id{9}));
    EXPECT_GT(plain_rank(Id{2}), plain_rank(Id{1}));
}

TEST(Ranks, know_their_id) {
    EXPECT_EQ(id_of(make_rank(true, true, priority_max, Id{77})), Id{77});
    EXPECT_EQ(id_of(plain_rank(everyone)), everyone);
}

TEST(Ranks, of_a_priority_beyond_the_greatest_take_the_greatest) {
    EXPECT_EQ(make_rank(false, false, priority_max + 1, Id{1}),
              make_rank(false, false, priority_max, Id{1}));
}

RC_GTEST_PROP(Ranks, order_like_their_attributes, ()) {
    using Attributes = std::tuple<bool, bool, std::uint32_t, std::uint32_t>;
    const auto draw = [] {
        return Attributes{*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(),
                          *rc::gen::inRange<std::uint32_t>(0, priority_max),
                          *rc::gen::arbitrary<std::uint32_t>()};
    };
    const auto rank = [](const Attributes& a) {
        return make_rank(std::get<0>(a), std::get<1>(a), std::get<2>(a), Id{std::get<3>(a)});
    };
    const Attributes a = draw(), b = draw();
    RC_ASSERT((rank(a) < rank(b)) == (a < b));
    RC_ASSERT((rank(a) == rank(b)) == (a == b));
}

struct Ring {
    std::vector<Id> ring{Id{3}, Id{1}, Id{2}};
    std::vector<std::uint32_t> place{1, 2, 0};
    Group group{ring, place, {}};
};

TEST(Groups, know_who_comes_after_and_before_along_the_ring) {
    const Ring ring;
    EXPECT_EQ(ring.group.after(Id{3}), Id{1});
    EXPECT_EQ(ring.group.after(Id{1}), Id{2});
    EXPECT_EQ(ring.group.after(Id{2}), Id{3});
    for (const Id id : ring.ring) {
        EXPECT_EQ(ring.group.before(ring.group.after(id)), id);
        EXPECT_EQ(ring.group.after(ring.group.before(id)), id);
    }
}

TEST(Groups, of_one_are_their_own_neighbours) {
    const std::vector<Id> ring{Id{1}};
    const std::vector<std::uint32_t> place{0};
    const Group group{ring, place, {}};
    EXPECT_EQ(group.after(Id{1}), Id{1});
    EXPECT_EQ(group.before(Id{1}), Id{1});
}

TEST(Groups, contain_the_ids_from_one_to_their_size) {
    const Ring ring;
    EXPECT_EQ(ring.group.size(), 3u);
    EXPECT_FALSE(ring.group.contains(nobody));
    EXPECT_TRUE(ring.group.contains(Id{1}));
    EXPECT_TRUE(ring.group.contains(Id{3}));
    EXPECT_FALSE(ring.group.contains(Id{4}));
    EXPECT_FALSE(ring.group.contains(everyone));
}

TEST(Groups, rank_by_id_unless_told_otherwise) {
    Ring ring;
    EXPECT_EQ(ring.group.rank(Id{2}), plain_rank(Id{2}));
    const std::vector<Rank> ranks{make_rank(true, false, 5, Id{1}), plain_rank(Id{2}),
                                  make_rank(false, false, 0, Id{3})};
    ring.group.ranks = ranks;
    EXPECT_GT(ring.group.rank(Id{1}), ring.group.rank(Id{2}));
    EXPECT_GT(ring.group.rank(Id{2}), ring.group.rank(Id{3}));
}

RC_GTEST_PROP(IdSets, behave_like_sets, (std::vector<std::pair<bool, std::uint8_t>> steps)) {
    IdSet ours;
    std::set<Id> theirs;
    for (const auto& [insert, number] : steps) {
        const Id id{number % 8u};
        if (insert)
            RC_ASSERT(ours.insert(id) == theirs.insert(id).second);
        else
            RC_ASSERT(ours.erase(id) == (theirs.erase(id) == 1));
        RC_ASSERT(ours.contains(id) == (theirs.count(id) == 1));
        RC_ASSERT(ours.size() == theirs.size());
        RC_ASSERT(ours.empty() == theirs.empty());
        RC_ASSERT(std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end()));
    }
}

}  // namespace id_test
}  // namespace conclave
