# What of conclave/ is built for a browser, and what stands in for what a browser does not have.
set(CONCLAVE_ONLY core election lease clock algorithms member trace options simulator checker
                  browser)
set(CONCLAVE_MOLD "" CACHE STRING "lld links WebAssembly" FORCE)
set(CONCLAVE_LIGHT "")  # speed counts there
set(CONCLAVE_PATIENT "")
# These read words and write answers, once a run: there size counts.
set(CONCLAVE_COLD options trace browser)
set(CONCLAVE_COLD_OPTIONS -Oz)

# One thread: headers that make mutexes and threads of nothing. They stand before the library's.
include_directories(BEFORE SYSTEM ${PROJECT_SOURCE_DIR}/cmake/wasm/alone)
# toml++ is headers only, but /usr/include has those of another C library beside it.
find_path(CONCLAVE_TOML toml++/toml.h PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/headers)
file(CREATE_LINK ${CONCLAVE_TOML}/toml++ ${PROJECT_BINARY_DIR}/headers/toml++ SYMBOLIC)
add_library(tomlplusplus::tomlplusplus INTERFACE IMPORTED)
target_include_directories(tomlplusplus::tomlplusplus INTERFACE ${PROJECT_BINARY_DIR}/headers)
add_library(Threads::Threads INTERFACE IMPORTED)
foreach(member IN ITEMS options simulator checker)
    set(CONCLAVE_${member}_PACKAGES "")
endforeach()
# A size has 32 bits there. The native builds look at every other narrowing.
target_compile_options(conclave_warnings INTERFACE -Wno-shorten-64-to-32)
