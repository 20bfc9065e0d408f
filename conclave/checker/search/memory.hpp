// How much memory this process uses, and how much more it could.
#pragma once

#include <cstdint>
#include <string>
#ifndef __wasi__
#include <fstream>
#endif

namespace conclave::checker {

namespace detail {

// A line such as "MemAvailable:  123456 kB", in bytes; 0 where the system has no such file or line.
#ifdef __wasi__  // which has no files
inline std::uint64_t bytes_in(const char*, const std::string&) { return 0; }
#else
inline std::uint64_t bytes_in(const char* file, const std::string& title) {
    std::ifstream lines(file);
    std::string word;
    std::uint64_t kilobytes = 0;
    while (lines >> word)
        if (word == title && lines >> kilobytes) return kilobytes << 10;
    return 0;
}
#endif

}  // namespace detail

inline std::uint64_t resident_bytes() { return detail::bytes_in("/proc/self/status", "VmRSS:"); }

// Memory that other processes and the system leave, counting caches that would be given up.
inline std::uint64_t available_bytes() {
    return detail::bytes_in("/proc/meminfo", "MemAvailable:");
}

}  // namespace conclave::checker
