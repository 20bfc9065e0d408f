// The largest search of how a group of three forms.
#include <gtest/gtest.h>

#include "tests/member/searches.hpp"

namespace conclave::checker {
namespace founding_soak {

TEST(FoundingSoak, three_that_crash_pause_fill_their_disk_and_are_asked_to_leave_form_one_group) {
    Query query = with_all(formation_query(3, 2), 3);
    query.threads = 2;
    expect_formed(query);
}

}  // namespace founding_soak
}  // namespace conclave::checker
