# Real nodes, one fault after another: see storm.py. STORM_SEED chooses another sequence. They wait
# more than they compute; COST lets ctest begin with them.
add_executable(ticker ${PROJECT_SOURCE_DIR}/tests/cluster/ticker.cpp)
target_link_libraries(ticker PRIVATE conclave_warnings)

if(DEFINED ENV{STORM_SEED})
    set(storm_seed $ENV{STORM_SEED})
else()
    set(storm_seed 1)
endif()

# A sanitizer's runtime wants to be loaded before everything else: there disks do not fail.
if(NOT CONCLAVE_SANITIZE)
    add_library(disk_faults MODULE ${PROJECT_SOURCE_DIR}/tests/cluster/disk_faults.cpp)
    target_link_libraries(disk_faults PRIVATE conclave_warnings c)
    target_compile_options(disk_faults PRIVATE -fno-exceptions -fno-rtti)
    target_link_options(disk_faults PRIVATE -nodefaultlibs)
    set(disk_faults $<TARGET_FILE:disk_faults>)
    set(storm_disks --disk-faults ${disk_faults})
endif()

function(conclave_add_storm name label)
    add_test(NAME cluster.${name}
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/storm.py
                     $<TARGET_FILE:conclave> $<TARGET_FILE:ticker> ${storm_disks} ${ARGN})
    set_tests_properties(cluster.${name} PROPERTIES LABELS "${label};safety" TIMEOUT 900
                         SKIP_RETURN_CODE 77 COST 20)
endfunction()

conclave_add_storm(each_fault_leaves_one_command tests --each)
conclave_add_storm(a_storm_leaves_one_command tests --namespaces --nodes 5 --seed ${storm_seed})
conclave_add_storm(members_come_and_go_in_a_storm tests --namespaces --nodes 3 --changes
                   --seed ${storm_seed})
foreach(algorithm invitation multicast nemeth tempo)
    conclave_add_storm(a_few_faults_leave_one_command_with_${algorithm} tests --namespaces --nodes 3
                       --faults 3 --algorithm ${algorithm} --seed ${storm_seed})
    conclave_add_storm(each_fault_leaves_one_command_with_${algorithm} soak --each --namespaces
                       --nodes 3 --algorithm ${algorithm} --manners "stubborn daemon")
endforeach()
conclave_add_storm(each_fault_leaves_one_command_of_five soak --each --namespaces --nodes 5
                   --manners "stubborn daemon")
conclave_add_storm(each_loss_and_delay_leaves_one_command soak --each --relay --nodes 3)
conclave_add_storm(loss_and_delay_leave_one_command soak --relay --nodes 3 --faults 100)

if(disk_faults)
    # Twenty faults take some twenty seconds, and two sequences run at a time.
    add_test(NAME cluster.many_storms_leave_one_command
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/storms.py
                     $<TARGET_FILE:conclave> $<TARGET_FILE:ticker> ${storm_disks}
                     --sequences 100 --first ${storm_seed} --logs ${PROJECT_BINARY_DIR}/storms)
    set_tests_properties(cluster.many_storms_leave_one_command PROPERTIES LABELS soak TIMEOUT 7200
                         SKIP_RETURN_CODE 77 ${CONCLAVE_RUNS_ALONE})

    add_test(NAME cluster.members_come_and_go_in_many_storms
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/storms.py
                     $<TARGET_FILE:conclave> $<TARGET_FILE:ticker> ${storm_disks} --changes
                     --sequences 50 --first ${storm_seed} --logs ${PROJECT_BINARY_DIR}/changes)
    set_tests_properties(cluster.members_come_and_go_in_many_storms PROPERTIES LABELS soak
                         TIMEOUT 7200 SKIP_RETURN_CODE 77 ${CONCLAVE_RUNS_ALONE})

    function(conclave_add_disk_test name label class)
        add_test(NAME cluster.${name}
                 COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/disk_test.py
                         $<TARGET_FILE:conclave> $<TARGET_FILE:ticker> ${disk_faults} ${class})
        set_tests_properties(cluster.${name} PROPERTIES LABELS "${label};safety" TIMEOUT 300
                             COST 20)
    endfunction()

    conclave_add_disk_test(a_failing_disk_leaves_one_command tests OneCommand)
    conclave_add_disk_test(a_slow_disk_stops_no_heartbeat tests SlowDisk)
    conclave_add_disk_test(every_step_of_the_disk_may_fail soak EveryStep)
endif()

function(conclave_add_ordeal name program)
    add_test(NAME cluster.${name}
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/${program}
                     $<TARGET_FILE:conclave> $<TARGET_FILE:ticker> ${ARGN})
    set_tests_properties(cluster.${name} PROPERTIES LABELS soak TIMEOUT 900 SKIP_RETURN_CODE 77
                         RUN_SERIAL ON)
endfunction()

conclave_add_ordeal(hostile_datagrams_move_nobody hostile.py --seconds 30)
conclave_add_ordeal(busy_cores_move_nobody calm.py --seconds 600)
conclave_add_ordeal(busy_cores_move_nobody_with_tempo calm.py --seconds 120 --algorithm tempo)

# CONCLAVE_LONG_RUN seconds with a fault a minute: memory and open files stay as they are.
set(CONCLAVE_LONG_RUN 600 CACHE STRING "Length of the long run of ./dev soak, in seconds")
conclave_add_ordeal(a_long_run_leaves_memory_and_files_as_they_were long_run.py
                    --seconds ${CONCLAVE_LONG_RUN} --plot ${PROJECT_BINARY_DIR}/long-run.svg)
