# The tool, the guardian, the benchmarks, the fuzz targets.

if(EXISTS ${PROJECT_SOURCE_DIR}/conclave/cli/main.cpp)
    add_executable(conclave conclave/cli/main.cpp)
    target_link_libraries(conclave PRIVATE conclave_warnings conclave::cli ${CONCLAVE_cli_LINKS})
    target_compile_definitions(conclave_cli PUBLIC CONCLAVE_VERSION="${PROJECT_VERSION}")
endif()

if(EXISTS ${PROJECT_SOURCE_DIR}/conclave/guardian/main.cpp)
    add_executable(conclave-guardian conclave/guardian/main.cpp)
    target_link_libraries(conclave-guardian PRIVATE conclave_warnings conclave::guardian)
endif()

# bench/NAME.cpp measures Conclave; bench/limit/NAME.cpp is the fastest program we know for the
# same task, with nothing of Conclave in it.
if(CONCLAVE_BENCH)
    file(GLOB sources CONFIGURE_DEPENDS bench/*.cpp)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        add_executable(bench_${name} ${source})
        target_link_libraries(bench_${name} PRIVATE conclave_warnings ${CONCLAVE_LIBRARIES})
    endforeach()
    file(GLOB sources CONFIGURE_DEPENDS bench/limit/*.cpp)
    add_custom_target(limits)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        add_executable(limit_${name} ${source})
        target_link_libraries(limit_${name} PRIVATE conclave_warnings)
        add_dependencies(limits limit_${name})
    endforeach()
endif()

# tests/fuzz/NAME.cpp feeds random bytes to what reads bytes.
if(CONCLAVE_FUZZ)
    file(GLOB sources CONFIGURE_DEPENDS tests/fuzz/*.cpp)
    add_custom_target(fuzz_targets)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        add_executable(fuzz_${name} ${source})
        target_link_libraries(fuzz_${name} PRIVATE conclave_warnings ${CONCLAVE_LIBRARIES})
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
        add_dependencies(fuzz_targets fuzz_${name})
    endforeach()
endif()
