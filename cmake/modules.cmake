# The WebAssembly modules of the laboratory: web/module/NAME.cpp becomes NAME.wasm.
file(GLOB sources CONFIGURE_DEPENDS web/module/*.cpp)
# Smaller, and no slower; with features that every browser has. Debian's package binaryen has it.
find_program(CONCLAVE_WASM_OPT wasm-opt REQUIRED)
foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE conclave_warnings conclave::browser)
    set_target_properties(${name} PROPERTIES SUFFIX .wasm)
    target_link_options(${name} PRIVATE -mexec-model=reactor -Wl,--strip-all)
    add_custom_command(TARGET ${name} POST_BUILD COMMAND ${CONCLAVE_WASM_OPT} -Oz --enable-sign-ext
                       --enable-mutable-globals --enable-bulk-memory
                       $<TARGET_FILE:${name}> -o $<TARGET_FILE:${name}>)
endforeach()
