#include "conclave/simulator/campaign/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace conclave::simulator {

void Sample::add(std::int64_t value) {
    least_ = count_ == 0 ? value : std::min(least_, value);
    most_ = count_ == 0 ? value : std::max(most_, value);
    ++count_;
    const auto x = static_cast<double>(value);
    const double before = x - mean_;  // Welford: does not lose digits as sums of squares do
    mean_ += before / static_cast<double>(count_);
    squares_ += before * (x - mean_);
}

double Sample::deviation() const {
    return count_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(count_ - 1));
}

double Sample::margin() const {
    constexpr double normal_99 = 2.576;
    return count_ < 2 ? 0 : normal_99 * deviation() / std::sqrt(static_cast<double>(count_));
}

}  // namespace conclave::simulator
