# The example is a program of its own: built, and run by several processes at once.
add_executable(example_elector ${PROJECT_SOURCE_DIR}/examples/elector.cpp)
target_link_libraries(example_elector PRIVATE conclave_warnings conclave::elector)
add_test(NAME elector.the_example_counts_in_one_process_at_a_time
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/elector/example.py
                 $<TARGET_FILE:example_elector>)
set_tests_properties(elector.the_example_counts_in_one_process_at_a_time
                     PROPERTIES LABELS tests TIMEOUT 120)
