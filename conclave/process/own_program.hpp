// Where the running program is: its companions are installed beside it.
#pragma once

#include <filesystem>

namespace conclave::process {

// The folder of the program's own file; empty where /proc does not show this process.
inline std::filesystem::path program_folder() {
    std::error_code error;
    return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace conclave::process
