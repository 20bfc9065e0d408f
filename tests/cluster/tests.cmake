# Real nodes, one fault after another: see storm.py. STORM_SEED chooses another sequence.
add_executable(ticker ${PROJECT_SOURCE_DIR}/tests/cluster/ticker.cpp)
target_link_libraries(ticker PRIVATE conclave_warnings)

if(DEFINED ENV{STORM_SEED})
    set(storm_seed $ENV{STORM_SEED})
else()
    set(storm_seed 1)
endif()

function(conclave_add_storm name label)
    add_test(NAME cluster.${name}
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/storm.py
                     $<TARGET_FILE:conclave> $<TARGET_FILE:ticker> ${ARGN})
    set_tests_properties(cluster.${name} PROPERTIES LABELS ${label} TIMEOUT 900
                         SKIP_RETURN_CODE 77 PROCESSORS 2)
endfunction()

conclave_add_storm(each_fault_leaves_one_command tests --each)
conclave_add_storm(a_storm_leaves_one_command tests --namespaces --nodes 5 --seed ${storm_seed})
conclave_add_storm(each_fault_leaves_one_command_with_tempo soak --each --namespaces --nodes 3
                   --algorithm tempo --manners "stubborn daemon")
foreach(seed RANGE 1 10)
    conclave_add_storm(storm_${seed} soak --namespaces --nodes 5 --faults 200 --seed ${seed})
endforeach()
conclave_add_storm(loss_and_delay_leave_one_command soak --relay --nodes 3 --faults 100)

add_test(NAME cluster.nodes_have_manners
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/manners_test.py
                 $<TARGET_FILE:conclave> $<TARGET_FILE:ticker>)
set_tests_properties(cluster.nodes_have_manners PROPERTIES LABELS tests TIMEOUT 300 PROCESSORS 2)

add_test(NAME cluster.the_network_is_seen
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/network_test.py
                 $<TARGET_FILE:conclave> $<TARGET_FILE:ticker>)
set_tests_properties(cluster.the_network_is_seen PROPERTIES LABELS tests TIMEOUT 300
                     SKIP_RETURN_CODE 77 PROCESSORS 2)
