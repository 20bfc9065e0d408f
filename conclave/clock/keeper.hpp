// A node's own time: follows corrections that make sense, and coasts without them.
//
// The fence against a bad master stands here. A node's last corrections make a prediction with
// a bound; a correction far outside of it is refused and complained about, since clocks do not jump
// but masters do err. When a majority complains the master resigns (master.hpp). A node whose
// complaints change nothing is itself the odd one out, and gives in. A new master has measured
// little, so its word is weighed with the prediction: the error of the prediction grows while that
// of the master shrinks, and the change of masters is smooth. Only a new term with at least as many
// clocks behind it, the larger side of a healed network, may bring another time. An established
// time gives way only to another established one.
//
// How wrong the clock may be is reckoned from the last thing that a master said, whether or not it
// was believed: the truth lies near that, so the distance to it is part of the bound. A master is
// right about its own time, as long as another clock backs it; from then on its bound grows like
// that of a slave that hears nothing. A founder that nobody has met has a time, but no trust.
//
// When the clock that people see is not where it was steered to, somebody has set it, or this
// machine has slept and its raw clock with it. Which of the two shows only when the master has
// measured the raw clock again. Until then the clock is left where it is, what was known is void,
// and a new epoch tells corrections that were measured since from those that were not.
#pragma once

#include <utility>

#include "conclave/clock/clock_standing.hpp"
#include "conclave/clock/correction.hpp"
#include "conclave/clock/error_bound.hpp"
#include "conclave/clock/holdover.hpp"
#include "conclave/clock/servo.hpp"

namespace conclave::clock {

class Keeper {
public:
    enum class Verdict : std::uint8_t { followed, stale, refused };

    // `epoch`: another one than before, if this machine kept the time before and was restarted.
    explicit Keeper(ServoSettings servo = {}, std::uint8_t epoch = 0)
        : servo_(servo), epoch_(epoch) {}
    std::uint8_t epoch() const { return epoch_; }

    Verdict hear(Time raw, const Correction& correction) {
        if (correction.epoch != epoch_) return Verdict::stale;
        if (set_ && correction.term < term_) return Verdict::stale;
        said_ = correction;
        if (backed_ != never) note_gap(std::max(raw - backed_, Duration{0}));
        leading_ = false;
        backed_ = raw;
        if (!set_) return start(raw, correction);
        if (moved_) return follow(raw, correction);
        if (is_newer(correction.date_changes)) return change_date(raw, correction);
        const bool promising = correction.term > term_ && correction.clocks >= clocks_ &&
                               (correction.established || !established_);
        const bool expected = plausible(raw, correction);
        if (!expected && !promising) {
            complains_ = true;
            about_ = correction.term;
            standing_.disagree();
            if (refused_++ == 0 || raw < refusing_since_) refusing_since_ = raw;
            if (refused_ < patience || raw - refusing_since_ < insistence) return Verdict::refused;
            forget_past();  // so it was my clock: what I knew of it is wrong
            return follow(raw, correction);
        }
        expected ? standing_.agree(raw) : standing_.disagree();
        if (correction.term != term_) meet_master(raw, expected);
        const bool acquainted = raw < met_ || raw - met_ >= getting_to_know;
        return follow(raw, acquainted ? correction : weigh(raw, correction));
    }

    // The usual rate of this clock, as it was known before: it runs at that until it is told more.
    void remember(Time raw, Rate rate) {
        line_ = {raw, Duration{0}, -rate};
        servo_.set(line_);
    }

    // As master a node corrects itself, and is not its own judge. `backed`: when another clock that
    // follows this time was last heard; never: none was.
    void lead(Time raw, const Correction& correction, Time backed = never) {
        if (!leading_)
            reach_ = 3 * said_.error + said_.path + magnitude(line_(raw) - said_.line(raw));
        if (correction.path != Duration{0}) reach_ = correction.path;
        leading_ = true;
        // A master that is alone knows its rate no better than when it was not.
        const Rate known = std::exchange(said_, correction).rate_bound;
        if (correction.rate_bound == Rate{}) said_.rate_bound = known;
        // A clock that was doubted is not trusted because nobody is left to say so.
        const bool confirmed = backed != never && (backed_ == never || backed > backed_);
        const bool doubted = doubted_ && !confirmed;
        if (confirmed) standing_.agree(raw);
        if (backed != never) backed_ = backed_ == never ? backed : std::max(backed_, backed);
        if (!set_) {
            start(raw, correction);
            return;
        }
        if (is_newer(correction.date_changes))
            servo_.step(correction.line);
        else if (correction.term != term_ && !plausible(raw, correction))
            holdover_.forget();
        follow(raw, correction);
        doubted_ = doubted;
    }
    // A master that knows differences only, as BSD timed, says how much the visible clock lacks;
    // nothing is learned about rates from it. From a second on the slew is ten times as fast, as
    // that of a BSD kernel: hosts that slewed at different rates would be corrected back and forth.
    // While this clock slews, a difference that is nearer to none than to what is left to slew
    // tells that the master slews likewise: then it is added to what is left.
    void make_up(Time raw, Duration by, Duration error) {
        if (!set_) standing_.come(-by);
        const Duration left = line_(raw) - servo_.offset(raw);
        const bool likewise = set_ && magnitude(by) < magnitude(left - by);
        const Duration lacking = likewise ? left + by : by;
        const bool fast = likewise || magnitude(by) >= std::chrono::seconds(1);
        const Rate limit = clamp((fast ? 10 : 1) * servo_.bsd_limit(), fastest_slew);
        const Line& target = differing(raw, lacking);
        set_ ? servo_.slew(raw, target, limit) : servo_.start(raw, target);
        learn_difference(raw, error);
    }
    // The same at once: a master set the date.
    void make_up_at_once(Time raw, Duration by, Duration error) {
        servo_.step(differing(raw, by));
        learn_difference(raw, error);
    }
    // My clock has gone wrong: whatever comes next is better.
    void distrust() {
        forget_past();
        doubted_ = true;
        refused_ = patience;
        refusing_since_ = -insistence;
    }

