// Changes of the roster that operators ask for: add, remove or replace a member, or other times.
// Asked for at any member, and passed on to the leader, whose member decides.
//
// A wish is repeated until it is true, by whoever waits for it: nothing of it is kept here but who
// is expected to come, for a few moments.
#pragma once

#include <string>
#include <string_view>

#include "conclave/agent/group/presence.hpp"
#include "conclave/agent/site.hpp"

namespace conclave::agent {

class Wishes {
public:
    explicit Wishes(Site& site) : site_(site) {}

    // How a wish stands, for its operator.
    struct Answer {
        // `confirm`: a phrase to be typed back, and on the lines behind it what it may cost.
        enum class Verdict : std::uint8_t { done, waits, refused, confirm };
        Verdict verdict = Verdict::refused;
        std::string sentence{};
    };
    // "add NAME[=ADDRESS]", "remove NAME", "replace OLD NEW[=ADDRESS]", "set detect DURATION
    // [heartbeat DURATION]", "set heartbeat DURATION". The `first` time that it is
    // asked for, what is so already is a mistake. "force NAME,NAME [PHRASE]": the `first` time it
    // is done, if the phrase is the one that is asked for.
    Answer answer(const std::string& words, bool first);

    // Another member passes a wish on, or tells how one stands.
    void hear(const Peer& from, const member::Wish& wish);
    void hear(const Peer& from, const WishReply& reply);
    // At a heartbeat: a newcomer that nobody waits for is expected no longer.
    void look();
    bool expects(std::string_view name) const {
        return !site_.newcomer.empty() && member::name_in(site_.newcomer) == name;
    }

private:
    Answer judge(const member::Wish& wish, bool first);
    bool is_decided(const member::Wish& wish);
    Answer force(const std::string& words, bool first);
    std::string problem_of_force(const std::vector<std::string>& kept) const;
    std::vector<std::string> lost_without(const std::vector<std::string>& kept) const;
    std::string problem_of(const member::Wish& wish) const;
    void pursue(const member::Wish& wish);
    WishReply outlook(const member::Wish& wish);
    Answer describe(const member::Wish& wish, const WishReply& reply) const;

    Site& site_;
    Time expected_until_ = lease::long_ago;
    Time judged_ = lease::long_ago, lacking_since_{};  // see outlook()
    member::Wish last_{};                              // that this node was asked for, and ...
    WishReply reply_{};                                // ... what the leader said of it
    Time replied_ = lease::long_ago;
};

}  // namespace conclave::agent
