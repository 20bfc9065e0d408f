// Any words are read or refused with one sentence, and what was read is what was given.
#include <algorithm>
#include <cstdint>

#include "conclave/cli/verb.hpp"
#include "conclave/core/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace conclave::cli;
    using conclave::options::Kind;
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < size; ++i)
        if (data[i] == '\n')
            words.emplace_back();
        else
            words.back() += static_cast<char>(data[i]);
    const Verb verb{{"sim", ""},
                    {{"",
                      {{"FILE", Kind::argument},
                       {"member", Kind::often, "NAME"},
                       {"nodes", Kind::once, "COUNT"},
                       {"wait", Kind::maybe, "DURATION"},
                       {"json", Kind::flag},
                       {"COMMAND", Kind::rest}}}}};
    Givens given;
    bool help = false;
    try {
        given = read_words(verb, words, help);
    } catch (const Refusal& refusal) {
        conclave::check(!refusal.sentence.empty(), "a refusal says why");
        return 0;
    }
    conclave::check(given.size() <= words.size(), "nothing is read that was not given");
    for (const auto& each : given)
        conclave::check(each.value == "true" || each.value.empty() ||
                            std::any_of(words.begin(), words.end(),
                                        [&](const std::string& word) {
                                            return word.find(each.value) != std::string::npos;
                                        }),
                        "a value is part of a word");
    return 0;
}
