#include "conclave/simulator/scenario/readings.hpp"

#include "conclave/algorithms.hpp"

namespace conclave::simulator {

std::span<const Reading> readings_named(std::string_view algorithm) {
    std::span<const Reading> found;
    AllAlgorithms::for_each([&]<class A>() {
        if (A::card.name == algorithm) found = readings_of<A>();
    });
    return found;
}

}  // namespace conclave::simulator
