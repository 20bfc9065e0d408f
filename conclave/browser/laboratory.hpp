// The laboratory behind two functions, as a page calls it: a request in lines, an answer in JSON.
//
// docs/laboratory.md lists the verbs. Nothing throws: what cannot be done is answered with
// {"problem":"one sentence"}, and the next request is answered as if nothing had been.
#pragma once

#include <string>
#include <string_view>

namespace conclave::browser {

// list, run, count, count TIME (what comes after it), sweep A..B, shrink, export FORM, import.
std::string answer(std::string_view request);

// check: every behaviour of a small system. Apart, because its module is loaded on demand.
std::string answer_check(std::string_view request);

}  // namespace conclave::browser
