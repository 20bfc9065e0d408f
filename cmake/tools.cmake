# Tools that make the build faster where they are installed, and the sanitizers asked for.

find_program(CONCLAVE_CCACHE ccache)
if(CONCLAVE_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths relative to the root, so that working copies share results.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
                                    CCACHE_NOHASHDIR=1 ${CONCLAVE_CCACHE})
endif()

# By version: to try it would compile and link a program, a tenth of a second of every cold start.
# It links programs of this machine, not modules of a browser.
find_program(CONCLAVE_MOLD mold)
if(CONCLAVE_MOLD AND NOT CMAKE_CROSSCOMPILING
   AND (NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
        OR CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1))
    add_link_options(-fuse-ld=mold)
endif()

if(CONCLAVE_STATIC)
    # mold would take a shared library in spite of -static, and link a program that crashes.
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()

if(CONCLAVE_SANITIZE)
    # Without no-recover the undefined-behaviour sanitizer reports, and exits with 0. The two that
    # are left out take half of the compiler's time and find what the address sanitizer finds.
    add_compile_options(-fsanitize=${CONCLAVE_SANITIZE} -fno-sanitize=null,object-size
                        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${CONCLAVE_SANITIZE})
endif()

# Private to this project: who uses the libraries is not held to our warnings.
add_library(conclave_warnings INTERFACE)
target_compile_options(conclave_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion)
if(NOT CONCLAVE_BATCHES)  # there a local name may be that of another file
    target_compile_options(conclave_warnings INTERFACE -Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(conclave_warnings INTERFACE -Wshadow=local)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 sees overlaps in std::string's operator+ at -O3 that cannot happen.
    target_compile_options(conclave_warnings INTERFACE -Wno-restrict)
endif()
