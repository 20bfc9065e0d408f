// Changes of the roster as an operator asks for them, one at a time: add, remove or replace a
// member, or other times.
//
// A change says what becomes of a roster; the lease decides when it may begin and when it is done
// (lease/changing.hpp). A plan is a list of changes for exhaustive search.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/core/time.hpp"
#include "conclave/lease/candidacy.hpp"
#include "conclave/lease/lease_messages.hpp"

namespace conclave::member {

using lease::Roster;
using lease::Seat;
using lease::Seats;

struct RosterChange {
    Id by = nobody;  // who is asked for it; nobody: whoever leads
    Id added = nobody;
    Id removed = nobody;     // together with `added`: replaced by it
    std::vector<Id> kept{};  // if there are any: only these stay
    Duration promise{};      // L from then on; 0: as it is
    Duration lease{};        // D from then on; 0: as it is

    enum class Obstacle : std::uint8_t {
        none,
        nothing_changes,
        is_member,   // who is to be added
        no_member,   // who is to be removed
        last_member  // nobody would be left
    };
    Obstacle obstacle(const Roster& roster) const {
        const bool same_name = added == removed;  // another disk of the same member
        if (added == nobody && removed == nobody && kept.empty() && promise == Duration{0})
            return Obstacle::nothing_changes;
        if (removed != nobody && !is_seated(roster.members, removed)) return Obstacle::no_member;
        if (added != nobody && !same_name && is_seated(roster.members, added))
            return Obstacle::is_member;
        if (added == nobody && removed != nobody && roster.members.size() == 1)
            return Obstacle::last_member;
        return Obstacle::none;
    }
    // `key`: of the disk of whoever is added.
    lease::Alter apply(const Roster& roster, std::uint32_t key) const {
        lease::Alter wish{roster.members, promise != Duration{0} ? promise : roster.promise,
                          lease != Duration{0} ? lease : roster.lease};
        std::erase_if(wish.members, [&](const Seat& seat) {
            const bool stays =
                kept.empty() || std::find(kept.begin(), kept.end(), seat.member) != kept.end();
            return seat.member == removed || !stays;
        });
        if (added == nobody) return wish;
        const auto at = std::find_if(wish.members.begin(), wish.members.end(),
                                     [&](const Seat& seat) { return seat.member > added; });
        wish.members.insert(at, {added, key});
        return wish;
    }

    // "+4", "-3", "-3+4"; "=12": only 1 and 2 stay; "5ms/2ms": L and D. "1:+4": asked of member 1.
    bool parse(std::string_view text) {
        *this = {};
        if (text.size() > 2 && text[1] == ':') {
            if (text[0] < '1' || text[0] > '9') return false;
            by = Id{static_cast<std::uint32_t>(text[0] - '0')};
            text.remove_prefix(2);
        }
        if (text.empty()) return false;
        if (text.front() == '=') {
            for (const char digit : text.substr(1)) {
                if (digit < '1' || digit > '9') return false;
                kept.push_back(Id{static_cast<std::uint32_t>(digit - '0')});
            }
            return !kept.empty();
        }
        if (text.front() != '+' && text.front() != '-') return parse_times(text);
        if (text.front() == '-' && !parse_id(text, removed)) return false;
        if (!text.empty() && (text.front() != '+' || !parse_id(text, added))) return false;
        return text.empty();
    }

private:
    bool parse_times(std::string_view text) {
        const std::size_t slash = text.find('/');
        if (slash == std::string_view::npos) return false;
        const auto longer = parse_duration(text.substr(0, slash));
        const auto shorter = parse_duration(text.substr(slash + 1));
        if (!longer || !shorter || *shorter <= Duration{0} || *longer < *shorter) return false;
        promise = *longer, lease = *shorter;
        return true;
    }
    static bool parse_id(std::string_view& text, Id& id) {
        std::uint32_t number = 0;
        const auto read = std::from_chars(text.data() + 1, text.data() + text.size(), number);
        if (read.ec != std::errc{} || number == 0 || number > 16) return false;
        text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
        id = Id{number};
        return true;
    }
};

// The k-th change begins when k are done. Where it has alternatives, each leader takes any of them.
class Changes {
public:
    // "+4,-4": one after the other; "+4|-3": either.
    bool parse(std::string_view text) {
        steps_.clear();
        return each_part(text, ',', [&](std::string_view step) {
            auto& list = steps_.emplace_back();
            return each_part(step, '|',
                             [&](std::string_view one) { return list.emplace_back().parse(one); });
        });
    }
    // The greatest machine that one of them names.
    std::uint32_t greatest() const {
        Id most = nobody;
        for (const auto& step : steps_)
            for (const RosterChange& each : step) {
                most = std::max({most, each.by, each.added, each.removed});
                for (const Id id : each.kept) most = std::max(most, id);
            }
        return static_cast<std::uint32_t>(most);
    }
    const std::vector<RosterChange>* after(std::uint32_t done) const {
        return done < steps_.size() ? &steps_[done] : nullptr;
    }

private:
    template <class Read>
    static bool each_part(std::string_view text, char between, const Read& read) {
        for (;;) {
            const std::size_t end = std::min(text.find(between), text.size());
            if (!read(text.substr(0, end))) return false;
            if (end == text.size()) return true;
            text.remove_prefix(end + 1);
        }
    }
    std::vector<std::vector<RosterChange>> steps_;
};

// As conclave::detail::parse_value, for settings.
inline bool parse_value(std::string_view from, Changes& changes) { return changes.parse(from); }

struct Plan {
    Changes changes{};

    // What an operator asks of a leader with this roster. Who is to be added is known by its
    // answers.
    template <class Turn>
    std::optional<lease::Alter> next(const Roster& roster, const lease::Candidacy& candidacy,
                                     Turn& turn) const {
        const std::vector<RosterChange>* step = changes.after((roster.stamp.n + 1) / 2);
        if (step == nullptr || !roster.known()) return std::nullopt;
        const RosterChange& change = (*step)[step->size() == 1 ? 0 : turn.choose(step->size())];
        if (change.by != nobody && change.by != turn.me) return std::nullopt;
        if (change.obstacle(roster) != RosterChange::Obstacle::none) return std::nullopt;
        std::uint32_t key = 1;
        for (const lease::Answered& each : candidacy.answers)
            if (each.member == change.added) key = each.key;
        return change.apply(roster, key);
    }
};

}  // namespace conclave::member
