// A transition system, as proofs/lease.model writes it down.
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tests/proofs/term.hpp"

namespace conclave::proofs {

struct Variable {
    std::string name, sort;
};
struct Function {
    std::string name;
    std::vector<std::string> arguments;  // sorts
    std::string result;
    bool fixed;  // no step changes it
};
struct Definition {
    std::string name;
    std::vector<Variable> parameters;
    std::string result;
    Term body;
};
struct Named {
    std::string name;
    Term formula;
};
struct Change {
    std::vector<Variable> each;  // for all values of these
    std::string function;
    std::vector<Term> at;
    Term value;  // in terms of the state before the step
};
struct Step {
    std::string name;
    std::vector<Variable> parameters;
    std::vector<Named> requirements;
    std::vector<Change> changes;
};
struct Ensured {  // whenever this step happens
    Named what;
    std::string step;
};

struct Model {
    std::vector<std::string> sorts;
    std::vector<Function> functions;
    std::vector<Definition> definitions;
    std::vector<Named> axioms, safe, invariants;
    std::vector<Ensured> ensured;
    Term init;
    std::vector<Step> steps;

    const Step& step(std::string_view name) const {
        const auto at = std::find_if(steps.begin(), steps.end(),
                                     [&](const Step& step) { return step.name == name; });
        if (at == steps.end()) throw std::runtime_error("there is no step " + std::string(name));
        return *at;
    }
    const Function& function(std::string_view name) const {
        const auto at = std::find_if(functions.begin(), functions.end(),
                                     [&](const Function& each) { return each.name == name; });
        if (at == functions.end()) throw std::runtime_error("there is no " + std::string(name));
        return *at;
    }
};

class ModelReader {
public:
    static Model read(std::string_view text) {
        ModelReader reader;
        for (const Term& term : TermReader(text).all()) reader.take(term);
        return reader.model_;
    }

private:
    [[noreturn]] static void refuse(const Term& term, const std::string& what) {
        throw std::runtime_error("line " + std::to_string(term.line) + ": " + what);
    }
    static void expect(const Term& term, bool fits, std::string_view form) {
        if (!fits) refuse(term, "'" + text_of(term) + "' is not " + std::string(form));
    }

    static std::vector<Variable> variables(const Term& list) {
        std::vector<Variable> variables;
        for (const Term& each : list.parts) {
            expect(each, each.parts.size() == 2, "(NAME SORT)");
            variables.push_back({each.parts[0].word, each.parts[1].word});
        }
        return variables;
    }
    static Named named(const Term& term) {
        expect(term, term.parts.size() == 3, "(KIND NAME FORMULA)");
        return {term.parts[1].word, term.parts[2]};
    }

    void take(const Term& term) {
        const std::string_view kind = term.head();
        const std::size_t size = term.parts.size();
        if (kind == "sort" && size == 2) {
            model_.sorts.push_back(term.parts[1].word);
        } else if ((kind == "fixed" || kind == "state") && size == 4) {
            Function function{term.parts[1].word, {}, term.parts[3].word, kind == "fixed"};
            for (const Term& sort : term.parts[2].parts) function.arguments.push_back(sort.word);
            model_.functions.push_back(function);
        } else if (kind == "define" && size == 5) {
            model_.definitions.push_back(
                {term.parts[1].word, variables(term.parts[2]), term.parts[3].word, term.parts[4]});
        } else if (kind == "init" && size == 2) {
            model_.init = term.parts[1];
        } else if (kind == "step" && size > 3) {
            model_.steps.push_back(step(term));
        } else if (kind == "ensure" && size == 4) {
            model_.ensured.push_back({{term.parts[1].word, term.parts[3]}, term.parts[2].word});
        } else if (kind == "axiom") {
            model_.axioms.push_back(named(term));
        } else if (kind == "safe") {
            model_.safe.push_back(named(term));
        } else if (kind == "invariant") {
            model_.invariants.push_back(named(term));
        } else {
            refuse(term, "'" + text_of(term) + "' is nothing that a model has");
        }
    }

    Step step(const Term& term) const {
        Step step{term.parts[1].word, variables(term.parts[2]), {}, {}};
        for (std::size_t i = 3; i < term.parts.size(); ++i) {
            const Term& part = term.parts[i];
            if (part.head() == "require")
                step.requirements.push_back(named(part));
            else
                step.changes.push_back(change(part, step));
        }
        return step;
    }

    Change change(const Term& term, const Step& step) const {
        const bool each = term.head() == "set-each";
        expect(term,
               (each && term.parts.size() == 4) || (term.head() == "set" && term.parts.size() == 3),
               "(require NAME FORMULA), (set PLACE VALUE) or (set-each VARIABLES PLACE VALUE)");
        Change change;
        if (each) change.each = variables(term.parts[1]);
        const Term& place = term.parts[each ? 2 : 1];
        change.function = place.is_list() ? place.parts.at(0).word : place.word;
        if (place.is_list()) change.at.assign(place.parts.begin() + 1, place.parts.end());
        change.value = term.parts.back();
        const Function& function = model_.function(change.function);
        expect(term, !function.fixed && function.arguments.size() == change.at.size(),
               "a change of the state");
        for (const Change& other : step.changes)
            expect(term, other.function != change.function, "the only change of this function");
        return change;
    }

    Model model_;
};

inline std::string read_file(const std::string& path) {
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error(path + " cannot be read: run this in the repository's root");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline const char* const lease_model_path = "proofs/lease.model";

}  // namespace conclave::proofs
