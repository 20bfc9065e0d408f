# The time daemon from outside. tsp_peer.py is a peer that shares no code with ours, and is itself
# held against what was captured of BSD timed.
function(conclave_add_timed name file)
    add_test(NAME timed.${name}
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/timed/${file} ${ARGN})
    set_tests_properties(timed.${name} PROPERTIES LABELS tests TIMEOUT 300 SKIP_RETURN_CODE 77
                         COST 15)
endfunction()

conclave_add_timed(the_peer_behaves_as_bsd_timed tsp_peer_test.py)
conclave_add_timed(the_daemon_gets_on_with_bsd_timed_and_strangers scenes.py
                   $<TARGET_FILE:conclave>)
if(CONCLAVE_SANITIZE)  # many daemons at once, and peers that answer as late as the machine is busy
    set_tests_properties(timed.the_daemon_gets_on_with_bsd_timed_and_strangers
                         PROPERTIES ${CONCLAVE_RUNS_ALONE})
endif()
conclave_add_timed(five_daemons_keep_together network.py $<TARGET_FILE:conclave>)
set(watch "")
if(NOT CONCLAVE_SANITIZE)  # a sanitizer reads clocks of its own
    add_library(clock_watch MODULE ${PROJECT_SOURCE_DIR}/tests/timed/clock_watch.cpp)
    target_link_libraries(clock_watch PRIVATE conclave_warnings ${CMAKE_DL_LIBS})
    set(watch $<TARGET_FILE:clock_watch>)
    add_library(kernel_clock MODULE ${PROJECT_SOURCE_DIR}/tests/timed/kernel_clock.cpp)
    target_link_libraries(kernel_clock PRIVATE conclave_warnings ${CMAKE_DL_LIBS})
    conclave_add_timed(the_kernels_clock_is_steered_and_bears_being_disturbed system_clock.py
                       $<TARGET_FILE:conclave> $<TARGET_FILE:kernel_clock> moves coasts
                       is_disturbed)
    conclave_add_timed(a_network_whose_clocks_were_all_set_finds_together system_clock.py
                       $<TARGET_FILE:conclave> $<TARGET_FILE:kernel_clock> all_are_set)
    conclave_add_timed(bad_clocks_take_nobody_along bad_clocks.py $<TARGET_FILE:conclave>
                       $<TARGET_FILE:kernel_clock>)
endif()
conclave_add_timed(the_daemon_makes_no_other_system_calls system_calls.py $<TARGET_FILE:conclave>
                   ${watch})
add_executable(read_pages ${PROJECT_SOURCE_DIR}/tests/timed/read_pages.cpp)
target_link_libraries(read_pages PRIVATE conclave_warnings conclave::time_interval)
conclave_add_timed(programs_read_intervals_that_hold_the_time intervals.py
                   $<TARGET_FILE:conclave> $<TARGET_FILE:read_pages>)
conclave_add_timed(chrony_serves_our_time_by_ntp chrony.py $<TARGET_FILE:conclave>)
# Breaking each rule and looking whether a test fails takes a build: the file says how.
conclave_add_timed(each_fault_can_still_be_planted planted.py)
