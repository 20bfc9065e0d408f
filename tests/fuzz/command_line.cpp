// Any words are read or refused with one sentence, and what was read is what was given.
#include <algorithm>
#include <cstdint>

#include "conclave/cli/command.hpp"
#include "conclave/core/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave::cli;
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < size; ++i)
        if (data[i] == '\n')
            words.emplace_back();
        else
            words.back() += static_cast<char>(data[i]);
    std::string file;
    std::vector<std::string> members, rest;
    std::optional<std::string> nodes, wait;
    bool json = false;
    std::optional<bool> quorum;
    Command command;
    command.argument("FILE", "", file);
    command.values("member", "NAME", "", members);
    command.value("nodes", "N", "", nodes);
    command.maybe_value("wait", "D", "", wait);
    command.flag("json", "", json);
    command.flag("quorum", "", quorum);
    command.rest("COMMAND", "", rest);
    try {
        read_command({"sim", "", {}, nullptr}, command, words);
    } catch (const Refusal& refusal) {
        conclave::check(!refusal.sentence.empty(), "a refusal says why");
        return 0;
    }
    conclave::check(rest.size() <= words.size() && members.size() <= words.size(),
                    "nothing is read that was not given");
    const auto given = [&](const std::string& value) {
        return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
            return word.find(value) != std::string::npos;
        });
    };
    conclave::check(given(file) && given(nodes.value_or("")) && given(wait.value_or("")),
                    "a value is part of a word");
    return 0;
}
