// Any words of an operator are refused in a sentence, or are a change that a member could pass on.
#include "conclave/agent/group/named_roster.hpp"
#include "conclave/agent/group/presence.hpp"
#include "conclave/agent/group/wish_words.hpp"
#include "conclave/core/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave;
    const std::string words(reinterpret_cast<const char*>(data), size);
    member::Wish wish;
    if (agent::read_wish(words, wish).empty())
        check(agent::makes_sense(wish), "what was read can be passed on");
    const agent::ForceWords said = agent::read_force(words);
    if (!said.problem.empty()) return 0;
    check(!said.kept.empty() && said.kept.size() <= agent::Roster::most, "some members are kept");
    for (const std::string& name : said.kept)
        check(agent::name_problem(name).empty(), "each has a name");
    return 0;
}
