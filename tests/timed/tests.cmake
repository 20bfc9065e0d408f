# The time daemon from outside. tsp_peer.py is a peer that shares no code with ours, and is itself
# held against what was captured of BSD timed.
add_test(NAME timed.the_peer_behaves_as_bsd_timed
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/timed/tsp_peer_test.py)
set_tests_properties(timed.the_peer_behaves_as_bsd_timed PROPERTIES LABELS tests TIMEOUT 60)
