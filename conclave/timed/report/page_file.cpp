#include "conclave/timed/report/page_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <new>
#include <utility>

#include "conclave/net/descriptor.hpp"
#include "conclave/net/failure.hpp"
#include "conclave/page/boot.hpp"

namespace conclave::timed {

PageFile::PageFile(std::string path) : path_(std::move(path)) {
    const std::string fresh = path_ + ".new";
    const auto give_up = [&] {
        net::fail("make the page " + path_ + " (give another --page)", errno);
    };
    unlink(fresh.c_str());
    const net::Descriptor file(
        open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (!file || ftruncate(file.get(), sizeof(page::PageLayout)) != 0) give_up();
    void* mapped =
        mmap(nullptr, sizeof(page::PageLayout), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (mapped == MAP_FAILED) give_up();
    page_ = new (mapped) page::PageLayout;
    page::prepare(*page_, page::boot_id());
    constexpr mode_t for_all = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;
    if (fchmod(file.get(), for_all) != 0 || std::rename(fresh.c_str(), path_.c_str()) != 0)
        give_up();
}

PageFile::~PageFile() {
    last_.status = TimeStatus::unknown;
    page::write(*page_, last_);
    munmap(page_, sizeof *page_);
}

void PageFile::write(const page::Content& content) {
    last_ = content;
    page::write(*page_, content);
}

}  // namespace conclave::timed
