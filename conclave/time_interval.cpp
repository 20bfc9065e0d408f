#include "conclave/time_interval.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "conclave/page/boot.hpp"

namespace conclave {

namespace {

constexpr Duration look_every = std::chrono::seconds(1);

Time read_clock(clockid_t which) {
    timespec now{};
    clock_gettime(which, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}
page::Clocks read_clocks() { return {read_clock(CLOCK_MONOTONIC_RAW), read_clock(CLOCK_REALTIME)}; }

}  // namespace

TimePage::TimePage(std::string path)
    : path_(std::move(path)), boot_(page::boot_id()), looked_(read_clock(CLOCK_MONOTONIC_RAW)) {
    look(looked_);
}

TimePage::~TimePage() { let_go(); }

void TimePage::let_go() {
    if (page_ != nullptr) munmap(const_cast<page::PageLayout*>(page_), sizeof *page_);
    page_ = nullptr;
}

// The daemon replaces the file when it starts, and never shortens one that somebody may read.
void TimePage::look(Time raw) {
    looked_ = raw;
    const int file = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        if (page_ == nullptr) refusal_ = std::strerror(errno);
        return;
    }
    struct stat found{};
    const bool fits = fstat(file, &found) == 0 && S_ISREG(found.st_mode) &&
                      static_cast<std::size_t>(found.st_size) >= sizeof(page::PageLayout);
    if (page_ == nullptr || found.st_ino != file_) {
        let_go();
        refusal_ = "it is no page of a time daemon";
        void* mapped = fits
                           ? mmap(nullptr, sizeof(page::PageLayout), PROT_READ, MAP_SHARED, file, 0)
                           : MAP_FAILED;
        if (mapped != MAP_FAILED) {
            page_ = static_cast<const page::PageLayout*>(mapped);
            file_ = found.st_ino;
            refusal_ = page::refuse(*page_, boot_);
            if (!refusal_.empty()) let_go();
        }
    }
    close(file);
}

TimeInterval TimePage::now() {
    // Two clocks are not read at one moment if this thread is interrupted between them.
    constexpr int attempts = 3;
    for (int i = 0; i < attempts; ++i) {
        const auto content = page_ != nullptr ? page::read(*page_) : std::nullopt;
        const page::Clocks clocks = read_clocks();
        const bool stale = !content || clocks.raw - content->at.raw > look_every * 2;
        if (stale && clocks.raw - looked_ >= look_every) {
            look(clocks.raw);
            continue;
        }
        last_ = content ? page::interval_at(*content, clocks) : TimeInterval{};
        if (last_.status != TimeStatus::unknown) break;
        disturbed_ = content && page::disturbed(*content, clocks);
        if (!disturbed_) break;
    }
    return last_;
}

std::string TimePage::problem() const {
    if (last_.status != TimeStatus::unknown) return {};
    if (page_ == nullptr)
        return path_ + " cannot be read: " + refusal_ + " (is conclave timed running?)";
    if (disturbed_) return "this machine slept, or its clock was set, a moment ago";
    const auto content = page::read(*page_);
    if (content && content->status != TimeStatus::unknown)
        return "the time daemon has not written " + path_ + " for a minute: is it stopped?";
    return "the time daemon does not know the time";
}

}  // namespace conclave
