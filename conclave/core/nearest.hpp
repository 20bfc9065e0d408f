// The word that was probably meant by an unknown one.
#pragma once

#include <span>
#include <string_view>

namespace conclave {

// The nearest by edit distance, or one that begins like this; empty when nothing is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

}  // namespace conclave
