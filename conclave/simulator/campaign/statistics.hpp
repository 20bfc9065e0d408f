// Mean, spread and confidence of a sample. For reports only: no decision of a run depends on it.
#pragma once

#include <cstdint>

namespace conclave::simulator {

class Sample {
public:
    void add(std::int64_t value);

    std::uint64_t count() const { return count_; }
    double mean() const { return mean_; }
    double deviation() const;  // of the sample: the divisor is n - 1; 0 below two values
    // Half the width of the interval around mean() that holds the true mean with 99 % confidence,
    // by the normal approximation: trust it from some thirty values on.
    double margin() const;
    std::int64_t least() const { return least_; }
    std::int64_t most() const { return most_; }

private:
    std::uint64_t count_ = 0;
    double mean_ = 0, squares_ = 0;  // squares_: of the distances from the mean
    std::int64_t least_ = 0, most_ = 0;
};

}  // namespace conclave::simulator
