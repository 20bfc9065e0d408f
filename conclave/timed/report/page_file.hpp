// The page that programs map into their memory (conclave/time_interval.hpp), as a file.
//
// A daemon makes a new file and puts it in the place of the old one at once, so nobody ever maps
// half a page or one that shrinks; who has mapped the old one sees it grow old, and looks again.
#pragma once

#include <string>

#include "conclave/page/page_layout.hpp"

namespace conclave::timed {

class PageFile {
public:
    // Everybody may read it. Throws a net::Failure.
    explicit PageFile(std::string path);
    ~PageFile();  // says that nothing is known any more
    PageFile(const PageFile&) = delete;
    PageFile& operator=(const PageFile&) = delete;

    void write(const page::Content& content);

private:
    std::string path_;
    page::PageLayout* page_ = nullptr;
    page::Content last_{};
};

}  // namespace conclave::timed
