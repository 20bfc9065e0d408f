# Real nodes around real servers: ./dev test engines brings both.
add_custom_target(engines_programs)
if(TARGET conclave-engine)
    add_dependencies(engines_programs conclave conclave-engine ticker)
endif()
add_dependencies(engines_part engines_programs)
function(conclave_add_engine_test name label)
    add_test(NAME engines.${name}
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/engines/${ARGN})
    set_tests_properties(engines.${name} PROPERTIES LABELS ${label} TIMEOUT 600
                         ${CONCLAVE_WAITS})
endfunction()
conclave_add_engine_test(groups_on_etcd engines
    via_test.py $<TARGET_FILE:conclave> $<TARGET_FILE:ticker> WithEtcd)
conclave_add_engine_test(groups_on_postgresql engines
    via_test.py $<TARGET_FILE:conclave> $<TARGET_FILE:ticker> WithPostgresql)
foreach(engine IN ITEMS etcd postgresql)
    conclave_add_engine_test(a_storm_on_${engine}_leaves_one_command engines
        storm.py $<TARGET_FILE:conclave> $<TARGET_FILE:ticker> ${engine})
    conclave_add_engine_test(many_storms_on_${engine}_leave_one_command soak
        storm.py $<TARGET_FILE:conclave> $<TARGET_FILE:ticker> ${engine} --sequences 100)
    set_tests_properties(engines.many_storms_on_${engine}_leave_one_command PROPERTIES TIMEOUT 7200)
endforeach()
