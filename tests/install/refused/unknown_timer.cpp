// refused: this type is not in the list
#include "conclave/core/turn.hpp"

namespace conclave {

struct Message {};
struct Alarm {};
struct Other {};
using SomeTurn = Turn<Types<Message>, Types<Alarm>>;

#ifdef MENDED
void wait(SomeTurn& turn) { turn.set<Alarm>(Duration{1}); }
#else
void wait(SomeTurn& turn) { turn.set<Other>(Duration{1}); }
#endif

}  // namespace conclave
