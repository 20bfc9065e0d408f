#include "conclave/simulator/decisions.hpp"

namespace conclave::simulator {

std::int64_t Decisions::consult_logs(Decision decision, std::int64_t usual, std::int64_t drawn) {
    if (followed_ != nullptr)
        if (const auto found = followed_->find(decision); found != followed_->end())
            drawn = found->second;
    if (recorded_ != nullptr && drawn != usual) (*recorded_)[decision] = drawn;
    return drawn;
}

bool Decisions::foresees(Purpose purpose) const {
    if (followed_ == nullptr) return false;
    const auto first = followed_->lower_bound({purpose, nobody, nobody, 0});
    return first != followed_->end() && first->first.purpose == purpose;
}

}  // namespace conclave::simulator
