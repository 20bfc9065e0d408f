# One library a folder of conclave/, linked to all folders on the layers below it.

# What a folder needs beside the standard library. Debian packages: see docs/dependencies.md.
set(CONCLAVE_simulator_PACKAGES Threads tomlplusplus)
set(CONCLAVE_simulator_LINKS Threads::Threads tomlplusplus::tomlplusplus)
set(CONCLAVE_checker_PACKAGES Threads)
set(CONCLAVE_checker_LINKS Threads::Threads)
set(CONCLAVE_agent_PACKAGES Threads)
set(CONCLAVE_agent_LINKS Threads::Threads)
set(CONCLAVE_cli_PACKAGES CLI11)
set(CONCLAVE_cli_LINKS CLI11::CLI11)

set(CONCLAVE_PURE core election lease clock)  # no exceptions: they also build for WebAssembly
set(CONCLAVE_PROGRAMS cli guardian)           # these folders have a main.cpp
set(CONCLAVE_LIBRARIES "")                    # out: the targets
set(CONCLAVE_FOLDERS "")                      # out: their folders
set(CONCLAVE_PACKAGES "")                     # out: what an installed conclave must find again

function(conclave_add_library folder below)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/conclave/${folder}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
    if(EXISTS ${PROJECT_SOURCE_DIR}/conclave/${folder}/host.cpp.in)
        conclave_generate_hosts(${folder} hosts)
        list(APPEND sources ${hosts})
    endif()
    set(target conclave_${folder})
    if(sources)
        set(reach PUBLIC)
        add_library(${target} STATIC ${sources})
        target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:conclave_warnings>
                                                ${CONCLAVE_${folder}_LINKS})
        if(folder IN_LIST CONCLAVE_PURE)
            target_compile_options(${target} PRIVATE -fno-exceptions)
        endif()
    else()
        set(reach INTERFACE)
        add_library(${target} INTERFACE)
    endif()
    add_library(conclave::${folder} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${folder})
    target_compile_features(${target} ${reach} cxx_std_20)
    target_include_directories(${target} ${reach} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                  $<INSTALL_INTERFACE:include>)
    target_link_libraries(${target} ${reach} ${below})
endfunction()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS conclave/layers.txt)
file(GLOB present CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE ${PROJECT_SOURCE_DIR}/conclave
     ${PROJECT_SOURCE_DIR}/conclave/*)
file(STRINGS conclave/layers.txt layers REGEX "^[^#]")
foreach(layer IN LISTS layers)
    set(below ${CONCLAVE_LIBRARIES})
    string(REPLACE " " ";" members "${layer}")
    foreach(folder IN LISTS members)
        list(REMOVE_ITEM present ${folder})
        if(NOT IS_DIRECTORY ${PROJECT_SOURCE_DIR}/conclave/${folder})
            continue()
        endif()
        foreach(package IN LISTS CONCLAVE_${folder}_PACKAGES)
            find_package(${package} REQUIRED)
            list(APPEND CONCLAVE_PACKAGES ${package})
        endforeach()
        conclave_add_library(${folder} "${below}")
        list(APPEND CONCLAVE_FOLDERS ${folder})
        list(APPEND CONCLAVE_LIBRARIES conclave_${folder})
    endforeach()
endforeach()
list(REMOVE_DUPLICATES CONCLAVE_PACKAGES)

foreach(stranger IN LISTS present)
    if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/conclave/${stranger})
        message(FATAL_ERROR
                "conclave/${stranger} has no layer: give it a place in conclave/layers.txt")
    endif()
endforeach()
