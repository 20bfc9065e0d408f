// How much a clock's rate wanders, learned from the rates that were measured one window apart.
//
// An oscillator's rate takes a random walk, more so when the temperature swings. A line through a
// window of T seconds then errs at its end by a tenth of w T^1.5 or so, where w is how far the rate
// walks in one second; noise errs less the longer the window. Knowing both tells how far to look
// back.
#pragma once

#include <array>

#include "conclave/clock/window.hpp"

namespace conclave::clock {

class Wander {
public:
    // A line was fitted to a window that ends now.
    void learn(Time now, Rate rate, Rate error, Duration length) {
        if (last_ == never) return remember(now, rate, error);
        const Duration apart = now - last_;
        if (apart < length || apart < shortest) return;
        const Wide walked = Wide{(rate - rate_).ppt} * (rate - rate_).ppt;
        const Wide noise = Wide{error.ppt} * error.ppt + Wide{error_.ppt} * error_.ppt;
        const Wide tamed = walked * 10 / 13;
        Wide square = (tamed - noise) / (apart / one_second);
        // Within the noise it is no evidence of an unusual walk.
        if (tamed < 2 * noise) square = std::min<Wide>(square, usual);
        recent_[count_++ % recent_.size()] =
            static_cast<std::int64_t>(std::clamp<Wide>(square, -greatest, greatest));
        square_ = count_ < 3 ? usual : std::max(upper_quartile(), least);
        remember(now, rate, error);
    }
    void restart() { last_ = never; }

    // The square of the error that it adds at the end of a window, in square nanoseconds.
    Wide square_error(Duration length) const {
        const Wide ms = std::min<std::int64_t>(length.count() / 1'000'000, 1'000'000);
        return Wide{square_} * ms * ms * ms / 100'000'000 / 1'000'000'000;
    }
    // How far the rate may have walked in that time.
    Rate walked(Duration length) const {
        return {root(Wide{square_} * (length.count() / 1'000'000) / 1000)};
    }

private:
    static constexpr Duration one_second = std::chrono::seconds(1);
    static constexpr Duration shortest = std::chrono::seconds(8);
    static constexpr std::int64_t usual = 1'000'000;  // 10^-9 in one second
    static constexpr std::int64_t least = 10'000;     // 10^-10: what a good oscillator does
    static constexpr std::int64_t greatest = std::int64_t{1} << 60;

    // Three quarters of the squares of something normal lie below 1.3 times their mean, hence the
    // 13 above. That quartile is deaf to the few wild ones that bad fits give.
    std::int64_t upper_quartile() const {
        auto sorted = recent_;
        const std::size_t count = std::min(count_, recent_.size());
        const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(count);
        const auto quartile = sorted.begin() + static_cast<std::ptrdiff_t>(count * 3 / 4);
        std::nth_element(sorted.begin(), quartile, end);
        return *quartile;
    }

    void remember(Time now, Rate rate, Rate error) {
        last_ = now;
        rate_ = rate;
        error_ = error;
    }

    Time last_ = never;
    Rate rate_, error_;
    std::array<std::int64_t, 15> recent_{};
    std::size_t count_ = 0;
    std::int64_t square_ = usual;  // of 10^-12 per root of a second
};

}  // namespace conclave::clock
