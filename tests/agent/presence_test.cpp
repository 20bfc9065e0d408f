// What agents say about themselves, and what is made of it when somebody says nonsense.
#include "conclave/agent/group/presence.hpp"

#include "conclave/agent/settings/own_key.hpp"
#include "conclave/wire/body.hpp"
#include "tests/agent/party.hpp"

namespace conclave::agent {
namespace presence_test {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

Presence sound() {
    Presence said{.name = "x", .version = "0.1.0", .algorithm = "bully"};
    said.promise = milliseconds(300);
    said.heartbeat = milliseconds(75);
    said.roster = {"a", "b", "c"};
    said.hearing = {"b", "a"};
    return said;
}

template <class Change>
bool is_sound_with(Change change) {
    Presence said = sound();
    change(said);
    return makes_sense(said);
}

TEST(Presence, names_are_names_and_nothing_else) {
    EXPECT_TRUE(makes_sense(sound()));
    for (const std::string& bad :
         {std::string(), std::string("a b"), std::string("\x1b[2J"), std::string("a\nb"),
          std::string(65, 'a'), std::string("\0", 1)}) {
        EXPECT_FALSE(is_sound_with([&](Presence& p) { p.name = bad; }));
        EXPECT_FALSE(is_sound_with([&](Presence& p) { p.algorithm = bad; }));
        EXPECT_FALSE(is_sound_with([&](Presence& p) { p.roster = {bad}; }));
        EXPECT_FALSE(is_sound_with([&](Presence& p) { p.hearing = {bad}; }));
        EXPECT_EQ(is_sound_with([&](Presence& p) { p.leader = bad; }), bad.empty());
        EXPECT_FALSE(is_sound_with([&](Presence& p) { p.version = bad; }));
    }
    EXPECT_FALSE(is_sound_with([](Presence& p) { p.version = "0.1 \x07"; }));
}

TEST(Presence, lists_and_numbers_have_limits) {
    EXPECT_FALSE(is_sound_with([](Presence& p) { p.roster = {"b", "a"}; }));
    EXPECT_FALSE(is_sound_with([](Presence& p) { p.roster = {"a", "a"}; }));
    EXPECT_FALSE(is_sound_with([](Presence& p) { p.hearing.assign(1001, "a"); }));
    EXPECT_FALSE(is_sound_with([](Presence& p) { p.fixed = true, p.roster.clear(); }));
    EXPECT_FALSE(is_sound_with([](Presence& p) { p.priority = 1'000'001; }));
    EXPECT_FALSE(is_sound_with([](Presence& p) { p.promise = -milliseconds(1); }));
    EXPECT_FALSE(is_sound_with([](Presence& p) { p.uptime = Duration::max(); }));
    EXPECT_TRUE(makes_sense(Objection{Objection::Why::no_member}));
    EXPECT_FALSE(makes_sense(Objection{static_cast<Objection::Why>(4)}));
    EXPECT_TRUE(makes_sense(member::Wish{"d=10.0.0.4:7001", "c"}));
    EXPECT_FALSE(makes_sense(member::Wish{"d=", "c"}));
    EXPECT_FALSE(makes_sense(member::Wish{"", "c d"}));
    EXPECT_FALSE(makes_sense(member::Wish{}));
    EXPECT_FALSE(makes_sense(WishReply{static_cast<member::Awaited>(7), 0, 0}));
    EXPECT_FALSE(makes_sense(WishReply{member::Awaited::nothing, 65, 0}));
}

TEST(Presence, a_roster_names_each_of_its_members_and_fits_into_a_datagram) {
    const auto sound_with = [](auto change) {
        RosterNews news{{},
                        formed_roster(Roster({"a", "b", "c"}), milliseconds(300), milliseconds(290),
                                      milliseconds(75))};
        change(news.roster);
        return makes_sense(news);
    };
    EXPECT_TRUE(sound_with([](auto&) {}));
    EXPECT_FALSE(sound_with([](auto& r) { r = {}; }));
    EXPECT_FALSE(sound_with([](auto& r) { r.titles.pop_back(); }));
    EXPECT_FALSE(sound_with([](auto& r) { r.titles[0].entry = "a\x1b[2J"; }));
    EXPECT_FALSE(sound_with([](auto& r) { r.titles[0].entry = "a=nowhere:0"; }));
    const std::string longest(60, 'n');
    EXPECT_FALSE(sound_with([&](auto& r) {
        for (std::uint32_t i = 4; i <= 40; ++i)
            r.titles.push_back({Id{i}, longest + std::to_string(i)});
        r.last = 40;
    }));
}

// Somebody who has the key and says what it likes to the nodes of a party.
class Speaker {
public:
    Speaker(Party& party, const Config& config)
        : party_(party),
          post_(party.loop,
                {.group = config.group,
                 .keys = read_group_keys(config, true),
                 .identity = 4711,
                 .local = *net::parse_address("127.0.0.1"),
                 .meeting = config.meeting},
                {[](const Delivery&) {},
                 [this](const Receiver& from, bool first) {
                     if (first) known_.push_back(from);
                 }}) {}

