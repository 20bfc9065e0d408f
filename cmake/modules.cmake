# The WebAssembly modules of the laboratory: web/module/NAME.cpp becomes NAME.wasm.
file(GLOB sources CONFIGURE_DEPENDS web/module/*.cpp)
# Members of clusters are large, and small clusters quick: they are compiled for size.
get_target_property(clusters conclave_simulator SOURCES)
list(FILTER clusters INCLUDE REGEX "cluster")
set_source_files_properties(${clusters} PROPERTIES COMPILE_OPTIONS -Oz)
# Smaller, and no slower; with features that every browser has. Debian's package binaryen has it.
find_program(CONCLAVE_WASM_OPT wasm-opt REQUIRED)
# The page loads NAME.wasm.gz, which is a twentieth smaller than gzip makes it.
find_program(CONCLAVE_ZOPFLI zopfli REQUIRED)
foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    add_executable(${name} ${source})
    target_link_libraries(${name} PRIVATE conclave_warnings conclave::browser)
    set_target_properties(${name} PROPERTIES SUFFIX .wasm)
    target_link_options(${name} PRIVATE -mexec-model=reactor -Wl,--strip-all)
    add_custom_command(TARGET ${name} POST_BUILD COMMAND ${CONCLAVE_WASM_OPT} -Oz --enable-sign-ext
                       --enable-mutable-globals --enable-bulk-memory
                       $<TARGET_FILE:${name}> -o $<TARGET_FILE:${name}>
                       COMMAND ${CONCLAVE_ZOPFLI} $<TARGET_FILE:${name}>)
endforeach()
