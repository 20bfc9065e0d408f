# Rows of `conclave claims`, derived a second time by models that know the five documents only.
foreach(document tempo nemeth lecture cs425 vitanyi)
    add_test(NAME independent.rows_of_${document}_agree_and_broken_rules_do_not
             COMMAND ${Python3_EXECUTABLE} -B tests/independent/check.py $<TARGET_FILE:conclave>
                     ${document}
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(independent.rows_of_${document}_agree_and_broken_rules_do_not PROPERTIES
                         LABELS tests TIMEOUT 600 ${CONCLAVE_COMPUTES})
endforeach()
# Their searches are the longest.
set_tests_properties(independent.rows_of_tempo_agree_and_broken_rules_do_not
                     independent.rows_of_nemeth_agree_and_broken_rules_do_not PROPERTIES COST 20)
add_test(NAME independent.the_comparison_bites
         COMMAND ${Python3_EXECUTABLE} -B tests/independent/check_test.py
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(independent.the_comparison_bites PROPERTIES LABELS tests ${CONCLAVE_COMPUTES})