math(EXPR long_run_limit "${CONCLAVE_LONG_RUN} * 2 + 300")
set_tests_properties(cluster.a_long_run_leaves_memory_and_files_as_they_were PROPERTIES
                     TIMEOUT ${long_run_limit})

# Three nodes behind a relay that loses datagrams, in both directions, for a minute.
conclave_add_ordeal(a_fifth_of_all_datagrams_lost_moves_nobody loss.py --loss 0.2 --most 0)
conclave_add_ordeal(three_tenths_lost_move_the_leader_once_at_most loss.py --loss 0.3 --most 1)
# SIGTERM to the leader of many.
foreach(way multicast unicast)
    conclave_add_ordeal(twenty_five_hand_over_by_${way} crowd.py --nodes 25 --way ${way} --times 5
                        --most 60)
endforeach()
conclave_add_ordeal(fifty_hand_over_within_one_term crowd.py --nodes 50)

# A group of the oldest program whose datagrams this one still speaks: built from its commit, once.
set(CONCLAVE_FORMER_COMMIT ba544d347e1b9dcafb725361c9d0ceb2c3a33300
    CACHE STRING "Upgraded from, in a test of ./dev soak")
conclave_add_ordeal(an_upgrade_node_by_node_leaves_one_command upgrade.py
                    --commit ${CONCLAVE_FORMER_COMMIT} --build ${PROJECT_BINARY_DIR}/former)

add_test(NAME cluster.nodes_have_manners
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/manners_test.py
                 $<TARGET_FILE:conclave> $<TARGET_FILE:ticker>)
set_tests_properties(cluster.nodes_have_manners PROPERTIES LABELS tests TIMEOUT 300 COST 30)

add_test(NAME cluster.members_come_and_go
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/members_test.py
                 $<TARGET_FILE:conclave> $<TARGET_FILE:ticker>)
set_tests_properties(cluster.members_come_and_go PROPERTIES LABELS tests TIMEOUT 120 COST 20)

add_test(NAME cluster.the_show_tells_what_is
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/show_test.py
                 $<TARGET_FILE:conclave>)
set_tests_properties(cluster.the_show_tells_what_is PROPERTIES LABELS tests TIMEOUT 120)

add_test(NAME cluster.the_network_is_seen
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/network_test.py
                 $<TARGET_FILE:conclave> $<TARGET_FILE:ticker>)
set_tests_properties(cluster.the_network_is_seen PROPERTIES LABELS tests TIMEOUT 300
                     SKIP_RETURN_CODE 77 COST 20)

add_test(NAME cluster.a_command_that_is_done_stays_done
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/done_test.py
                 $<TARGET_FILE:conclave> $<TARGET_FILE:ticker>)
set_tests_properties(cluster.a_command_that_is_done_stays_done PROPERTIES LABELS tests TIMEOUT 120)

add_test(NAME cluster.doctor_names_the_direction_that_is_blocked
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/one_way_test.py
                 $<TARGET_FILE:conclave> $<TARGET_FILE:ticker>)
set_tests_properties(cluster.doctor_names_the_direction_that_is_blocked PROPERTIES LABELS tests
                     TIMEOUT 120)

add_test(NAME cluster.a_state_folder_that_cannot_be_written_is_known
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/state_folder_test.py
                 $<TARGET_FILE:conclave> $<TARGET_FILE:ticker>)
set_tests_properties(cluster.a_state_folder_that_cannot_be_written_is_known PROPERTIES LABELS tests
                     TIMEOUT 120 SKIP_RETURN_CODE 77)

add_test(NAME cluster.nobody_takes_over_while_the_former_command_lives
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/former_tree_test.py
                 $<TARGET_FILE:conclave> $<TARGET_FILE:ticker>)
set_tests_properties(cluster.nobody_takes_over_while_the_former_command_lives PROPERTIES
                     LABELS tests TIMEOUT 120 COST 20)

# Somebody without the key, or without rights, and datagrams that are only late.
foreach(case OtherUser OtherHost Late)
    string(TOLOWER ${case} name)
    add_test(NAME cluster.forger_${name}
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/forger_test.py
                     $<TARGET_FILE:conclave> $<TARGET_FILE:ticker> ${case})
    set_tests_properties(cluster.forger_${name} PROPERTIES LABELS tests TIMEOUT 300 COST 20)
endforeach()

add_test(NAME cluster.the_value_of_the_leader_is_seen_everywhere
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/publish_test.py
                 $<TARGET_FILE:conclave> $<TARGET_FILE:ticker>)
set_tests_properties(cluster.the_value_of_the_leader_is_seen_everywhere PROPERTIES LABELS tests
                     TIMEOUT 120)

function(conclave_add_moving_test name file)
    add_test(NAME cluster.${name}
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/${file}
                     $<TARGET_FILE:conclave> $<TARGET_FILE:ticker>)
    set_tests_properties(cluster.${name} PROPERTIES LABELS tests TIMEOUT 300 SKIP_RETURN_CODE 77)
endfunction()

conclave_add_moving_test(a_virtual_address_is_never_on_two_machines virtual_ip_test.py)
conclave_add_moving_test(members_are_found_by_host_name_and_followed host_names_test.py)

add_test(NAME cluster.scenarios_run_both_ways_alike
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/cluster/both_ways.py
                 $<TARGET_FILE:conclave> $<TARGET_FILE:conclave-lab> $<TARGET_FILE:ticker>)
set_tests_properties(cluster.scenarios_run_both_ways_alike PROPERTIES LABELS tests TIMEOUT 600
                     SKIP_RETURN_CODE 77 COST 20)
