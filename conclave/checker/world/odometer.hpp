// Tries every outcome of every choice, one run of the handler after the other. A choice among very
// many (a random duration in nanoseconds) is tried at evenly spaced places, and the verdict says
// so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "conclave/core/turn.hpp"

namespace conclave::checker {

class Odometer final : public Chance {
public:
    explicit Odometer(std::uint32_t places_max) : places_max_(places_max) {}

    std::uint64_t choose(std::uint64_t n) override {
        if (at_ == digits_.size())
            digits_.push_back({0, n, std::min<std::uint64_t>(n, places_max_)});
        coarse_ = coarse_ || n > places_max_;
        return digits_[at_++].value();
    }
    void rewind() { at_ = 0; }
    bool advance() {
        while (!digits_.empty() && digits_.back().place + 1 == digits_.back().places)
            digits_.pop_back();
        if (digits_.empty()) return false;
        ++digits_.back().place;
        return true;
    }
    std::vector<std::uint64_t> values() const {
        std::vector<std::uint64_t> list;
        for (const Digit& digit : digits_) list.push_back(digit.value());
        return list;
    }
    bool coarse() const { return coarse_; }

private:
    struct Digit {
        std::uint64_t place, n, places;
        std::uint64_t value() const {
            return places == n || places < 2 ? place : place * ((n - 1) / (places - 1));
        }
    };
    std::uint32_t places_max_;
    std::vector<Digit> digits_;
    std::size_t at_ = 0;
    bool coarse_ = false;
};

}  // namespace conclave::checker
