// The model's view of one member, built from the member's own code and kept beside it for a turn.
//
// Only what concerns this member is filled in: what the others did arrives as messages, which the
// model never takes back. What the member promised is in the time of its own clock, where a promise
// lasts L; what it was promised is in true time, where that is P at least (proofs/clocks.smt2).
#pragma once

#include <optional>

#include "conclave/member/machine.hpp"
#include "tests/proofs/machine.hpp"

namespace conclave::proofs {

using lease::Ballot;

inline const Machine& lease_machine() {
    static const Machine machine(ModelReader::read(read_file(lease_model_path)));
    return machine;
}

class Shadow {
public:
    Shadow(Id me, std::uint32_t members, std::uint32_t quorum)
        : me_(static_cast<Value>(me) - 1),
          world_(machine_.world({{"Member", members},
                                 {"Ballot", ballots_max},
                                 {"Quorum", count_quorums(members, quorum)}})) {
        Value q = 0;
        for (std::uint32_t set = 0; set < 1u << members; ++set)
            if (static_cast<std::uint32_t>(std::popcount(set)) == quorum) fill_quorum(q++, set);
        ballots_.emplace_back();
    }

    Value me() const { return me_; }
    static Value of(Id member) { return static_cast<Value>(member) - 1; }
    std::size_t quorums() const {
        return world_.tables[machine_.function("in")].size() / members();
    }
    std::size_t members() const { return world_.tables[machine_.function("until")].size(); }

    // The number of a ballot, which gets one when it is first heard of.
    Value number(const Ballot& ballot) {
        for (std::size_t i = 0; i < ballots_.size(); ++i)
            if (ballots_[i] == ballot) return static_cast<Value>(i);
        const auto number = static_cast<Value>(ballots_.size());
        ballots_.push_back(ballot);
        set("owner", {number}, of(ballot.member));
        set("token", {number}, static_cast<Value>(lease::token_of(ballot)));
        set("life-of", {number}, ballot.nonce);
        return number;
    }
    const Ballot& ballot(Value number) const {
        return ballots_.at(static_cast<std::size_t>(number));
    }

    Value get(std::string_view function, const Values& at) {
        return machine_.at(world_, function, at);
    }
    Value mine(std::string_view function) { return get(function, {me_}); }
    void set(std::string_view function, const Values& at, Value value) {
        machine_.at(world_, function, at) = value;
    }
    void set_mine(std::string_view function, Value value) { set(function, {me_}, value); }

    // My ballot of which this is true, or 0.
    Value one_of(std::string_view function) {
        for (std::size_t i = 1; i < ballots_.size(); ++i)
            if (ballots_[i].member == Id{static_cast<std::uint32_t>(me_ + 1)} &&
                get(function, {static_cast<Value>(i)}) != 0)
                return static_cast<Value>(i);
        return 0;
    }

    // The code did this. Is it a step of the model?
    void step(std::string_view name, const Values& arguments) {
        if (!wrong_.empty()) return;
        const std::string refusal = machine_.refusal(world_, name, arguments);
        if (refusal.empty())
            machine_.perform(world_, name, arguments);
        else
            blame("the model does not " + std::string(name) + ": " + refusal);
    }
    bool may(std::string_view name, const Values& arguments) const {
        return machine_.refusal(world_, name, arguments).empty();
    }
    void expect(bool agrees, std::string_view what) {
        if (!agrees) blame("code and model differ: " + std::string(what));
    }
    bool held(Value ballot) {
        static const Code held = machine_.formula(held_.body, held_.parameters);
        return machine_.holds(world_, held, {ballot, get("now", {})});
    }
    const std::string& wrong() const { return wrong_; }

private:
    static constexpr std::size_t ballots_max = 12;

    static std::size_t count_quorums(std::uint32_t members, std::uint32_t quorum) {
        std::size_t count = 0;
        for (std::uint32_t set = 0; set < 1u << members; ++set)
            count += static_cast<std::uint32_t>(std::popcount(set)) == quorum;
        return count;
    }
    void fill_quorum(Value q, std::uint32_t set) {
        for (Value v = 0; v < static_cast<Value>(members()); ++v) {
            this->set("in", {q, v}, set >> v & 1);
            const std::uint32_t others = set & ~(1u << v);
            this->set("another", {q, v}, others == 0 ? v : std::countr_zero(others));
        }
    }
    void blame(std::string what) {
        if (wrong_.empty()) wrong_ = std::move(what);
    }

    const Machine& machine_ = lease_machine();
    const Definition held_{
        "held", {{"b", "Ballot"}, {"t", "Real"}}, "Bool", TermReader("(held b t)").all().at(0)};
    Value me_;
    World world_;
    std::vector<Ballot> ballots_;
    std::string wrong_;
};

}  // namespace conclave::proofs
