# Random bytes for a while, other ones at each run; ./dev soak takes longer.
foreach(name IN LISTS CONCLAVE_FUZZ_TARGETS)
    add_test(NAME fuzz.${name}
             COMMAND fuzz_${name} -max_total_time=10 -max_len=4096 -verbosity=0 -print_final_stats=1
                     -artifact_prefix=${PROJECT_BINARY_DIR}/fuzz_${name}.)
    set_tests_properties(fuzz.${name} PROPERTIES LABELS tests COST 20 ${CONCLAVE_COMPUTES})
endforeach()
