// An SMT solver, run as a program. What it was asked is left in build/proofs, for people and for
// other solvers.
#pragma once

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/proofs/obligations.hpp"

namespace conclave::proofs {

struct Solver {
    std::string name;
    std::string command;  // with the seconds for one goal instead of %S
};

inline const std::vector<Solver>& solvers() {
    static const std::vector<Solver> list{
        {"z3", "z3 -t:%S000"},
        {"cvc5", "cvc5 --incremental --full-saturate-quant --tlimit-per=%S000"},
    };
    return list;
}

inline std::vector<std::string> lines_of(const std::string& command) {
    std::vector<std::string> lines;
    std::FILE* const pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("no shell to run " + command);
    std::array<char, 4096> line{};
    while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
        lines.emplace_back(line.data());
        lines.back().erase(lines.back().find_last_not_of('\n') + 1);
    }
    pclose(pipe);
    return lines;
}

// sat, unsat or unknown for every (check-sat) of the file.
inline std::vector<std::string> answers(const Solver& solver, const std::string& path,
                                        int seconds) {
    std::string command = solver.command;
    command.replace(command.find("%S"), 2, std::to_string(seconds));
    return lines_of(command + " " + path + " 2>&1");
}

// What the solver did not show, with its answer; empty: all is proved.
inline std::vector<std::string> unproved(const Solver& solver, const Obligation& obligation,
                                         int seconds, const std::string& variant = "") {
    const std::filesystem::path folder = "build/proofs";
    std::filesystem::create_directories(folder);
    const std::string path = folder / (obligation.name + variant + ".smt2");
    std::ofstream(path) << obligation.text();
    const std::vector<std::string> said = answers(solver, path, seconds);
    std::vector<std::string> missing;
    if (said.size() != obligation.goals.size())
        missing.push_back(path + ": " + (said.empty() ? "no answer" : said[0]));
    for (std::size_t i = 0; i < std::min(said.size(), obligation.goals.size()); ++i)
        if (said[i] != "unsat") missing.push_back(obligation.goals[i].name + ": " + said[i]);
    return missing;
}

}  // namespace conclave::proofs
