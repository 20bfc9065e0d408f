# The examples are programs of their own, in three languages, and one group.
add_executable(example_elector ${PROJECT_SOURCE_DIR}/examples/elector.cpp)
target_link_libraries(example_elector PRIVATE conclave_warnings conclave::elector)

if(NOT CONCLAVE_SANITIZE)  # else Python would have to be sanitized, too
    enable_language(C)
    add_executable(example_elector_c ${PROJECT_SOURCE_DIR}/examples/elector.c)
    target_link_libraries(example_elector_c PRIVATE conclave::c)
    target_compile_options(example_elector_c PRIVATE -Wall -Wextra -Wpedantic -std=gnu11)
    add_test(NAME elector.examples_in_three_languages_are_one_group
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/elector/languages.py
                     $<TARGET_FILE:example_elector> $<TARGET_FILE:example_elector_c>
                     ${Python3_EXECUTABLE},-B,${PROJECT_SOURCE_DIR}/examples/elector.py)
    set_tests_properties(elector.examples_in_three_languages_are_one_group PROPERTIES
                         LABELS tests TIMEOUT 180
                         ENVIRONMENT PYTHONPATH=${CONCLAVE_PYTHON_BUILD})
    add_test(NAME elector.the_shared_library_exports_its_header_and_nothing_else
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/elector/exports.py
                     $<TARGET_FILE:conclave_c> ${PROJECT_SOURCE_DIR}/conclave/c/conclave.h)
    add_test(NAME elector.python_module
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/elector/module_test.py)
    set_tests_properties(elector.python_module PROPERTIES TIMEOUT 120
                         ENVIRONMENT PYTHONPATH=${CONCLAVE_PYTHON_BUILD})
    set_tests_properties(elector.the_shared_library_exports_its_header_and_nothing_else
                         elector.python_module PROPERTIES LABELS tests)
endif()
