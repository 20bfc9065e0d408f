// The time, as an interval that contains it, for programs on a machine with a time daemon.
//
//     conclave::TimePage page;
//     ...
//     const auto [earliest, latest, status] = page.now();
//     if (status == conclave::TimeStatus::synchronised) write(data, earliest, latest);
//
// Two events are in a certain order if the latest of one is before the earliest of the other; to be
// sure that a moment has passed, wait until earliest is after it. now() reads shared memory that
// conclave timed keeps (docs/timed.md) and two clocks: no system call, unless the daemon is gone.
#pragma once

#include <string>

#include "conclave/page/interval.hpp"
#include "conclave/page/page_layout.hpp"

namespace conclave {

// For one thread at a time; a second page costs little.
class TimePage {
public:
    static constexpr std::string_view usual_path = "/run/conclave/timed.page";

    // The page need not be there yet.
    explicit TimePage(std::string path = std::string(usual_path));
    ~TimePage();
    TimePage(const TimePage&) = delete;
    TimePage& operator=(const TimePage&) = delete;

    // Unknown while there is no daemon; one that is started anew is found within a second.
    TimeInterval now();
    // Why the time is unknown, in one sentence; empty: it is known. As of the last now().
    std::string problem() const;

private:
    void look(Time raw);
    void let_go();

    std::string path_, refusal_{};
    page::BootId boot_;
    const page::PageLayout* page_ = nullptr;
    std::uint64_t file_ = 0;  // its inode
    Time looked_;
    TimeInterval last_{};
    bool disturbed_ = false;
};

}  // namespace conclave
