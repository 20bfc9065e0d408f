// A master's probes, seen from the stage that sends them.
#include "conclave/timed/daemon/reign.hpp"

#include <gtest/gtest.h>

namespace conclave::timed {
namespace reign_test {

using namespace std::chrono_literals;

struct Recorder final : Reign::Stage {
    std::uint64_t send_probe(Id slave, const Probe& probe, bool) override {
        said.push_back(slave);
        last = probe.number;
        if (timepiece != nullptr) asked = timepiece->raw_now();
        return said.size();
    }
    void go_ahead(Id) override { said.push_back(nobody); }
    void lose(Id) override {}
    void resign() override {}
    void lead(const clock::Correction&) override {}

    std::vector<Id> said;  // nobody: a packet went ahead
    std::uint32_t last = 0;
    const Timepiece* timepiece = nullptr;
    Time asked{};
};

std::vector<Id> many(std::uint32_t count) {
    std::vector<Id> all;
    for (std::uint32_t id = 1; id <= count; ++id) all.push_back(Id{id});
    return all;
}

struct Fixture {
    explicit Fixture(std::uint32_t slaves) { reign.set_slaves(many(slaves)); }
    void run(Duration time) {
        for (const Time end = loop.time() + time; loop.time() < end;) loop.step(end - loop.time());
    }
    net::Loop loop;
    std::unique_ptr<Timepiece> timepiece = make_timepiece({.clock = ClockKind::virtual_});
    clock::Keeper keeper;
    Recorder stage;
    Reign reign{loop, Id{100}, *timepiece, keeper, 1s, 1, 7, stage};
};

TEST(Reign, one_packet_goes_ahead_of_a_bunch_of_probes) {
    Fixture it(8);
    it.run(130ms);
    ASSERT_GE(it.stage.said.size(), 9u);
    it.stage.said.resize(9);
    std::vector<Id> wanted = many(8);
    wanted.insert(wanted.begin(), nobody);
    EXPECT_EQ(it.stage.said, wanted);
}

TEST(Reign, more_than_eight_slaves_are_several_bunches) {
    Fixture it(20);
    it.run(130ms);
    const std::vector<Id>& said = it.stage.said;
    EXPECT_GE(std::count(said.begin(), said.end(), nobody), 3);
    for (std::size_t i = 0, length = 0; i < said.size(); ++i) {
        length = said[i] == nobody ? 0 : length + 1;
        EXPECT_LE(length, 8u);
    }
}

TEST(Reign, who_comes_later_is_probed_along_with_the_others) {
    Fixture it(1);
    it.run(60ms);
    it.reign.set_slaves(many(2));
    it.stage.said.clear();
    it.run(130ms);
    ASSERT_GE(it.stage.said.size(), 3u);
    EXPECT_EQ(it.stage.said[0], nobody);
    EXPECT_NE(it.stage.said[1], nobody);
    EXPECT_NE(it.stage.said[2], nobody);
}

// A machine that was paused with all of its clocks is told so milliseconds after it was heard.
TEST(Reign, an_answer_that_surprises_is_asked_about_at_once) {
    Fixture it(1);
    it.stage.timepiece = it.timepiece.get();
    const auto packets_after_answer = [&](Duration leapt) {
        for (const std::uint32_t before = it.stage.last; it.stage.last == before;) it.run(5ms);
        const std::size_t said = it.stage.said.size();
        const Time now = it.timepiece->raw_now(), half = (it.stage.asked + now) / 2 + leapt;
        EXPECT_TRUE(it.reign.hear(
            Id{1}, {.number = it.stage.last, .received = half, .answered = half}, now, false));
        return it.stage.said.size() - said;
    };
    for (int i = 0; i < 20; ++i) EXPECT_EQ(packets_after_answer(0s), 0u) << i;
    EXPECT_EQ(packets_after_answer(-1h), 2u) << "one goes ahead";
}

}  // namespace reign_test
}  // namespace conclave::timed