    template <class Message>
    void say(const Message& message) {
        Bytes bytes;
        wire::encode_body(message, post_.version(), bytes);
        say(bytes);
    }
    void say(const Bytes& bytes) {
        if (known_.empty()) post_.send_all(wire::Kind::agent, bytes);
        party_.wait_for([&] { return !known_.empty(); });
        for (const Receiver& each : known_) post_.send(each, wire::Kind::agent, bytes);
    }

private:
    Party& party_;
    Post post_;
    std::vector<Receiver> known_{};
};

void run_for(Party& party, Duration span) {
    const Time end = net::boot_time() + span;
    while (net::boot_time() < end) party.loop.step(milliseconds(5));
}

TEST(Presence, that_makes_no_sense_is_dropped_counted_and_reaches_no_log) {
    testing::internal::CaptureStderr();
    Party party;
    Node& node = party.invite("a");
    Speaker speaker(party, node.config());
    Presence evil = sound();
    evil.name = "evil\x1b[2J";
    evil.algorithm = "\x1b]0;gone\x07";
    speaker.say(evil);
    const auto dropped = [&] { return node.status().traffic.dropped; };
    EXPECT_TRUE(party.wait_for([&] {
        const auto all = dropped();
        return std::find(all.begin(), all.end(), "malformed 1") != all.end();
    }));
    EXPECT_THAT(testing::internal::GetCapturedStderr(), Not(HasSubstr("\x1b")));
    for (const std::string& each : node.examine()) EXPECT_THAT(each, Not(HasSubstr("\x1b")));
}

TEST(Presence, what_a_newer_program_says_is_no_error) {
    Party party;
    Node& node = party.invite("a");
    Speaker speaker(party, node.config());
    speaker.say(Bytes(2, std::byte{0x7f}));  // a tag that nobody has yet
    EXPECT_TRUE(party.wait_for([&] {
        const auto all = node.status().traffic.dropped;
        return std::find(all.begin(), all.end(), "unknown 1") != all.end();
    }));
    Bytes longer;
    wire::encode_body(sound(), wire::spoken.newest, longer);
    longer.resize(longer.size() + 5, std::byte{0xee});  // fields that nobody has yet
    EXPECT_TRUE(party.wait_for([&] {
        speaker.say(longer);
        const std::string all = join(node.examine());
        return all.find("'x' is none of them") != std::string::npos;
    })) << join(node.examine());
    for (const std::string& each : node.status().traffic.dropped)
        EXPECT_THAT(each, Not(HasSubstr("malformed")));
}

TEST(Objection, ends_a_newcomer_only_when_it_is_repeated) {
    Party party;
    Node& node = party.invite("a");
    Speaker speaker(party, node.config());
    speaker.say(Question{});
    speaker.say(Objection{});
    run_for(party, milliseconds(450));  // of detection times one and a half
    speaker.say(Objection{});
    run_for(party, milliseconds(100));
    EXPECT_EQ(party.ended("a"), -1);
    for (int i = 0; i < 8 && party.ended("a") == -1; ++i) {
        speaker.say(Objection{});
        run_for(party, milliseconds(75));
    }
    EXPECT_EQ(party.ended("a"), 121);
}

TEST(Objection, does_not_end_a_node_that_is_at_work) {
    Party party;
    party.invite_all();
    ASSERT_TRUE(party.wait_for_leader());
    run_for(party, milliseconds(1600));  // more than five detection times
    Speaker speaker(party, party.node("a").config());
    for (int i = 0; i < 8; ++i) {
        speaker.say(Objection{});
        run_for(party, milliseconds(75));
    }
    for (const char* name : {"a", "b", "c"}) EXPECT_EQ(party.ended(name), -1) << name;
}

}  // namespace presence_test
}  // namespace conclave::agent
