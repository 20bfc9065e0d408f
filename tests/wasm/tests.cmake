# The core and all algorithms build for WebAssembly, without exceptions, and do there what they do
# here: run by node, the module prints what the native program prints.
find_program(CONCLAVE_WASM_COMPILER clang++-19)
find_program(CONCLAVE_NODE node)

add_executable(everything EXCLUDE_FROM_ALL tests/wasm/everything.cpp)
target_link_libraries(everything PRIVATE conclave_warnings
                                         conclave::algorithms conclave::member conclave::clock)
target_compile_options(everything PRIVATE -fno-exceptions)

if(CONCLAVE_WASM_COMPILER AND NOT CONCLAVE_SANITIZE)
    file(GLOB sources CONFIGURE_DEPENDS conclave/core/*.cpp conclave/lease/*.cpp
         conclave/clock/*.cpp)
    set(script ${PROJECT_SOURCE_DIR}/tests/wasm/build.py)
    set(module ${PROJECT_BINARY_DIR}/wasm/everything.wasm)
    add_custom_command(OUTPUT ${module}.log DEPFILE ${module}.d DEPENDS ${script}
                       COMMAND ${Python3_EXECUTABLE} -B ${script} ${module}
                               ${CONCLAVE_WASM_COMPILER} ${PROJECT_SOURCE_DIR}
                               ${PROJECT_SOURCE_DIR}/tests/wasm/everything.cpp ${sources})
    add_custom_target(wasm DEPENDS ${module}.log)
    add_dependencies(web_part wasm everything)
    add_test(NAME wasm.core_and_algorithms_do_the_same_in_a_browser
             COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/tests/wasm/run.py ${module}
                     $<TARGET_FILE:everything> ${CONCLAVE_NODE})
    set_tests_properties(wasm.core_and_algorithms_do_the_same_in_a_browser
                         PROPERTIES LABELS web TIMEOUT 60 SKIP_RETURN_CODE 77)
endif()
