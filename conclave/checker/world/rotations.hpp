// Where nobody looks at names, a ring that is turned is the same ring: of all worlds that differ by
// a rotation one stands for the others. An algorithm says `anonymous = true` if no decision of its
// own depends on an id or a rank; ids that it only hands on are renamed with the rotation.
#pragma once

#include <vector>

#include "conclave/checker/world/draft.hpp"

namespace conclave::checker {

class Rotations {
public:
    Rotations(Shared& shared, Nodes& nodes);

    bool exist() const { return !turns_.empty(); }
    // In `whole` only nodes and links are written: the rest of a world is the same however turned.
    std::uint64_t stand_in(const Draft& draft, const std::uint32_t* world, std::uint32_t* whole);
    // The position that the rotation of the canonical world puts first.
    std::size_t front(const Draft& draft, const std::uint32_t* world);

private:
    bool keeps_roles(std::size_t by) const;
    std::size_t best(const Draft& draft, const std::uint32_t* world, std::uint64_t& least);
    template <class Put>
    void turn(const std::uint32_t* world, std::size_t by, const Put& put);
    std::uint32_t turned_local(std::uint32_t part, std::size_t by);
    std::uint32_t turned_mail(std::uint32_t part, std::size_t by);

    Shared& shared_;
    Nodes& nodes_;
    std::size_t count_;
    std::vector<std::size_t> turns_;  // those that change nobody's role
    Memo locals_, mails_;
};

}  // namespace conclave::checker
