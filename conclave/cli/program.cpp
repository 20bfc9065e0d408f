#include "conclave/cli/program.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "conclave/cli/help.hpp"
#include "conclave/cli/version.hpp"

namespace conclave::cli {

namespace {

using Words = std::span<const std::string>;

std::vector<Verb> verbs_of(const Program& program) {
    std::vector<Verb> verbs;
    for (const Group& group : program.groups)
        for (const auto& make : group.verbs) verbs.push_back(make());
    return verbs;
}

// How many of the words are the verb's name; 0: it is another verb.
std::size_t name_length(const Verb& verb, Words words) {
    const auto names = options::split_text(verb.summary.name, ' ');
    const bool fits =
        words.size() >= names.size() && std::equal(names.begin(), names.end(), words.begin());
    return fits ? names.size() : 0;
}

// "timed nap": a word behind a verb that has others with two words, and takes no argument itself.
bool is_other_verb(const std::vector<Verb>& verbs, const Verb& found, Words behind) {
    if (behind.empty() || behind.front().starts_with('-')) return false;
    for (const options::Section& section : found.takes)
        for (const options::Row& row : section.rows)
            if (row.kind == options::Kind::argument || row.kind == options::Kind::arguments)
                return false;
    const std::string first = std::string(found.summary.name) + " ";
    return std::any_of(verbs.begin(), verbs.end(),
                       [&](const Verb& verb) { return verb.summary.name.starts_with(first); });
}

// The verb with the longest name that the words begin with, and the words behind it.
Verb find_verb(const Program& program, Words& words) {
    const auto verbs = verbs_of(program);
    const auto found =
        std::max_element(verbs.begin(), verbs.end(), [&](const Verb& a, const Verb& b) {
            return name_length(a, words) < name_length(b, words);
        });
    const std::size_t length = name_length(*found, words);
    if (length == 0 || is_other_verb(verbs, *found, words.subspan(length))) {
        std::vector<std::string_view> names;
        for (const Verb& verb : verbs) names.push_back(verb.summary.name);
        const std::string name = words.front() + (length == 0 ? "" : " " + words[1]);
        throw Refusal{
            options::refuse_unknown("verb '" + name + "'", name, names,
                                    std::string(program.name) + " --help lists what there is")};
    }
    words = words.subspan(length);
    return *found;
}

int perform(const Program& program, Words words) {
    const Verb verb = find_verb(program, words);
    if (verb.pass_on != nullptr) verb.pass_on({words.begin(), words.end()});
    bool help = false;
    Givens given = read_words(verb, words, help);
    if (!help) return verb.run(std::move(given));
    std::fputs(help_text(verb).c_str(), stdout);
    return Exit::yes;
}

int help_on(const Program& program, Words words) {
    if (words.empty()) {
        std::fputs(help_text(program).c_str(), stdout);
        return Exit::yes;
    }
    std::vector<std::string> asked(words.begin(), words.end());
    asked.emplace_back("--help");
    return perform(program, asked);
}

// A page for each verb of this program; one that is there already was written by hand and stays.
void write_manual(const Program& program, const std::string& folder) {
    for (const Verb& verb : verbs_of(program)) {
        if (verb.takes.empty()) continue;  // another program's
        const std::string path = folder + "/" + page_name(verb) + ".1";
        std::FILE* file = std::fopen(path.c_str(), "wx");
        if (file == nullptr && errno == EEXIST) continue;
        if (file == nullptr || std::fputs(manual_page(verb).c_str(), file) < 0 ||
            std::fclose(file) != 0)
            throw Refusal{"--manual cannot write '" + path + "': " + std::strerror(errno)};
    }
}

// Texts for packages: completion, the reference of options, manual pages.
bool make_texts(const Program& program, Words words) {
    const std::string& what = words.front();
    if (what == "--reference" && words.size() == 1) {
        std::fputs(reference(program).c_str(), stdout);
    } else if (what == "--completion" && words.size() == 2) {
        const std::string text = completion(program, words[1]);
        if (text.empty())
            throw Refusal{"--completion cannot be '" + words[1] + "': choose from bash, zsh, fish"};
        std::fputs(text.c_str(), stdout);
    } else if (what == "--manual" && words.size() == 2) {
        write_manual(program, words[1]);
    } else {
        return false;
    }
    return true;
}

int run_words(const Program& program, Words words) {
    if (words.empty()) {
        std::fputs(help_text(program).c_str(), stderr);
        return Exit::bad_input;
    }
    const std::string& first = words.front();
    if (first == "--version" || first == "-V") {
        std::fputs(version_text(program).c_str(), stdout);
        return Exit::yes;
    }
    if (first == "--help" || first == "-h" || first == "help")
        return help_on(program, words.subspan(1));
    return make_texts(program, words) ? int{Exit::yes} : perform(program, words);
}

}  // namespace

int run_program(const Program& program, int count, char** words) {
    try {
        return run_words(program, std::vector<std::string>(words + 1, words + count));
    } catch (const Refusal& refusal) {
        std::fprintf(stderr, "conclave: %s\n", refusal.sentence.c_str());
        return refusal.code;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "conclave: internal error: %s\n", error.what());
    }
    return Exit::bad_input;
}

}  // namespace conclave::cli
