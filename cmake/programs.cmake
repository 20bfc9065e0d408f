# The programs, the benchmarks, the fuzz targets.

# Folders with a main.cpp; the Debian package that has the program is its component. Each has a
# manual page, packaging/man/PROGRAM.1.
set(CONCLAVE_PROGRAMS tool lab guardian)
set(CONCLAVE_tool_PROGRAM conclave)
set(CONCLAVE_tool_COMPONENT conclave)
set(CONCLAVE_lab_PROGRAM conclave-lab)
set(CONCLAVE_lab_COMPONENT conclave-lab)
set(CONCLAVE_guardian_PROGRAM conclave-guardian)
set(CONCLAVE_guardian_COMPONENT conclave)
if(TARGET conclave_engines)  # where libcurl and libpq are
    list(APPEND CONCLAVE_PROGRAMS engines)
    set(CONCLAVE_engines_PROGRAM conclave-engine)
    set(CONCLAVE_engines_COMPONENT conclave-engine)
endif()
if(NOT CONCLAVE_SANITIZE)
    set(CONCLAVE_guardian_LINK_OPTIONS -static)  # starts at once and takes little memory
endif()
set(CONCLAVE_EXECUTABLES "")
foreach(folder IN LISTS CONCLAVE_PROGRAMS)
    set(program ${CONCLAVE_${folder}_PROGRAM})
    add_executable(${program} conclave/${folder}/main.cpp)
    target_link_libraries(${program} PRIVATE conclave_warnings conclave::${folder})
    target_link_options(${program} PRIVATE ${CONCLAVE_${folder}_LINK_OPTIONS})
    list(APPEND CONCLAVE_EXECUTABLES ${program})
endforeach()
add_dependencies(conclave conclave-guardian)  # conclave run starts it

if(CONCLAVE_SANITIZE MATCHES thread)
    # It has one thread and forks into namespaces by system call, behind the sanitizer's back: the
    # threads that the sanitizer adds may then leave a lock taken for ever.
    foreach(target IN ITEMS conclave_process conclave_guardian conclave-guardian)
        target_compile_options(${target} PRIVATE -fno-sanitize=thread)
    endforeach()
    target_link_options(conclave-guardian PRIVATE -fno-sanitize=thread)
endif()

# bench/NAME.cpp measures Conclave; bench/limit/NAME.cpp is the fastest program we know for the
# same task, with nothing of Conclave in it. All of them are built by the target benches only.
if(CONCLAVE_BENCH)
    add_custom_target(limits)
    add_custom_target(benches)
    add_dependencies(benches limits)
    file(GLOB sources CONFIGURE_DEPENDS bench/*.cpp)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        add_executable(bench_${name} EXCLUDE_FROM_ALL ${source})
        add_dependencies(benches bench_${name})
        target_link_libraries(bench_${name} PRIVATE conclave_warnings conclave::claims
                                                    conclave::elector conclave::timed
                                                    conclave::time_interval)
        add_dependencies(bench_${name} conclave-guardian)  # it may start it
    endforeach()
    file(GLOB sources CONFIGURE_DEPENDS bench/limit/*.cpp)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        add_executable(limit_${name} EXCLUDE_FROM_ALL ${source})
        target_link_libraries(limit_${name} PRIVATE conclave_warnings)
        target_include_directories(limit_${name} PRIVATE ${PROJECT_SOURCE_DIR})
        add_dependencies(limits limit_${name})
    endforeach()
endif()

# tests/fuzz/NAME.cpp feeds random bytes to what reads bytes.
if(CONCLAVE_FUZZ)
    file(GLOB sources CONFIGURE_DEPENDS tests/fuzz/*.cpp)
    add_custom_target(fuzz_targets)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        if(name MATCHES "^engine_" AND NOT TARGET conclave_engines)
            continue()
        endif()
        add_executable(fuzz_${name} ${source})
        target_link_libraries(fuzz_${name} PRIVATE conclave_warnings conclave_agent conclave_cli
                                                   conclave_page conclave_browser
                                                   $<TARGET_NAME_IF_EXISTS:conclave_engines>)
        target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer-no-link)
        target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
        add_dependencies(fuzz_targets fuzz_${name})
        list(APPEND CONCLAVE_FUZZ_TARGETS ${name})
    endforeach()
endif()
