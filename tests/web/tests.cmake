# The pages in the browser: ./dev test web builds the laboratory first, and conclave-lab with it.
find_program(CONCLAVE_NODE node)
find_program(CONCLAVE_NPM npm)
if(NOT CONCLAVE_SANITIZE)
    add_dependencies(web_part conclave-lab)
    foreach(name IN ITEMS parity page tours source study plot others ask lease clocks colours files
                          pictures site)
        add_test(NAME web.${name} COMMAND ${CONCLAVE_NODE} --test --no-warnings
                         ${PROJECT_SOURCE_DIR}/tests/web/${name}.test.mjs)
        set_tests_properties(web.${name} PROPERTIES LABELS web TIMEOUT 600 RUN_SERIAL ON
                             ENVIRONMENT "CONCLAVE_LAB=$<TARGET_FILE:conclave-lab>")
    endforeach()
    # Types, likely mistakes and layout of the page's sources.
    add_test(NAME web.sources COMMAND ${CONCLAVE_NPM} --prefix web run check
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(web.sources PROPERTIES LABELS web TIMEOUT 600)
    # The live page, beside three real nodes. Run without --test, so that its exit code is its own.
    add_dependencies(web_part conclave conclave-guardian ticker)
    add_test(NAME web.live COMMAND ${CONCLAVE_NODE} --no-warnings
                     ${PROJECT_SOURCE_DIR}/tests/web/live.test.mjs)
    set_tests_properties(web.live PROPERTIES LABELS web TIMEOUT 600 RUN_SERIAL ON
        SKIP_RETURN_CODE 77
        ENVIRONMENT "CONCLAVE_TOOLS=$<TARGET_FILE_DIR:conclave>")
endif()
