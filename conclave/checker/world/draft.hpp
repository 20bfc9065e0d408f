// A successor in the making: a world that is being changed, and its fingerprint as it changes.
//
// The fingerprint is the exclusive or of one strongly mixed word for each slot, so that a change
// costs as much as the slots it touches. The salt goes into every word: another salt is another
// hash, and worlds that fell together under one do not under the other.
#pragma once

#include <algorithm>
#include <vector>

#include "conclave/checker/search/space.hpp"
#include "conclave/checker/world/nodes.hpp"
#include "conclave/checker/world/shared.hpp"

namespace conclave::checker {

class Draft {
public:
    Draft(const Shared& shared, const Nodes& nodes, std::size_t width)
        : shared_(shared), states_(nodes), nodes_(shared.ring.size()), work_(width), salts_(width) {
        for (std::size_t slot = 0; slot < width; ++slot)
            salts_[slot] = mix(shared.query.salt, slot);
    }

    std::uint64_t print_of(const std::uint32_t* world) const {
        std::uint64_t print = 0;
        for (std::size_t slot = 0; slot < work_.size(); ++slot)
            print ^= slot_print(slot, world[slot]);
        return print;
    }
    std::uint64_t slot_print(std::size_t slot, std::uint32_t part) const {
        std::uint64_t key = part;
        if (slot < nodes_)
            key = states_.key(part);
        else if (slot < nodes_ + shared_.links.size())
            key = shared_.mails.key(part);
        return mix(key ^ salts_[slot]);
    }

    // From now on successors of this world are made.
    void start_from(const std::uint32_t* world, std::uint64_t print, Successors& out) {
        from_ = world;
        from_print_ = print;
        out_ = &out;
        std::copy(world, world + work_.size(), work_.begin());
    }
    void begin() { print_ = from_print_; }
    void put(std::size_t slot, std::uint32_t part) {
        if (work_[slot] == part) return;
        print_ ^= slot_print(slot, work_[slot]) ^ slot_print(slot, part);
        work_[slot] = part;
        out_->changes.push_back({static_cast<std::uint32_t>(slot), part});
    }
    std::uint32_t operator[](std::size_t slot) const { return work_[slot]; }
    void finish(const Step& step, std::string_view broken = {}) {
        const std::size_t begun = done();
        record(step, broken);
        for (std::size_t i = begun; i < out_->changes.size(); ++i) drop_change(i);
    }
    // Where many successors share most of their changes: writes down how this one differs from the
    // world, and goes on from there.
    void finish_so_far(const Step& step) {
        out_->changes.resize(done());
        for (std::size_t slot = 0; slot < work_.size(); ++slot)
            if (work_[slot] != from_[slot])
                out_->changes.push_back({static_cast<std::uint32_t>(slot), work_[slot]});
        record(step, {});
    }
    void start_over() { start_from(from_, from_print_, *out_); }
    bool differs(std::size_t slots) const {
        return !std::equal(from_, from_ + slots, work_.begin());
    }

private:
    void record(const Step& step, std::string_view broken) {
        if (!step.fault) out_->quiet = false;
        out_->ends.push_back(static_cast<std::uint32_t>(out_->changes.size()));
        out_->prints.push_back(print_);
        out_->steps.push_back(step);
        out_->broken.push_back(broken);
    }
    std::size_t done() const { return out_->ends.empty() ? 0 : out_->ends.back(); }
    void drop_change(std::size_t i) {
        const std::uint32_t slot = out_->changes[i].slot;
        work_[slot] = from_[slot];
    }

    const Shared& shared_;
    const Nodes& states_;
    std::size_t nodes_;
    std::vector<std::uint32_t> work_;
    std::vector<std::uint64_t> salts_;
    std::uint64_t print_ = 0, from_print_ = 0;
    const std::uint32_t* from_ = nullptr;
    Successors* out_ = nullptr;
};

}  // namespace conclave::checker
