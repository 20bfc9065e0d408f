// Numbers of an algorithm that only grow and are only compared with each other: where time goes on
// for ever they are counted anew now and then, else no world would ever come again.
//
// A specialisation has `known`, is shown every part of a world (visit), is closed, and then changes
// what it is shown, and the greatest token that was ever used.
#pragma once

namespace conclave::checker {

template <class A>
struct Numbering {
    static constexpr bool known = false;
};

}  // namespace conclave::checker
