# The script that runs all other tests is itself tested.
add_test(NAME dev.does_what_it_promises
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/dev/dev_test.py)
add_test(NAME dev.skipped_tests_and_parts_are_accounted_for
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/dev/results_test.py)
set_tests_properties(dev.does_what_it_promises dev.skipped_tests_and_parts_are_accounted_for
                     PROPERTIES LABELS tests)
