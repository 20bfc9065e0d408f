#include "conclave/page/boot.hpp"

#include <fstream>
#include <string>

namespace conclave::page {

BootId boot_id() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    BootId id{};
    std::size_t digits = 0;
    for (char c = 0; file.get(c) && digits < 32;) {
        const auto at = std::string_view("0123456789abcdef").find(c);
        if (at == std::string_view::npos) continue;
        id[digits / 16] = id[digits / 16] << 4 | at;
        ++digits;
    }
    return id;
}

}  // namespace conclave::page