    // The master says that this clock is not as it was measured.
    void doubt() { doubted_ = true; }
    // The clock that people see shows `shown` more than the raw one, and nobody here has moved it.
    void moved(Time raw, Duration shown) {
        servo_.moved(raw, shown);
        ++epoch_;
        forget_past();
        standing_.settle();  // it is not the clock any more that it came with
        refused_ = 0;
        complains_ = false;
        doubted_ = moved_ = true;
    }

    bool is_set() const { return set_; }
    bool awaits_measuring() const { return moved_; }
    // Not with a clock that went wrong, before it has been right for a minute. But where no master
    // was heard for half of one, all clocks may have been moved or have slept: then any may lead.
    bool may_lead(Time raw) const {
        return standing_.sound() || backed_ == never || raw - backed_ >= desertion;
    }
    Term term() const { return term_; }
    // As far as others may rely on this clock: what a clock that went wrong follows is hearsay.
    std::uint32_t clocks() const { return standing_.sound() ? clocks_ : 0; }
    bool established() const { return established_ && standing_.sound(); }
    const ClockStanding& standing() const { return standing_; }
    std::uint32_t date_changes() const { return date_changes_; }
    const Line& line() const { return line_; }  // the network minus the raw clock
    const Servo& servo() const { return servo_; }
    const Holdover& holdover() const { return holdover_; }
    // Three in a row: one or two are refused by chance where packets queue in one direction.
    bool keeps_refusing() const { return refused_ >= 3; }
    Time read(Time raw) const { return servo_.read(raw); }
    Duration bound(Time raw) const { return holdover_.bound(raw); }

    // `beside`: what people see minus what this keeper says that it shows.
    ErrorBound error_bound(Time raw, Duration beside = {}) const {
        const Duration alone =
            backed_ == never ? Duration{0} : std::max(raw - backed_, Duration{0});
        ErrorBound bound{3 * said_.error + magnitude(line_(raw) - said_.line(raw)),
                         magnitude(line_(raw) - servo_.offset(raw)), magnitude(beside),
                         leading_ ? Duration{0} : said_.path,
                         Holdover::growth(alone, said_.rate_error, said_.rate_bound)};
        // By now somebody else may be master, who knew the time no better than this node did; nor
        // did a master's slaves.
        if (alone > std::max(silence, 5 * usual_gap_ / 2))
            bound.growth += leading_ ? reach_ : bound.estimate + bound.path;
        return bound;
    }
    // `fresh`: so long after it was last backed it still counts as synchronised.
    Trust trust(Time raw, Duration fresh = std::chrono::seconds(10)) const {
        if (!set_ || doubted_ || backed_ == never || baseless_) return Trust::unknown;
        return raw - backed_ <= fresh ? Trust::synchronised : Trust::holdover;
    }

    Report report(Time raw) const {
        return {term_,
                set_ && !moved_,
                complains_,
                about_,
                standing_.sound(),
                established(),
                clocks(),
                servo_.offset(raw),
                line_(raw),
                bound(raw),
                holdover_.knows_rate() ? holdover_.rate() : -line_.rate,
                holdover_.knows_rate(),
                standing_.opinion(),
                epoch_};
    }

private:
    static constexpr std::uint32_t patience = 5;                     // corrections, and
    static constexpr Duration insistence = std::chrono::seconds(3);  // so long, before it gives in
    static constexpr Duration slack = std::chrono::microseconds(2);
    static constexpr Duration silence = std::chrono::milliseconds(1500);
    static constexpr Rate bsd_rate_error = ppm(100);  // nothing is learned about rates from it
    static constexpr Duration desertion = std::chrono::seconds(30);
    static constexpr Duration getting_to_know = std::chrono::minutes(2);

