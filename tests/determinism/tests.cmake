# The tool of this build does, byte for byte, what the tools of all other builds do.
add_test(NAME determinism.same_seed_same_bytes
         COMMAND ${Python3_EXECUTABLE} -B tests/determinism/check.py $<TARGET_FILE:conclave>
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(determinism.same_seed_same_bytes PROPERTIES LABELS tests
                     ${CONCLAVE_COMPUTES})
