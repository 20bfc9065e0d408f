# Pages whose transcripts and commands are tried; with :HEADING, some sections of a page.
set(CONCLAVE_TRUE_PAGES
    docs/algorithms/README.md docs/algorithms/bully.md docs/algorithms/consensus.md
    docs/algorithms/invitation.md docs/algorithms/multicast.md docs/algorithms/tempo.md
    docs/findings.md:Bully docs/findings.md:Multicast docs/findings.md:Invitation
    docs/findings.md:Consensus docs/findings.md:TEMPO docs/checking.md docs/lease.md
    docs/scenarios.md docs/algorithms/nemeth.md docs/findings.md:Németh
    "README.md:One minute")
add_test(NAME docs.pages_show_what_the_tool_prints
         COMMAND ${Python3_EXECUTABLE} -B tests/docs/transcripts.py $<TARGET_FILE:conclave>
                 ${CONCLAVE_TRUE_PAGES}
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.pages_show_what_the_tool_prints PROPERTIES LABELS tests COST 25
                     ${CONCLAVE_COMPUTES})

# The rings apart, because their largest runs take seconds.
set(CONCLAVE_TRUE_RING_PAGES docs/findings.md:Rings docs/findings.md:Vitányi)
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
                 packaging/man/conclave-timed.1
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.manual_pages_know_every_verb_and_option PROPERTIES LABELS tests)

# What an operator of five machines types is typed there, each in a namespace of its own.
add_test(NAME docs.the_tutorial_on_clocks_is_true
         COMMAND ${Python3_EXECUTABLE} -B tests/docs/tutorial.py $<TARGET_FILE:conclave>
                 ${PROJECT_BINARY_DIR} docs/tutorial-clocks.md
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(docs.the_tutorial_on_clocks_is_true PROPERTIES LABELS tests TIMEOUT 600
                     SKIP_RETURN_CODE 77 COST 60)
