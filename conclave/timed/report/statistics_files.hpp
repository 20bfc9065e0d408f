// Statistics files for those who plot clocks: tracking.log, how this clock stands, and
// measurements.log, what a master measures of each member; a line a round, columns under a heading.
//
// A file that has grown to `most` becomes tracking.log.1, in the place of the former one: so none
// of them fills a disk.
#pragma once

#include <string>

#include "conclave/timed/report/time_status.hpp"

namespace conclave::timed {

class Statistics {
public:
    static constexpr std::size_t most = std::size_t{8} << 20;

    explicit Statistics(std::string folder, std::size_t most_bytes = most)
        : folder_(std::move(folder)), most_(most_bytes) {}

    // False: something could not be written.
    bool note(Time since_1970, const DaemonStatus& status) const;

private:
    bool append(const std::string& name, const char* heading, const std::string& lines) const;

    std::string folder_;
    std::size_t most_;  // of each file
};

}  // namespace conclave::timed
