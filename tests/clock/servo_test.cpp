// The clock that users see: how it is slewed, stepped, and ordered about.
#include "conclave/clock/servo.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "conclave/clock/steering.hpp"

namespace conclave::clock {
namespace servo_test {

using namespace std::chrono_literals;

TEST(Servo, removes_an_error_in_a_second_and_then_runs_along_the_line) {
    Servo servo;
    const Line target{10s, 200us, ppm(30)};
    EXPECT_EQ(servo.steer(10s, target), Servo::Did::slewed);
    EXPECT_EQ(servo.offset(10s), 0us);
    EXPECT_NEAR(static_cast<double>(servo.offset(10500ms).count()), 115'000, 10);
    EXPECT_EQ(servo.offset(11s), target(11s));
    EXPECT_EQ(servo.offset(1h), target(1h));
}

TEST(Servo, keeps_to_the_limit_of_the_slew) {
    Servo servo({.limit = ppm(500)});
    servo.steer(0s, {0s, 50ms, {}});
    EXPECT_EQ(servo.offset(10s), 5ms);
    EXPECT_EQ(servo.offset(100s), 50ms);
    EXPECT_EQ(servo.offset(101s), 50ms);
}

TEST(Servo, mends_a_second_in_twenty_without_a_step) {
    Servo servo;
    EXPECT_EQ(servo.steer(0s, {0s, -1s, {}}), Servo::Did::slewed);
    EXPECT_EQ(servo.offset(10s), -500ms);
    EXPECT_EQ(servo.offset(20s), -1s);
}

TEST(Servo, steps_only_beyond_the_limit_and_back_only_if_allowed) {
    Servo never_back({.step = {.beyond = 100ms, .backwards = false}});
    EXPECT_EQ(never_back.steer(0s, {0s, 100ms, {}}), Servo::Did::slewed);
    EXPECT_EQ(never_back.steer(0s, {0s, 1h, {}}), Servo::Did::stepped);
    EXPECT_EQ(never_back.offset(0s), 1h);
    EXPECT_EQ(never_back.steer(0s, {0s, -1h, {}}), Servo::Did::slewed);
    EXPECT_EQ(never_back.steps(), 1u);
    Servo both({.step = {.beyond = 100ms}});
    EXPECT_EQ(both.steer(0s, {0s, -1h, {}}), Servo::Did::stepped);
}

TEST(Servo, steps_in_the_first_corrections_only_if_the_policy_says_so) {
    Servo servo({.step = *parse_step_policy("100ms:2")});
    EXPECT_EQ(servo.start(0s, {0s, 5h, {}}), Servo::Did::stepped);
    EXPECT_EQ(servo.steer(0s, {0s, 5h + 1ms, {}}), Servo::Did::slewed);
    EXPECT_EQ(servo.steer(0s, {0s, 6h, {}}), Servo::Did::stepped);
    EXPECT_EQ(servo.steer(0s, {0s, 7h, {}}), Servo::Did::slewed);
}

TEST(Servo, is_not_even_set_by_a_step_if_it_must_never_step) {
    Servo servo({.step = *parse_step_policy("never")});
    EXPECT_EQ(servo.start(0s, {0s, 1s, {}}), Servo::Did::slewed);
    Servo first({.step = *parse_step_policy("first")});
    EXPECT_EQ(first.start(0s, {0s, 1ms, {}}), Servo::Did::stepped);
    EXPECT_EQ(first.steer(0s, {0s, 1h, {}}), Servo::Did::slewed);
}

RC_GTEST_PROP(Servo, time_never_goes_back_and_never_jumps, ()) {
    Servo servo({.limit = ppm(500), .step = *parse_step_policy("never")});
    Time raw{}, shown = servo.read(raw);
    for (int i = *rc::gen::inRange(1, 30); i > 0; --i) {
        if (*rc::gen::inRange(0, 3) == 0)
            servo.steer(
                raw, {raw, Duration{*rc::gen::inRange<std::int64_t>(-1'000'000'000, 1'000'000'000)},
                      Rate{*rc::gen::inRange(-rate_limit.ppt, rate_limit.ppt)}});
        const Duration later{*rc::gen::inRange<std::int64_t>(1000, 3'000'000'000)};
        raw += later;
        const Duration went = servo.read(raw) - shown;
        shown += went;
        RC_ASSERT(went > Duration{0});
        RC_ASSERT(magnitude(went - later) <= over(rate_limit + ppm(500), later) + 2ns);
    }
}

TEST(Servo, a_slew_longer_than_time_itself_goes_on) {
    Servo servo({.limit = ppm(500), .step = *parse_step_policy("never")});
    servo.steer(10s, {10s, 24h * 365 * 14, {}});
    EXPECT_EQ(servo.offset(1010s), 500ms);
}

TEST(Servo, slews_a_clock_that_shows_a_time_before_1970) {
    Servo servo;
    servo.set({-2h, 0ms, {}});
    servo.steer(-1h, {-1h, 1ms, {}});
    EXPECT_FALSE(servo.slews(-1h + 3s));
    EXPECT_EQ(servo.offset(-1h + 10min), 1ms);
}

TEST(StepPolicy, reads_what_it_writes_and_refuses_what_makes_no_sense) {
    for (const char* text : {"1s", "128ms", "128ms:3", "first", "never", "1s:forward",
                             "1s:3:forward", "first:forward"})
        EXPECT_EQ(to_text(parse_step_policy(text).value_or(StepPolicy{.beyond = 1ns})), text);
    EXPECT_EQ(parse_step_policy("1s"), StepPolicy{});
    for (const char* text :
         {"", "1", "-1s", "0s", "1us", "1s:", "1s:0", "1s:-1", "1s:x", "1s:1:1", "always",
          "never:forward", ":forward", "1s:forward:3", "1s:4294967295"})
        EXPECT_EQ(parse_step_policy(text), std::nullopt) << text;
}

TEST(Steering, makes_a_clock_show_what_the_servo_shows) {
    Servo servo({.limit = ppm(500)});
    Steering steering;
    VisibleClock clock;
    servo.start(0s, {0s, 3h, ppm(-40)});
    for (Time raw{}; raw <= 5s; raw += 1s) {
        clock.obey(raw, steering.next(raw, clock.offset(raw), servo));
        EXPECT_EQ(clock.offset(raw), servo.offset(raw));
        EXPECT_EQ(steering.strayed(raw + 900ms, clock.offset(raw + 900ms)), 0ns);
    }
    servo.steer(6s, {6s, servo.offset(6s) + 1ms, ppm(-40)});
    clock.obey(6s, steering.next(6s, clock.offset(6s), servo));
    EXPECT_LT(clock.offset(7s) - servo.offset(6s), 500us + 1us) << "without a step";
}

TEST(Steering, sees_a_clock_that_somebody_else_has_moved) {
    const Servo servo;
    Steering steering;
    VisibleClock clock;
    EXPECT_EQ(steering.strayed(0s, 1h), 0ns) << "nothing was ordered yet";
    clock.obey(0s, steering.next(0s, clock.offset(0s), servo));
    clock.move(-1s);
    EXPECT_EQ(steering.strayed(1s, clock.offset(1s)), -1s);
}

TEST(Steering, removes_a_small_disturbance_by_rate) {
    const Servo servo;
    Steering steering;
    VisibleClock clock;
    clock.obey(0s, steering.next(0s, clock.offset(0s), servo));
    clock.move(1ms);
    const Order order = steering.next(1s, clock.offset(1s), servo);
    EXPECT_EQ(order.step, 0ns);
    EXPECT_EQ(order.rate, ppm(-1000));
}

}  // namespace servo_test
}  // namespace conclave::clock
