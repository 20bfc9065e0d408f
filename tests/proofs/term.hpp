// Terms as SMT-LIB writes them: a word, or a list of terms in parentheses; `;` begins a comment.
#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace conclave::proofs {

struct Term {
    std::string word;         // empty: a list
    std::vector<Term> parts;  // of a list
    std::size_t line = 0;     // where it stands

    bool is_list() const { return word.empty(); }
    // What the list begins with: (forall ...).
    std::string_view head() const {
        return is_list() && !parts.empty() ? std::string_view(parts[0].word) : std::string_view();
    }
};

class TermReader {
public:
    explicit TermReader(std::string_view text) : text_(text) {}

    std::vector<Term> all() {
        std::vector<Term> terms;
        while (skip_space()) terms.push_back(next());
        return terms;
    }

private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw std::runtime_error("line " + std::to_string(line_) + ": " + what);
    }
    bool at_end() const { return at_ == text_.size(); }

    // False at the end.
    bool skip_space() {
        for (; !at_end(); ++at_) {
            if (text_[at_] == ';')
                while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
            else if (text_[at_] == '\n')
                ++line_;
            else if (text_[at_] != ' ')
                return true;
        }
        return false;
    }

    Term next() {
        Term term;
        term.line = line_;
        if (text_[at_] == ')') refuse("a parenthesis closes that was not opened");
        if (text_[at_] != '(') {
            const std::size_t end = std::min(text_.find_first_of(" \n();", at_), text_.size());
            term.word = text_.substr(at_, end - at_);
            at_ = end;
            return term;
        }
        ++at_;
        while (skip_space() && text_[at_] != ')') term.parts.push_back(next());
        if (at_end())
            refuse("the parenthesis of line " + std::to_string(term.line) + " never closes");
        ++at_;
        return term;
    }

    std::string_view text_;
    std::size_t at_ = 0, line_ = 1;
};

inline std::string text_of(const Term& term) {
    if (!term.is_list()) return term.word;
    std::string text;
    for (const Term& part : term.parts) text += (text.empty() ? "" : " ") + text_of(part);
    return "(" + text + ")";
}

using Renaming = std::map<std::string, std::string>;

inline Term renamed(Term term, const Renaming& names) {
    if (const auto at = names.find(term.word); at != names.end()) term.word = at->second;
    for (Term& part : term.parts) part = renamed(part, names);
    return term;
}

}  // namespace conclave::proofs
