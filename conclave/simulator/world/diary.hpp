// Writes down what happens, for those who asked for it; for all others a note costs one test.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

#include "conclave/core/algorithm.hpp"
#include "conclave/core/text.hpp"
#include "conclave/trace/record.hpp"

namespace conclave::simulator {

class Diary {
public:
    explicit Diary(trace::Trace* trace) : trace_(trace) {}

    bool kept() const { return trace_ != nullptr; }

    // `said` is a text, or whatever text() makes one of.
    template <class Said = std::string_view>
    void note(Time now, trace::Kind kind, Id node, Id other = nobody, std::uint64_t flight = 0,
              const Said& said = {}) {
        if (trace_ != nullptr) [[unlikely]]
            write(now, kind, node, other, flight, said);
    }

    void note(Time now, const trace::MachineState& state) {
        trace_->machines.push_back({trace_->records.size(), now, state});
    }

    // The message of the last note was its sender's `count`th.
    void number(std::uint32_t count) {
        if (trace_ != nullptr) [[unlikely]]
            trace_->records.back().count = count;
    }

    // Around a turn: how the node's state reads then, if it has changed, and which rows of the
    // table fired.
    template <class A>
    void look_before(const A& node, Rows& rows) {
        if (trace_ != nullptr) [[unlikely]]
            remember(node, rows);
    }
    template <class A>
    void look_after(const A& node, Id id, Time now, Rows& rows) {
        if (trace_ != nullptr) [[unlikely]]
            compare(node, id, now, rows);
    }

private:
    // Out of the way of the runs that nobody watches.
    template <class Said>
    [[gnu::cold, gnu::noinline]] void write(Time now, trace::Kind kind, Id node, Id other,
                                            std::uint64_t flight, const Said& said) {
        if constexpr (std::convertible_to<Said, std::string_view>)
            trace_->add(now, kind, node, other, flight, std::string(std::string_view(said)));
        else
            trace_->add(now, kind, node, other, flight, text(said));
        trace_->records.back().rows = std::exchange(unnoted_, 0);
    }
    template <class A>
    [[gnu::cold, gnu::noinline]] void remember(const A& node, Rows& rows) {
        label_ = label_of(node);
        fired_ = std::exchange(rows.fired, 0);
        unnoted_ = 0;
    }
    template <class A>
    [[gnu::cold, gnu::noinline]] void compare(const A& node, Id id, Time now, Rows& rows) {
        const bool opened = !trace_->records.empty() && opens_turn(trace_->records.back(), id, now);
        if (opened) trace_->records.back().rows = rows.fired;
        const std::string label = label_of(node);
        if (!opened) unnoted_ = rows.fired;  // a start at 0: the next note of the turn has them
        if (label != label_) write(now, trace::Kind::state, id, nobody, 0, label);
        rows.fired |= fired_;
    }
    static bool opens_turn(const trace::Record& record, Id id, Time now) {
        using trace::Kind;
        const bool event = record.kind == Kind::arrive || record.kind == Kind::timer ||
                           record.kind == Kind::call || record.kind == Kind::suspect ||
                           record.kind == Kind::trust || record.kind == Kind::start ||
                           record.kind == Kind::recover || record.kind == Kind::report;
        return event && record.node == id && record.time == now;
    }

    trace::Trace* trace_;
    std::string label_;
    std::uint64_t fired_ = 0;    // rows before this turn
    std::uint64_t unnoted_ = 0;  // rows of a turn that no note has opened
};

}  // namespace conclave::simulator
