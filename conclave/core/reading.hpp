// A choice that a document leaves open: one value of a setting, and the sentence that allows it.
#pragma once

#include <span>
#include <string_view>

namespace conclave {

// The values of one setting stand side by side; the first of them is the setting's default, that
// is, what the tools run if nobody chooses.
struct Reading {
    std::string_view setting;   // as --set has it: "at-startup"
    std::string_view value;     // "keep"
    std::string_view sentence;  // the document's words, and where they stand
};

// The readings of an algorithm, where its document leaves a choice: empty if it leaves none.
template <class A>
constexpr std::span<const Reading> readings_of() {
    if constexpr (requires { A::readings(); })
        return A::readings();
    else
        return {};
}

}  // namespace conclave
