// How late this machine rings its alarms, and which --detect that asks for.
#pragma once

#include <string>

#include "conclave/core/time.hpp"

namespace conclave::agent {

class Lateness {
public:
    explicit Lateness(Duration detect) : detect_(detect) {}

    // The alarm rings that was expected last. A sentence that is worth a warning, or nothing.
    std::string note(Time now);
    void set_detect(Duration detect) { detect_ = detect; }
    void expect(Time due) { due_ = due; }

    // The worst of the last minutes.
    Duration worst() const { return worst_; }
    // A finding with its remedy; empty: this machine is quick enough.
    std::string finding() const;

private:
    Duration detect_, worst_{};
    Duration advised_{};  // for --detect, by the last warning
    Time due_{}, noted_{};
};

}  // namespace conclave::agent
