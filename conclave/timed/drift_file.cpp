#include "conclave/timed/drift_file.hpp"

#include <cstdio>
#include <fstream>

namespace conclave::timed {

std::optional<clock::Rate> read_drift(const std::string& path) {
    std::ifstream file(path);
    std::int64_t ppb = 0;
    if (!(file >> ppb) || ppb < -5'000'000 || ppb > 5'000'000) return std::nullopt;
    return clock::ppb(ppb);
}

bool write_drift(const std::string& path, clock::Rate rate) {
    const std::string fresh = path + ".new";
    {
        std::ofstream file(fresh, std::ios::trunc);
        if (!(file << rate.ppt / 1000 << " ppb\n") || !file.flush()) return false;
    }
    return std::rename(fresh.c_str(), path.c_str()) == 0;
}

}  // namespace conclave::timed
