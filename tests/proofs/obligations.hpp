// What a solver must show of a model, as SMT-LIB: the invariant holds at the start, every step
// keeps it, and it implies what is to be proved.
#pragma once

#include "tests/proofs/model.hpp"

namespace conclave::proofs {

struct Goal {
    std::string name, formula;
};
struct Obligation {
    std::string name;   // init, safe, or a step
    std::string given;  // declarations and assumptions
    std::vector<Goal> goals;

    // Each goal is refuted by itself: `unsat` says that nothing contradicts it.
    std::string text() const {
        std::string text = given;
        for (const Goal& goal : goals)
            text += "(push 1) ; " + goal.name + "\n(assert (not " + goal.formula +
                    "))\n(check-sat)\n(pop 1)\n";
        return text;
    }
};

class ObligationWriter {
public:
    explicit ObligationWriter(const Model& model) : model_(model) {}

    std::vector<Obligation> all() const {
        std::vector<Obligation> list{{"init", declared() + assumed(model_.init), goals({})},
                                     {"safe", declared() + invariant(), {}}};
        for (const Named& safe : model_.safe)
            list.back().goals.push_back({safe.name, text_of(safe.formula)});
        for (const Step& step : model_.steps) list.push_back(kept_by(step));
        return list;
    }

    Obligation kept_by(const Step& step) const {
        Obligation obligation{step.name, declared() + invariant(), {}};
        std::string& given = obligation.given;
        for (const Variable& each : step.parameters)
            given += "(declare-const " + each.name + " " + each.sort + ")\n";
        for (const Named& each : step.requirements) given += assumed(each.formula);
        Renaming after;
        for (const Change& change : step.changes) {
            given += next(change);
            after[change.function] = change.function + ".next";
        }
        for (const Definition& each : model_.definitions) {
            given += defined(each, each.name + ".next", renamed(each.body, after));
            after[each.name] = each.name + ".next";
        }
        obligation.goals = goals(after);
        for (const Ensured& each : model_.ensured)
            if (each.step == step.name)
                obligation.goals.push_back({each.what.name, text_of(each.what.formula)});
        return obligation;
    }

private:
    static std::string assumed(const Term& formula) {
        return "(assert " + text_of(formula) + ")\n";
    }
    static std::string defined(const Definition& definition, const std::string& name,
                               const Term& body) {
        std::string parameters;
        for (const Variable& each : definition.parameters)
            parameters += "(" + each.name + " " + each.sort + ")";
        return "(define-fun " + name + " (" + parameters + ") " + definition.result + " " +
               text_of(body) + ")\n";
    }

    std::string declared() const {
        std::string text = "(set-logic ALL)\n";
        for (const std::string& sort : model_.sorts) text += "(declare-sort " + sort + " 0)\n";
        for (const Function& each : model_.functions) {
            std::string arguments;
            for (const std::string& sort : each.arguments) arguments += sort + " ";
            text += "(declare-fun " + each.name + " (" + arguments + ") " + each.result + ")\n";
        }
        for (const Named& axiom : model_.axioms) text += assumed(axiom.formula);
        for (const Definition& each : model_.definitions)
            text += defined(each, each.name, each.body);
        return text;
    }
    std::string invariant() const {
        std::string text;
        for (const Named& each : model_.invariants) text += assumed(each.formula);
        return text;
    }
    std::vector<Goal> goals(const Renaming& after) const {
        std::vector<Goal> goals;
        for (const Named& each : model_.invariants)
            goals.push_back({each.name, text_of(renamed(each.formula, after))});
        return goals;
    }

    // The function after the step: the new value at the changed places, else the old one.
    std::string next(const Change& change) const {
        const Function& function = model_.function(change.function);
        std::string parameters, changed = "true", old = change.function;
        Renaming each;
        for (std::size_t i = 0; i < change.at.size(); ++i) {
            const std::string place = "place" + std::to_string(i);
            parameters += "(" + place + " " + function.arguments[i] + ")";
            old += " " + place;
            const bool all = std::any_of(
                change.each.begin(), change.each.end(),
                [&](const Variable& variable) { return variable.name == change.at[i].word; });
            if (all)
                each[change.at[i].word] = place;
            else
                changed += " (= " + place + " " + text_of(change.at[i]) + ")";
        }
        if (!change.at.empty()) old = "(" + old + ")";
        return "(define-fun " + change.function + ".next (" + parameters + ") " + function.result +
               " (ite (and " + changed + ") " + text_of(renamed(change.value, each)) + " " + old +
               "))\n";
    }

    const Model& model_;
};

}  // namespace conclave::proofs
