# What others get: an installed package they can find, and a compiler that refuses their mistakes.

if(NOT CONCLAVE_SANITIZE)  # else the consumer would have to be sanitized, too
    add_dependencies(package_part ${CONCLAVE_EXECUTABLES})
    foreach(member IN LISTS CONCLAVE_MEMBERS)
        add_dependencies(package_part conclave_${member})
    endforeach()
    add_test(NAME install.a_program_finds_and_uses_the_installed_libraries
             COMMAND ${CMAKE_COMMAND} -D BUILD=${PROJECT_BINARY_DIR}
                     -D WORK=${PROJECT_BINARY_DIR}/install-test
                     -D SOURCE=${PROJECT_SOURCE_DIR} -D PYTHON=${Python3_EXECUTABLE}
                     -D PYTHON_DIR=${CONCLAVE_PYTHON_DIR}
                     -D COMPILER=${CMAKE_CXX_COMPILER} -D LAUNCHER=${CONCLAVE_CCACHE}
                     -P ${PROJECT_SOURCE_DIR}/tests/install/install.cmake)
    set_tests_properties(install.a_program_finds_and_uses_the_installed_libraries
                         PROPERTIES LABELS package TIMEOUT 300)
endif()

find_program(CONCLAVE_SYSTEMD_ANALYZE systemd-analyze REQUIRED)
add_test(NAME install.units_expose_what_the_page_says
         COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/install/units.py
                 ${CONCLAVE_SYSTEMD_ANALYZE} ${PROJECT_BINARY_DIR})
set_tests_properties(install.units_expose_what_the_page_says PROPERTIES LABELS package)

# Compiled while building, so that it is done again only when a header has changed.
file(GLOB refused CONFIGURE_DEPENDS tests/install/refused/*.cpp)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/refused)
set(script ${PROJECT_SOURCE_DIR}/tests/install/refused.py)
set(results "")
foreach(file IN LISTS refused)
    cmake_path(GET file STEM name)
    set(result ${PROJECT_BINARY_DIR}/refused/${name}.txt)
    add_custom_command(OUTPUT ${result} DEPFILE ${result}.d DEPENDS ${file} ${script}
                       COMMAND ${Python3_EXECUTABLE} -B ${script} ${file} ${result}
                               ${CMAKE_CXX_COMPILER} -std=c++20 -I${PROJECT_SOURCE_DIR})
    list(APPEND results ${result})
    add_test(NAME refused.${name} COMMAND ${CMAKE_COMMAND} -E cat ${result})
    set_tests_properties(refused.${name} PROPERTIES LABELS tests PASS_REGULAR_EXPRESSION
                         "^refused for the right reason")
endforeach()
add_custom_target(refused ALL DEPENDS ${results})
