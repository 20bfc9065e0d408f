// A model that runs: its steps on finite worlds, requirement by requirement.
//
// Members, ballots and quorums are numbered from 0; times, tokens and lives are whole numbers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "tests/proofs/model.hpp"

namespace conclave::proofs {

using Value = std::int64_t;
using Values = std::vector<Value>;

struct World {
    std::vector<std::size_t> sizes;  // of each sort that formulas range over
    std::vector<Values> tables;      // of each function
};

// A term, ready to be evaluated.
struct Code {
    enum class Op : std::uint8_t {
        constant,
        variable,
        function,
        definition,
        both,
        either,
        negation,
        implication,
        equality,
        difference,
        less,
        at_most,
        sum,
        choice,
        all,
        some
    };
    Op op = Op::constant;
    Value value = 0;                 // a constant; else which variable, function, definition
    std::vector<Code> parts;         // arguments; of a quantifier: its body
    std::vector<std::size_t> sorts;  // of a quantifier's variables
};

class Machine {
public:
    explicit Machine(const Model& model) : model_(model) {
        for (const Function& each : model_.functions) {
            arguments_.emplace_back();
            for (const std::string& sort : each.arguments)
                arguments_.back().push_back(sort_of(sort));
        }
        for (const Definition& each : model_.definitions)
            definitions_.push_back(compile(each.body, names(each.parameters)));
        for (const Step& step : model_.steps) steps_.emplace(step.name, prepare(step));
    }
    Machine(const Machine&) = delete;

    const Model& model() const { return model_; }

    // Everything is 0 or false in it. Sorts without a size are whole numbers.
    World world(const std::map<std::string, std::size_t>& sizes) const {
        World world;
        for (const std::string& sort : model_.sorts)
            world.sizes.push_back(sizes.contains(sort) ? sizes.at(sort) : 0);
        for (const auto& sorts : arguments_) {
            std::size_t size = 1;
            for (const std::size_t sort : sorts) size *= world.sizes[sort];
            world.tables.emplace_back(size, 0);
        }
        return world;
    }
    std::size_t function(std::string_view name) const {
        for (std::size_t i = 0; i < model_.functions.size(); ++i)
            if (model_.functions[i].name == name) return i;
        throw std::runtime_error("there is no function " + std::string(name));
    }
    Value& at(World& world, std::size_t function, const Values& arguments) const {
        return world.tables[function][place(world, function, arguments)];
    }
    Value& at(World& world, std::string_view function, const Values& arguments) const {
        return at(world, this->function(function), arguments);
    }

    // The requirement that forbids the step, or nothing.
    std::string refusal(const World& world, std::string_view step, const Values& arguments) const {
        const Prepared& ready = steps_.find(step)->second;
        for (std::size_t i = 0; i < ready.requirements.size(); ++i) {
            Values frame = arguments;
            if (evaluate(world, ready.requirements[i], frame) == 0)
                return ready.step->requirements[i].name;
        }
        return {};
    }
    void perform(World& world, std::string_view step, const Values& arguments) const {
        const World before = world;
        const Prepared& ready = steps_.find(step)->second;
        for (const PreparedChange& change : ready.changes) {
            Values frame = arguments;
            change_each(before, world, change, frame, 0);
        }
    }
    Code formula(const Term& term, const std::vector<Variable>& parameters = {}) const {
        return compile(term, names(parameters));
    }
    bool holds(const World& world, const Code& code, Values frame = {}) const {
        return evaluate(world, code, frame) != 0;
    }

private:
    using Names = std::vector<std::string>;
    struct PreparedChange {
        std::size_t function;
        std::vector<Code> at;
        Code value;
        std::vector<std::size_t> each;  // sorts
    };
    struct Prepared {
        const Step* step;
        std::vector<Code> requirements;
        std::vector<PreparedChange> changes;
    };

    static Names names(const std::vector<Variable>& variables) {
        Names names;
        for (const Variable& each : variables) names.push_back(each.name);
        return names;
    }
    std::size_t sort_of(std::string_view name) const {
        for (std::size_t i = 0; i < model_.sorts.size(); ++i)
            if (model_.sorts[i] == name) return i;
        throw std::runtime_error(std::string(name) + " has no finite number of values");
    }

    Prepared prepare(const Step& step) const {
        Prepared ready{&step, {}, {}};
        for (const Named& each : step.requirements)
            ready.requirements.push_back(compile(each.formula, names(step.parameters)));
        for (const Change& change : step.changes) {
            Names scope = names(step.parameters);
            PreparedChange prepared{function(change.function), {}, {}, {}};
            for (const Variable& each : change.each) {
                scope.push_back(each.name);
                prepared.each.push_back(sort_of(each.sort));
            }
            for (const Term& place : change.at) prepared.at.push_back(compile(place, scope));
            prepared.value = compile(change.value, scope);
            ready.changes.push_back(prepared);
        }
        return ready;
    }

    static const std::map<std::string_view, Code::Op>& operators() {
        using Op = Code::Op;
        static const std::map<std::string_view, Op> map{
            {"and", Op::both},       {"or", Op::either},  {"not", Op::negation},
            {"=>", Op::implication}, {"=", Op::equality}, {"distinct", Op::difference},
            {"<", Op::less},         {"<=", Op::at_most}, {"+", Op::sum},
            {"ite", Op::choice},     {"forall", Op::all}, {"exists", Op::some}};
        return map;
    }

