// Writes down what happens, for those who asked for it; for all others a note costs one test.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

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

    // Around a turn: how the node's state reads then, if it has changed.
    template <class A>
    void look_before(const A& node) {
        if (trace_ != nullptr) [[unlikely]]
            remember(node);
    }
    template <class A>
    void look_after(const A& node, Id id, Time now) {
        if (trace_ != nullptr) [[unlikely]]
            compare(node, id, now);
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
    }
    template <class A>
    [[gnu::cold, gnu::noinline]] void remember(const A& node) {
        label_ = label_of(node);
    }
    template <class A>
    [[gnu::cold, gnu::noinline]] void compare(const A& node, Id id, Time now) {
        const std::string label = label_of(node);
        if (label != label_) trace_->add(now, trace::Kind::state, id, nobody, 0, label);
    }

    trace::Trace* trace_;
    std::string label_;
};

}  // namespace conclave::simulator
