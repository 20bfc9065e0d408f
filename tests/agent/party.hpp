// A few real nodes in one loop, over the loopback interface, with nothing but leading to do.
#pragma once

#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <memory>

#include "conclave/agent/launch.hpp"
#include "conclave/agent/node.hpp"
#include "conclave/net/clock.hpp"
#include "conclave/net/random.hpp"
#include "tests/support/tool.hpp"

namespace conclave::agent {

using Words = std::vector<std::pair<std::string, std::string>>;

struct Guest {
    Guest(net::Loop& loop, const Config& config)
        : launch(prepare_launch(config)),
          node(
              loop, config, launch.keys, *launch.file, launch.state,
              [&loop](int, Work::Gone gone) { return make_idle_work(loop, std::move(gone)); },
              [this](int code, const std::string&) { ended = code; }) {
        node.on_change = [this] { node.status(); };  // whenever something changes it can be asked
        node.start();
    }
    Launch launch;
    int ended = -1;
    Node node;
};

class Party {
public:
    explicit Party(Words words = {}, std::string members = "a,b,c")
        : words_(std::move(words)),
          members_(std::move(members)),
          port_(20'000 + net::random_number() % 20'000) {}

    Config config_of(const std::string& name, const Words& more = {}) const {
        std::vector<options::Given> given;
        const auto add = [&](const std::string& word, const std::string& value) {
            std::erase_if(given, [&](const options::Given& each) { return each.name == word; });
            given.push_back({word, value, "--" + word});
        };
        add("group", "party");
        add("name", name);
        const bool joins = !more.empty() && more.front().first == "join";
        if (!members_.empty() && !joins) add("members", members_);
        add("detect", "300ms");
        add("state", folder_ / "state");
        add("meeting", "239.255.76.78:" + std::to_string(port_));
        for (const auto& [word, value] : words_) add(word, value);
        for (const auto& [word, value] : more) add(word, value);
        return make_config(given, {});
    }
    Node& invite(const std::string& name, const Words& more = {}) {
        guests_[name] = std::make_unique<Guest>(loop, config_of(name, more));
        return guests_[name]->node;
    }
    void invite_all() {
        for (const char* name : {"a", "b", "c"}) invite(name);
    }
    // As if its machine had lost its power.
    void lose(const std::string& name) { guests_.erase(name); }

    // ... and its disk.
    void lose_with_memory(const std::string& name) {
        lose(name);
        std::filesystem::remove(folder_ / ("state/party/" + name + ".state"));
    }

    template <class Condition>
    bool wait_for(Condition condition) {
        const Time end = net::boot_time() + std::chrono::seconds(30);
        while (!condition() && net::boot_time() < end) loop.step(std::chrono::milliseconds(5));
        return condition();
    }
    // Who may act, by its own word; empty: nobody.
    std::string leader() const {
        for (const auto& [name, guest] : guests_)
            if (guest->node.status().may_act) return name;
        return {};
    }
    bool wait_for_leader() {
        return wait_for([&] {
            const std::string name = leader();
            for (const auto& [other, guest] : guests_)
                if (guest->node.status().leader != name) return false;
            return !name.empty();
        });
    }
    // What becomes of a change of the members that is asked for there.
    std::string change(const std::string& name, const std::string& words) {
        std::string answer = node(name).change(words, true);
        wait_for([&] {
            if (answer.starts_with("waits")) answer = node(name).change(words, false);
            return !answer.starts_with("waits");
        });
        return answer;
    }
    Node& node(const std::string& name) { return guests_.at(name)->node; }
    // With which code it ended; -1: it lives.
    int ended(const std::string& name) const { return guests_.at(name)->ended; }
    Node& leading() { return node(leader()); }
    // Anybody else.
    std::string follower() const {
        for (const auto& [name, guest] : guests_)
            if (name != leader()) return name;
        return {};
    }

    net::Loop loop;

private:
    conclave::tests::Folder folder_;
    Words words_;
    std::string members_;
    std::uint64_t port_;
    std::map<std::string, std::unique_ptr<Guest>> guests_;
};

}  // namespace conclave::agent
