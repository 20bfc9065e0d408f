#include "conclave/simulator/decisions.hpp"

namespace conclave::simulator {

std::int64_t Decisions::consult_logs(Decision decision, std::int64_t usual, std::int64_t drawn) {
    if (followed_ != nullptr)
        if (const auto found = followed_->find(decision); found != followed_->end())
            drawn = found->second;
    if (recorded_ != nullptr && drawn != usual) (*recorded_)[decision] = drawn;
    return drawn;
}

}  // namespace conclave::simulator
