// A node inside a C++ program: the program leads, or somebody else does.
//
//     conclave::Elector elector({{"group", "jobs"}, {"expect", "3"}});
//     while (elector.campaign(stop).leads) work_while_it_leads(elector);
//
// conclave run adds a guardian, which ends the work in time; a library cannot. Here the program
// itself must stop by the deadline, or what it writes to must refuse an old token.
//
// Threads: an elector has threads of its own, for the network, for its disk and for `changed`. All
// functions may be called on any thread.
// Callbacks: `changed` is called on its own thread, one change after the other. It may take its
// time, for it holds up nothing but a hand-over, and may call all functions but the destructor;
// campaign() does not wait there. By the time of the call the leadership may be another. `log` is
// called on the threads of the network and of the constructor, holds up renewals, and must not call
// the elector. No callback may throw. They may come before the constructor has returned.
// Fork: the elector stays with the process that made it. In a child leadership() is never `leads`,
// fd() is -1, every request is refused with a sentence, and the destructor does nothing. A child
// that lives on without exec keeps the state folder locked: end it, or exec.
// Signals: no handler is installed, and the elector's threads block all signals.
// Destruction: hands over and ends, within `detect` plus the time of callbacks that are due and of
// a write to the state file that is under way. If this program leads, `changed` is called once
// more.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "conclave/leader_election.hpp"

namespace conclave {

class Elector final : public LeaderElection {
public:
    // Words of conclave run without the dashes, and their values: {"detect", "500ms"}. Flags have
    // the values true and false. Words about commands, checks, hooks and HTTP are refused.
    using Settings = std::vector<std::pair<std::string, std::string>>;

    // A sentence with the setting, its value and the remedy.
    struct Refusal : std::runtime_error {
        using std::runtime_error::runtime_error;
    };

    // Starts; without `log` it is silent. Throws a Refusal. Where a node of this name has just
    // died, it waits up to 10 s + `detect` for what that left behind; one that lives is refused
    // after half a second.
    explicit Elector(const Settings& settings, Changed changed = {}, Logged log = {});
    ~Elector() override;
    Elector(const Elector&) = delete;
    Elector& operator=(const Elector&) = delete;

    Leadership leadership() const override;
    Leadership campaign(std::stop_token stop = {}, Duration limit = for_ever) override;
    // Other members and times of the running group, as conclave members and conclave set have them:
    // on any member, whoever leads. Each waits until the change is done, for up to `limit`, and
    // returns an empty string, or a sentence that says why not, or what it waits for; in a callback
    // it does not wait. Said again, it goes on waiting; what is so already is refused the first
    // time.
    static constexpr Duration usual_limit = std::chrono::seconds(60);
    std::string add_member(const std::string& entry, Duration limit = usual_limit) {
        return change({"add", entry}, limit);
    }
    std::string remove_member(const std::string& name, Duration limit = usual_limit) {
        return change({"remove", name}, limit);
    }
    std::string replace_member(const std::string& name, const std::string& entry,
                               Duration limit = usual_limit) {
        return change({"replace", name, entry}, limit);
    }
    // A `heartbeat` of 0 stays in the same proportion to `detect`; a `detect` of 0 stays.
    std::string set_times(Duration detect, Duration heartbeat = {}, Duration limit = usual_limit) {
        std::vector<std::string> words{"set"};
        if (detect != Duration{0}) words.insert(words.end(), {"detect", format_duration(detect)});
        if (heartbeat != Duration{0})
            words.insert(words.end(), {"heartbeat", format_duration(heartbeat)});
        return change(words, limit);
    }
    // Makes a group of the members that are left, this one among them, when a majority is lost for
    // good: see docs/lease.md for what that may cost. `phrase` is what the operator typed; if it is
    // not the one that is asked for, nothing happens, and the sentence says it.
    std::string force_members(const std::vector<std::string>& left, const std::string& phrase,
                              Duration limit = usual_limit) {
        std::string list;
        for (const std::string& name : left) list += (list.empty() ? "" : ",") + name;
        return change({"force", list}, limit, phrase);
    }

    std::string resign(const std::string& successor = {}) override;
    std::string publish(const std::string& value) override;
    std::string pause() override;
    std::string resume() override;
    std::vector<Participant> participants() const override;
    std::string failure() const override;
    int fd() const override;
    Leadership take_news() override;

private:
    std::string change(const std::vector<std::string>& words, Duration limit,
                       const std::string& phrase = {});

    struct Body;
    std::unique_ptr<Body> body_;
};

}  // namespace conclave
