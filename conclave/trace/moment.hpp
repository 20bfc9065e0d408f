// The events of one instant, put together for the eye: the copies of one message that go the
// same way at the same time are one event, and so is all that happens to a node in a row.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conclave/trace/cast.hpp"
#include "conclave/trace/phrases.hpp"
#include "conclave/trace/record.hpp"

namespace conclave::trace {

struct Event {
    enum class Shape : std::uint8_t { message, note, banner };

    Shape shape = Shape::note;
    std::vector<const Record*> records;  // of a message: its arrivals or losses
    std::size_t place = 0;               // of a message: the sender
    std::vector<std::size_t> to;         // of a message: the receivers
    std::string_view text;               // of a message: what it says
    Time sent{};                         // of a message: when

    bool lost() const { return records.front()->kind == Kind::lose; }
    std::string_view reason() const { return lost() ? records.front()->text : std::string_view{}; }
};

class Moments {
public:
    Moments(const Trace& trace, const Cast& cast, const Flights& flights);

    // The events of records that have one time in common. Valid until the next call.
    const std::vector<Event>& gather(std::span<const Record> records);

private:
    void add_message(const Record& record);
    void add_note(const Record& record);
    void add_banner(const Record& record);
    Event& open(Event::Shape shape, const Record& record);

    const Cast& cast_;
    const Flights& flights_;
    std::vector<Presence> presence_;
    std::vector<Event> events_;
    std::map<std::string, std::size_t> groups_;  // of this instant: key of a message -> its event
    std::vector<std::size_t> latest_;            // by place: 1 + its latest event of this instant
    std::vector<std::size_t> touched_;
    std::size_t barrier_ = 0;  // nothing joins an event before the latest banner
};

// The records from `from` on that have the same time as the first.
std::span<const Record> instant_at(const Trace& trace, std::size_t from);
// The usual distance between two instants; 0 if there are fewer than three.
Duration usual_gap(const Trace& trace);

}  // namespace conclave::trace
