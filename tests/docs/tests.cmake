# Pages whose transcripts and commands are tried; with :HEADING, some sections of a page.
set(CONCLAVE_TRUE_PAGES
    docs/algorithms/README.md docs/algorithms/bully.md docs/algorithms/consensus.md
    docs/algorithms/invitation.md docs/algorithms/multicast.md docs/algorithms/tempo.md
    docs/findings/README.md docs/findings/tempo.md docs/findings/nemeth.md
    docs/findings/lecture-9.md docs/findings/cs425.md docs/claims.md docs/checking.md docs/lease.md
    docs/scenarios.md docs/tutorial-laboratory.md docs/json.md docs/words.md
    docs/algorithms/nemeth.md
    "README.md:One minute")
add_test(NAME docs.pages_show_what_the_tool_prints
         COMMAND ${Python3_EXECUTABLE} -B tests/docs/transcripts.py $<TARGET_FILE:conclave>
                 ${CONCLAVE_TRUE_PAGES}
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.pages_show_what_the_tool_prints PROPERTIES LABELS tests COST 25
                     ${CONCLAVE_COMPUTES})

# The rings apart, because their largest runs take seconds.
set(CONCLAVE_TRUE_RING_PAGES docs/findings/vitanyi.md)
foreach(ring archimedean chang-roberts dolev-klawe-rodeh franklin hirschberg-sinclair itai-rodeh
        le-lann repaired-chang-roberts ring-basic ring-collect)
    list(APPEND CONCLAVE_TRUE_RING_PAGES docs/algorithms/${ring}.md)
endforeach()
add_test(NAME docs.pages_of_rings_show_what_the_tool_prints
         COMMAND ${Python3_EXECUTABLE} -B tests/docs/transcripts.py $<TARGET_FILE:conclave>
                 ${CONCLAVE_TRUE_RING_PAGES}
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.pages_of_rings_show_what_the_tool_prints PROPERTIES LABELS tests
                     ${CONCLAVE_COMPUTES})

# What the manual says of verbs and options is what the tool's own help says.
add_test(NAME docs.manual_pages_know_every_verb_and_option
         COMMAND ${Python3_EXECUTABLE} -B packaging/man/make.py --check $<TARGET_FILE:conclave>
                 packaging/man/conclave.1 packaging/man/conclave-run.1
                 packaging/man/conclave-timed.1 packaging/man/conclave-lab.1 docs/options.md
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.manual_pages_know_every_verb_and_option PROPERTIES LABELS tests)

# What an operator of five machines types is typed there, each in a namespace of its own.
add_test(NAME docs.the_tutorial_on_clocks_is_true
         COMMAND ${Python3_EXECUTABLE} -B tests/docs/tutorial.py $<TARGET_FILE:conclave>
                 ${PROJECT_BINARY_DIR} docs/tutorial-clocks.md
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.the_tutorial_on_clocks_is_true PROPERTIES LABELS tests TIMEOUT 600
                     SKIP_RETURN_CODE 77 COST 60 RESOURCE_LOCK docs_machines)

# The same for groups. Pages that need a program of somebody else belong to the part `package`.
foreach(page operating tutorial-first-group howto-firewall howto-live-page howto-lost-disk
        howto-systemd howto-virtual-address howto-load-balancer howto-prometheus)
    string(REPLACE - _ name ${page})
    add_test(NAME docs.${name}_is_true
             COMMAND ${Python3_EXECUTABLE} -B tests/docs/tutorial.py $<TARGET_FILE:conclave>
                     ${PROJECT_BINARY_DIR} docs/${page}.md
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set(part tests)
    if(page MATCHES "balancer|prometheus")
        set(part package)
    endif()
    set_tests_properties(docs.${name}_is_true PROPERTIES LABELS ${part} TIMEOUT 600
                         SKIP_RETURN_CODE 77 COST 20 RESOURCE_LOCK docs_machines)
endforeach()

add_test(NAME docs.programs_print_the_json_and_metrics_of_the_reference
         COMMAND ${Python3_EXECUTABLE} -B tests/docs/reference.py $<TARGET_FILE:conclave>
                 ${PROJECT_BINARY_DIR}
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.programs_print_the_json_and_metrics_of_the_reference PROPERTIES
                     LABELS tests TIMEOUT 300 SKIP_RETURN_CODE 77 COST 25
                     RESOURCE_LOCK docs_machines)
add_test(NAME docs.the_check_of_json_bites
         COMMAND ${Python3_EXECUTABLE} -B tests/docs/schema_test.py
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.the_check_of_json_bites PROPERTIES LABELS tests ${CONCLAVE_COMPUTES})

# Builds the laboratory with the page's algorithm, in a copy of the tree.
add_test(NAME docs.the_tutorial_on_algorithms_is_true
         COMMAND ${Python3_EXECUTABLE} -B tests/docs/algorithm.py ${PROJECT_BINARY_DIR}
                 docs/tutorial-algorithm.md
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.the_tutorial_on_algorithms_is_true PROPERTIES LABELS package TIMEOUT 1800)

add_test(NAME docs.every_link_leads_somewhere
         COMMAND ${Python3_EXECUTABLE} -B tests/docs/links.py .
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME docs.the_check_of_links_bites
         COMMAND ${Python3_EXECUTABLE} -B tests/docs/links_test.py
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.every_link_leads_somewhere docs.the_check_of_links_bites
                     PROPERTIES LABELS tests ${CONCLAVE_COMPUTES})

# What an operator types to go from one member to seven and back is typed on seven machines.
add_test(NAME docs.the_script_that_changes_members_does_so
         COMMAND ${Python3_EXECUTABLE} -B tests/docs/members.py $<TARGET_FILE:conclave>
                 $<TARGET_FILE:ticker> docs/operating.md
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.the_script_that_changes_members_does_so PROPERTIES LABELS tests
                     TIMEOUT 180 SKIP_RETURN_CODE 77)
