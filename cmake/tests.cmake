# tests/FOLDER/*_test.cpp is one program, FOLDER_tests; *_soak.cpp is FOLDER_soak, which takes
# longer and only runs in ./dev soak. Each TEST is a test of ctest and runs in the repository's
# root. What is no C++ program is registered in tests/FOLDER/tests.cmake, under a name that begins
# with FOLDER and a dot.
find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
include(GoogleTest)

# Where tests find the tool and the examples: #include "tests/paths.hpp".
set(CONCLAVE_TOOL ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/conclave)
configure_file(cmake/paths.hpp.in generated/tests/paths.hpp @ONLY)

# What every test may use. No precompiled header: it would save a fifth of the compiler's time, but
# ccache could no longer share results between working copies.
file(GLOB support CONFIGURE_DEPENDS tests/support/*.cpp)
if(support)
    set(reach PUBLIC)
    add_library(conclave_test_support STATIC ${support})
else()
    set(reach INTERFACE)
    add_library(conclave_test_support INTERFACE)
endif()
target_link_libraries(conclave_test_support
    ${reach} conclave_warnings GTest::gtest_main GTest::gmock rapidcheck_gtest
             nlohmann_json::nlohmann_json)
target_include_directories(conclave_test_support ${reach} ${PROJECT_SOURCE_DIR}
                                                          ${PROJECT_BINARY_DIR}/generated)

# Folders whose code uses threads: ctest -L threads is what the thread sanitizer looks at.
set(CONCLAVE_THREADED agent simulator checker elector c page)
# What a sanitizer need not see: folders that run nothing of this build, or, at length, what other
# tests run as well. Nor does it see the long tests.
set(CONCLAVE_UNSANITIZED claims determinism dev docs independent install mutation tidy wasm)
# ctest counts halves of cores (PROCESSORS): a test that computes takes two, one that mostly waits
# for real nodes takes one. On two cores, nothing runs beside one that measures milliseconds.
set(CONCLAVE_COMPUTES PROCESSORS 2)
set(CONCLAVE_WAITS PROCESSORS 1)
set(CONCLAVE_RUNS_ALONE PROCESSORS 4)
set(CONCLAVE_WAITING agent c elector guardian net)  # folders whose tests wait ...
set(CONCLAVE_guardian_PUNCTUAL "*Punctual.*:*CleanUp.*")  # ... but for these suites, which measure
# Folders with tests of many seconds: ctest begins with them, so that none of these comes last.
set(CONCLAVE_LONG lease)
add_custom_target(threaded_tests)

# Parts have a command of their own, ./dev test PART: their tests carry the label PART, and what
# only they need is built by the target PART_part, not by all.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS tests/parts.txt)
file(STRINGS tests/parts.txt lines REGEX "^[a-z]+:")
set(CONCLAVE_PARTS "")
foreach(line IN LISTS lines)
    string(REGEX REPLACE ":.*" "" part "${line}")
    list(APPEND CONCLAVE_PARTS ${part})
    add_custom_target(${part}_part)
endforeach()
list(APPEND CONCLAVE_UNSANITIZED ${CONCLAVE_PARTS})

# The program of a part is one test: to list its TESTs, ctest would have to run it when it is built,
# and would call it broken where it is not.
function(conclave_add_to_part part target)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_dependencies(${part}_part ${target})
    add_test(NAME ${part}.tests COMMAND ${target} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${part}.tests PROPERTIES LABELS ${part} TIMEOUT 600
                         SKIP_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
endfunction()

# conclave_find_used(OUT SOURCE...): the libraries of the members of conclave/ that these
# sources include, directly or by headers of other tests. ./dev asks again at each build.
function(conclave_find_used out)
    set(todo ${ARGN})
    set(seen "")
    set(uses "")
    while(todo)
        list(POP_FRONT todo file)
        file(STRINGS ${file} lines REGEX "^#include \"(conclave|tests)/")
        foreach(line IN LISTS lines)
            if(line MATCHES "\"conclave/([a-z_]+)[/.]")
                list(APPEND uses conclave_${CMAKE_MATCH_1})
            elseif(line MATCHES "\"(tests/[a-z_]+/[a-z_]+\\.hpp)"
                   AND NOT CMAKE_MATCH_1 IN_LIST seen)
                list(APPEND todo ${CMAKE_MATCH_1})
                list(APPEND seen ${CMAKE_MATCH_1})
            endif()
        endforeach()
    endwhile()
    list(REMOVE_DUPLICATES uses)
    set(${out} ${uses} PARENT_SCOPE)
endfunction()

function(conclave_discover_tests target filter)
    gtest_discover_tests(${target} TEST_FILTER ${filter} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                         DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600 ${ARGN})
endfunction()

function(conclave_add_tests folder suffix label)
    file(GLOB sources CONFIGURE_DEPENDS tests/${folder}/*_${suffix}.cpp)
    if(NOT sources OR (CONCLAVE_SANITIZE AND label STREQUAL soak))
        return()
    endif()
    set(target ${folder}_${label})
    conclave_find_used(uses ${sources})
    conclave_batch(${target} 8 sources ${sources})
    add_executable(${target} ${sources})
    target_link_libraries(${target} PRIVATE conclave_test_support ${uses})
    target_compile_options(${target} PRIVATE ${CONCLAVE_COLD_OPTIONS})
    add_dependencies(${target} conclave)  # it may run it, or the guardian
    if(NOT folder IN_LIST CONCLAVE_MEMBERS OR folder STREQUAL cli)
        add_dependencies(${target} conclave-lab)
    endif()
    if(folder IN_LIST CONCLAVE_PARTS AND label STREQUAL tests)
        conclave_add_to_part(${folder} ${target})
        return()
    endif()
    set(labels ${label}-in-${folder})  # one word: gtest_discover_tests cannot pass a list on
    if(folder IN_LIST CONCLAVE_THREADED)
        set(labels ${label}-threads-in-${folder})
        add_dependencies(threaded_tests ${target})
    endif()
    set(properties ${CONCLAVE_COMPUTES})
    if(folder IN_LIST CONCLAVE_WAITING)
        set(properties ${CONCLAVE_WAITS})
    endif()
    if(folder IN_LIST CONCLAVE_LONG)
        list(APPEND properties COST 15)
    endif()
    set(punctual ${CONCLAVE_${folder}_PUNCTUAL})
    conclave_discover_tests(${target} "*-${punctual}" LABELS ${labels} ${properties})
    if(punctual)
        conclave_discover_tests(${target} ${punctual} LABELS ${labels} ${CONCLAVE_RUNS_ALONE})
    endif()
endfunction()

file(GLOB folders CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE ${PROJECT_SOURCE_DIR}/tests
     ${PROJECT_SOURCE_DIR}/tests/*)
foreach(folder IN LISTS folders)
    if(CONCLAVE_SANITIZE AND folder IN_LIST CONCLAVE_UNSANITIZED)
        continue()
    endif()
    if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/tests/${folder})
        conclave_add_tests(${folder} test tests)
        conclave_add_tests(${folder} soak soak)
        if(EXISTS ${PROJECT_SOURCE_DIR}/tests/${folder}/tests.cmake)
            include(tests/${folder}/tests.cmake)
        endif()
    endif()
endforeach()
