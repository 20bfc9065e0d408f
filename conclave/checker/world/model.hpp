// A system of nodes as a space to search. What the nodes run, it does not know.
#pragma once

#include <vector>

#include "conclave/checker/world/happenings.hpp"
#include "conclave/checker/world/rotations.hpp"

namespace conclave::checker {

class Model final : public Space, private Happenings {
public:
    Model(Shared& shared, Nodes& nodes) : Happenings(shared, nodes), rotations_(shared, nodes) {}

    std::size_t width() const override { return slots(); }
    std::uint64_t rows_fired() const override { return rows_; }
    bool clock_read() const override { return shared_.clock_read; }
    std::string_view outgrown() const override { return shared_.outgrown(); }

    bool first(Successors& out, const GoesOn& goes_on) override;
    void expand(const std::uint32_t* world, std::uint64_t print, bool reduce,
                Successors& out) override;

    bool symmetric() const override { return rotations_.exist(); }
    std::uint64_t stand_in(const std::uint32_t* world, std::uint32_t* whole) override {
        return rotations_.stand_in(draft_, world, whole);
    }

    std::string world_text(const std::uint32_t* world) const override;
    std::string step_text(const Step& step) const override;

    bool two_leaders(const std::uint32_t* world) const override;
    View view(const std::uint32_t* world) const override;
    bool waits(const std::uint32_t* world) const override;

    // The greatest token under which work was ever started; 0: none was. Only where there are any.
    std::uint32_t greatest_token(const std::uint32_t* world) const { return world[budget() + 1]; }
    const Shared& shared() const { return shared_; }
    const Nodes& nodes() const { return nodes_; }
    Way way(const std::uint32_t* world, const Step& step);
    std::uint32_t unborn() const { return nodes_.unborn(); }
    // All ways in which a node that has not started can do so.
    const std::vector<Way>& starts(const Step& step);
    // How far the node's clock went in a tick that made one state of the other.
    std::uint32_t units_between(std::uint32_t before, std::uint32_t after);

private:
    std::vector<std::vector<std::uint32_t>> started(
        const std::vector<std::vector<std::uint32_t>>& worlds, std::size_t at,
        const GoesOn& goes_on);
    bool expand_doomed();
    bool expand_one();
    bool suffices(std::size_t at);
    bool expand_due();
    bool is_due(const Step& step) const;

    Rotations rotations_;
};

}  // namespace conclave::checker