    // Counts go round.
    bool is_newer(std::uint32_t date_changes) const {
        return static_cast<std::int32_t>(date_changes - date_changes_) > 0;
    }
    const Line& differing(Time raw, Duration by) {
        return line_ = {raw, servo_.offset(raw) + by, line_.rate};
    }
    void learn_difference(Time raw, Duration error) {
        set_ = true;
        doubted_ = moved_ = baseless_ = false;
        said_ = {.term = term_,
                 .line = line_,
                 .error = error,
                 .rate_error = bsd_rate_error,
                 .clocks = clocks_};
        backed_ = raw;
        holdover_.learn(raw, {}, error, bsd_rate_error);
    }

    // The lesser of the last two: one pause does not make corrections seldom.
    void note_gap(Duration gap) { usual_gap_ = std::min(gap, std::exchange(last_gap_, gap)); }

    bool plausible(Time raw, const Correction& correction) const {
        const Duration apart = magnitude(correction.line(raw) - line_(raw));
        return apart <= 3 * holdover_.bound(raw) + 6 * correction.error + 2 * slack;
    }
    void forget_past() {
        holdover_.forget();
        standing_.doubt();
        met_ = never;
    }
    // From now on there are two opinions, unless the new one is of another time altogether, against
    // which nothing is known of this clock's rate.
    void meet_master(Time raw, bool expected) {
        met_ = expected ? raw : never;
        if (!expected) holdover_.forget();
        past_ = line_;
        known_ = holdover_;
    }
    // The mean of what was known and what is new, each weighed by the square of its error. What a
    // fresh line says of its own error comes from few samples, so it is doubled.
    Correction weigh(Time raw, Correction fresh) const {
        const Line old = past_.moved_to(raw);
        const Duration old_error = known_.likely_error(raw);
        const Rate old_rate_error = known_.likely_rate_error();
        const std::int64_t apart = (fresh.line(raw) - old.offset).count();
        const std::int64_t faster = (fresh.line.rate - old.rate).ppt;
        fresh.line = old;
        fresh.line.offset += Duration{share(apart, old_error.count(), 2 * fresh.error.count())};
        fresh.line.rate.ppt += share(faster, old_rate_error.ppt, fresh.rate_error.ppt);
        fresh.error = std::min(fresh.error, old_error);
        fresh.rate_error = std::min(fresh.rate_error, old_rate_error);
        return fresh;
    }
    // Of the difference between two estimates, what moves the first to their weighed mean.
    static std::int64_t share(std::int64_t apart, std::int64_t first, std::int64_t second) {
        constexpr std::int64_t most = std::int64_t{1} << 40, parts = std::int64_t{1} << 20;
        const Wide a = std::min(first, most) + 1, b = std::min(second, most) + 1;
        return divide(Wide{apart} * (a * a * parts / (a * a + b * b)), parts);
    }
    Verdict start(Time raw, const Correction& correction) {
        standing_.come(servo_.offset(raw) - correction.line(raw));
        line_ = correction.line;
        return follow(raw, correction);
    }
    // The clock runs as it did, but shows another time.
    Verdict change_date(Time raw, const Correction& correction) {
        servo_.step(correction.line);
        met_ = never;
        return follow(raw, correction);
    }
    Verdict follow(Time raw, const Correction& correction) {
        refused_ = 0;
        // Within a term it is this clock that moves; from one to the next, the network.
        if (correction.term != term_ && !moved_) standing_.move(correction.line(raw) - line_(raw));
        complains_ = doubted_ = moved_ = false;
        if (correction.established) standing_.settle();
        term_ = correction.term;
        clocks_ = correction.clocks;
        date_changes_ = correction.date_changes;
        established_ = correction.established;
        baseless_ = correction.clocks == 0;
        line_ = correction.line;
        holdover_.learn(raw, -line_.rate, correction.error, correction.rate_error);
        set_ ? servo_.steer(raw, line_) : servo_.start(raw, line_);
        set_ = true;
        return Verdict::followed;
    }

    Servo servo_;
    Holdover holdover_;
    Line line_{}, past_{};   // now, and as it was when the last master was met
    Holdover known_;         // then
    Time met_ = never;       // or nothing from before counts
    Term term_{}, about_{};  // the last that was followed, and refused
    ClockStanding standing_;
    std::uint32_t clocks_ = 0, date_changes_ = 0, refused_ = 0;
    Time refusing_since_{};
    Correction said_{};                  // by a master, last
    Time backed_ = never;                // when another clock last was of the same opinion
    Duration last_gap_{}, usual_gap_{};  // between corrections
    Duration reach_{};  // as master: how far the others may be, or this node when it took over
    bool leading_ = false;
    bool set_ = false, complains_ = false, established_ = false;
    bool doubted_ = false;   // until the next correction
    bool baseless_ = false;  // no sound clock is behind the time that it was told last
    bool moved_ = false;     // the next one is followed, whatever it says
    std::uint8_t epoch_;
};

}  // namespace conclave::clock