    Code compile(const Term& term, const Names& scope) const {
        Code code;
        if (!term.is_list()) return compile_word(term, scope);
        const std::string head(term.head());
        if (head == "forall" || head == "exists") return compile_quantifier(term, scope);
        for (std::size_t i = 1; i < term.parts.size(); ++i)
            code.parts.push_back(compile(term.parts[i], scope));
        if (const auto at = operators().find(head); at != operators().end()) {
            code.op = at->second;
            return code;
        }
        for (std::size_t i = 0; i < model_.definitions.size(); ++i)
            if (model_.definitions[i].name == head) {
                code.op = Code::Op::definition;
                code.value = static_cast<Value>(i);
                return code;
            }
        code.op = Code::Op::function;
        code.value = static_cast<Value>(function(head));
        return code;
    }
    Code compile_word(const Term& term, const Names& scope) const {
        Code code;
        for (std::size_t i = scope.size(); i-- > 0;)
            if (scope[i] == term.word) {
                code.op = Code::Op::variable;
                code.value = static_cast<Value>(i);
                return code;
            }
        if (term.word == "true" || term.word == "false") {
            code.value = term.word == "true";
        } else if (term.word.find_first_not_of("0123456789.") == std::string::npos) {
            code.value = std::stoll(term.word);
        } else {
            code.op = Code::Op::function;
            code.value = static_cast<Value>(function(term.word));
        }
        return code;
    }
    Code compile_quantifier(const Term& term, Names scope) const {
        Code code;
        code.op = operators().at(term.head());
        for (const Term& each : term.parts[1].parts) {
            scope.push_back(each.parts[0].word);
            code.sorts.push_back(sort_of(each.parts[1].word));
        }
        code.parts.push_back(compile(term.parts[2], scope));
        return code;
    }

    std::size_t place(const World& world, std::size_t function, const Values& arguments) const {
        std::size_t place = 0;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const std::size_t size = world.sizes[arguments_[function][i]];
            if (static_cast<std::size_t>(arguments[i]) >= size)
                throw std::runtime_error(model_.functions[function].name + " of what is not there");
            place = place * size + static_cast<std::size_t>(arguments[i]);
        }
        return place;
    }

    Value evaluate(const World& world, const Code& code, Values& frame) const {
        using Op = Code::Op;
        const auto part = [&](std::size_t i) { return evaluate(world, code.parts[i], frame); };
        switch (code.op) {
            case Op::constant: return code.value;
            case Op::variable: return frame[static_cast<std::size_t>(code.value)];
            case Op::both:
                for (std::size_t i = 0; i < code.parts.size(); ++i)
                    if (part(i) == 0) return 0;
                return 1;
            case Op::either:
                for (std::size_t i = 0; i < code.parts.size(); ++i)
                    if (part(i) != 0) return 1;
                return 0;
            case Op::negation: return part(0) == 0;
            case Op::implication: return part(0) == 0 || part(1) != 0;
            case Op::equality: return part(0) == part(1);
            case Op::difference: return part(0) != part(1);
            case Op::less: return part(0) < part(1);
            case Op::at_most: return part(0) <= part(1);
            case Op::sum: return part(0) + part(1);
            case Op::choice: return part(0) != 0 ? part(1) : part(2);
            case Op::all: return range(world, code, frame, 0, true);
            case Op::some: return range(world, code, frame, 0, false);
            case Op::function:
            case Op::definition: break;
        }
        Values arguments;
        for (std::size_t i = 0; i < code.parts.size(); ++i) arguments.push_back(part(i));
        const auto which = static_cast<std::size_t>(code.value);
        if (code.op == Op::definition) return evaluate(world, definitions_[which], arguments);
        return world.tables[which][place(world, which, arguments)];
    }

    // Over the quantifier's variables from this one on: are all true, or is some?
    Value range(const World& world, const Code& code, Values& frame, std::size_t from,
                bool all) const {
        if (from == code.sorts.size()) return evaluate(world, code.parts[0], frame) != 0;
        frame.push_back(0);
        Value result = all;
        for (std::size_t i = 0; i < world.sizes[code.sorts[from]] && result == Value{all}; ++i) {
            frame.back() = static_cast<Value>(i);
            result = range(world, code, frame, from + 1, all);
        }
        frame.pop_back();
        return result;
    }

    void change_each(const World& before, World& world, const PreparedChange& change, Values& frame,
                     std::size_t from) const {
        if (from == change.each.size()) {
            Values places;
            for (const Code& each : change.at) places.push_back(evaluate(before, each, frame));
            at(world, change.function, places) = evaluate(before, change.value, frame);
            return;
        }
        frame.push_back(0);
        for (std::size_t i = 0; i < before.sizes[change.each[from]]; ++i) {
            frame.back() = static_cast<Value>(i);
            change_each(before, world, change, frame, from + 1);
        }
        frame.pop_back();
    }

    const Model model_;
    std::vector<std::vector<std::size_t>> arguments_;  // sorts, of each function
    std::vector<Code> definitions_;
    std::map<std::string, Prepared, std::less<>> steps_;
};

}  // namespace conclave::proofs
