# The rules of the house hold in this tree, and the checker of the rules is itself checked.
add_test(NAME tidy.the_tree_keeps_the_rules
         COMMAND ${Python3_EXECUTABLE} -B tests/tidy/tidy.py .
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME tidy.every_rule_bites
         COMMAND ${Python3_EXECUTABLE} -B tests/tidy/tidy_test.py
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME tidy.every_rule_of_language_bites
         COMMAND ${Python3_EXECUTABLE} -B tests/tidy/language_test.py
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME tidy.lint_looks_at_what_has_changed
         COMMAND ${Python3_EXECUTABLE} -B tests/tidy/mistakes_test.py
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(tidy.the_tree_keeps_the_rules tidy.every_rule_bites
                     tidy.every_rule_of_language_bites
                     tidy.lint_looks_at_what_has_changed PROPERTIES LABELS tests
                     ${CONCLAVE_COMPUTES})
