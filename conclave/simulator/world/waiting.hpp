// Events for nodes that stand still, and waits until they go on.
#pragma once

#include <utility>
#include <vector>

#include "conclave/simulator/scenario/script.hpp"

namespace conclave::simulator {

template <class Flight>
class Waiting {
public:
    struct Message {
        std::uint64_t number;  // in the trace
        Flight flight;
    };
    struct Word {  // a suspicion, or a call
        std::uint32_t at;
        Cue cue;
    };

    void hold(std::uint64_t number, const Flight& flight) { messages_.push_back({number, flight}); }
    void hold(std::uint32_t at, const Cue& cue) { words_.push_back({at, cue}); }

    void forget(std::uint32_t at) {
        take_messages(at);
        take_words(at);
    }
    std::vector<Message> take_messages(std::uint32_t at) {
        return take(messages_, [&](const Message& message) { return message.flight.to == at; });
    }
    std::vector<Word> take_words(std::uint32_t at) {
        return take(words_, [&](const Word& word) { return word.at == at; });
    }

private:
    template <class Item, class Wanted>
    static std::vector<Item> take(std::vector<Item>& items, const Wanted& wanted) {
        std::vector<Item> taken, left;
        for (Item& item : items) (wanted(item) ? taken : left).push_back(std::move(item));
        items = std::move(left);
        return taken;
    }

    std::vector<Message> messages_;
    std::vector<Word> words_;
};

}  // namespace conclave::simulator
