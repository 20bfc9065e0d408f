// The nodes that appear in a trace, and which send every arrival belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "conclave/trace/record.hpp"

namespace conclave::trace {

// The nodes in the order of the trace; one that only the records know of stands at the end.
class Cast {
public:
    explicit Cast(const Trace& trace);

    std::size_t size() const { return ids_.size(); }
    Id id(std::size_t place) const { return ids_[place]; }
    bool contains(Id id) const { return places_.contains(id); }
    std::size_t place(Id id) const { return places_.at(id); }

private:
    void add(Id id);

    std::vector<Id> ids_;
    std::unordered_map<Id, std::size_t> places_;
};

// Which send an arrival or a loss belongs to, and what becomes of a send. What was lost at once may
// have no number; then its loss stands right behind its send.
class Flights {
public:
    explicit Flights(const Trace& trace);

    // Null for what the trace does not know.
    const Record* sent(const Record& arrival) const;
    // The first arrival, or the loss; null while the message is on its way.
    const Record* ended(const Record& send) const;
    // The text of the message of an arrival or a loss.
    std::string_view text_of(const Record& arrival) const;

private:
    struct Flight {
        const Record* sent = nullptr;
        const Record* ended = nullptr;
    };
    Flight find(std::uint64_t number) const;

    const Trace& trace_;
    std::unordered_map<std::uint64_t, Flight> flights_;
};

// The visible state of one node.
struct Presence {
    bool up = true;
    bool paused = false;
    Id leader = nobody;
    std::string_view state;

    bool leads(Id me) const { return up && leader == me && me != nobody; }
    // Whether the record, one of this node, changes anything for the eye.
    bool apply(const Record& record);
};
// Before the first record. A node that starts or recovers later is not there yet.
std::vector<Presence> first_presence(const Trace& trace, const Cast& cast);

}  // namespace conclave::trace
