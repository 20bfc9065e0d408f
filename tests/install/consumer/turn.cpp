// One turn of an algorithm in a program of somebody else, without any host of ours.
#include <cstdio>

#include "conclave/election/chang_roberts.hpp"

namespace {

struct NoChance final : conclave::Chance {
    std::uint64_t choose(std::uint64_t) override { return 0; }
};

}  // namespace

int main() {
    using namespace conclave;
    const std::vector<Id> ring{Id{1}, Id{2}};
    const std::vector<std::uint32_t> place{0, 1};
    const Group group{ring, place, {}};
    ChangRoberts::Turn::Effects effects;
    Nothing settings;
    NoChance chance;
    Rows rows;
    ChangRoberts::Turn turn{effects, settings, group, chance, rows, Id{1}, Id{2}};
    ChangRoberts node;
    node.on(Call{}, turn);
    for (const std::string& line : describe<Types<>>(effects)) std::puts(line.c_str());
    return node.participating && effects.sends.size() == 1 ? 0 : 1;
}
