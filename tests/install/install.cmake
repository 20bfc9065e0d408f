# Installs BUILD into WORK/prefix, then builds and runs the consumer, the examples and the programs
# of docs/library.md with what they find there only.
function(run)
    execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output
                    ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        list(JOIN ARGV " " command)
        message(FATAL_ERROR "${command}\n${output}")
    endif()
endfunction()

if(NOT LAUNCHER)  # ccache was not found
    set(LAUNCHER "")
endif()
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${PYTHON} -B ${SOURCE}/tests/install/page.py ${SOURCE}/docs/library.md ${WORK}/page)
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/install/consumer -B ${WORK}/build
    -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${COMPILER}
    -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -D CMAKE_CXX_FLAGS=-Werror
    -D CMAKE_C_FLAGS=-Werror -D CONCLAVE_EXAMPLES=${SOURCE}/examples
    -D CONCLAVE_PAGE=${WORK}/page -D CONCLAVE_LANGUAGES=${SOURCE}/tests/elector/languages.py
    -D CONCLAVE_PYTHON_PATH=${WORK}/prefix/${PYTHON_DIR})
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --output-on-failure --no-tests=error)
