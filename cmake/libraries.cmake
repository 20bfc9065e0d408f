# One library a member of conclave/layers.txt, linked to the members that its line names. A member
# is a folder, or a header beside the folders with perhaps a .cpp of the same name.

# What a member needs beside the standard library. Debian packages: see docs/dependencies.md.
# _PACKAGES are for find_package, _MODULES for pkg-config.
set(CONCLAVE_wire_MODULES libsodium)
set(CONCLAVE_wire_LINKS PkgConfig::libsodium)
set(CONCLAVE_options_PACKAGES tomlplusplus)
if(NOT CONCLAVE_STATIC)  # Debian has no static one; its headers do without
    set(CONCLAVE_options_LINKS tomlplusplus::tomlplusplus)
endif()
set(CONCLAVE_simulator_PACKAGES Threads)
set(CONCLAVE_simulator_LINKS Threads::Threads)
set(CONCLAVE_checker_PACKAGES Threads)
set(CONCLAVE_checker_LINKS Threads::Threads)
set(CONCLAVE_agent_PACKAGES Threads)
set(CONCLAVE_agent_LINKS Threads::Threads)
set(CONCLAVE_claims_PACKAGES Threads)
set(CONCLAVE_claims_LINKS Threads::Threads)

# Members that are left out where a package is missing: nothing else is linked to them.
set(CONCLAVE_OPTIONAL "")
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND AND NOT CMAKE_SYSTEM_NAME STREQUAL "WASI")
    pkg_check_modules(engines QUIET IMPORTED_TARGET libcurl libpq)
    find_package(nlohmann_json QUIET)
    find_package(Threads QUIET)
endif()
option(CONCLAVE_ENGINES "Build conclave-engine where libcurl and libpq are" ON)
if(CONCLAVE_ENGINES AND engines_FOUND AND nlohmann_json_FOUND)
    set(CONCLAVE_engines_LINKS PkgConfig::engines nlohmann_json::nlohmann_json Threads::Threads)
else()
    list(APPEND CONCLAVE_OPTIONAL engines)
endif()

# Sources that are in no batch with others: engines only declares for all algorithms what hosts
# define, and in one batch with a host would be given all of it.
set(CONCLAVE_simulator_ALONE "simulation_engines")
set(CONCLAVE_checker_ALONE "checker_engines|lease_search|cell_search")  # nor are these for the page
set(CONCLAVE_agent_ALONE "hosts|live_page")  # it has a file inside
set(CONCLAVE_cli_ALONE "version")  # it knows the commit
set(CONCLAVE_lab_ALONE "pages")  # it has what ./dev lab builds inside
# Sources that are hosts, and are compiled as those are (cmake/hosts.cmake).
set(CONCLAVE_simulator_HOSTS "cluster_.*")

set(CONCLAVE_PURE core election lease clock member)  # no exceptions: they build for WebAssembly
set(CONCLAVE_FUZZED core wire net page options agent cli engines)  # they read what strangers send
# See docs/performance.md: -O2 takes a third longer.
set(CONCLAVE_LIGHT trace checker claims lab simulator/cluster)
# These wait for people, disks or datagrams: of a release, -Og compiles fastest and is as small.
set(CONCLAVE_PATIENT options agent leader_election elector cli tool process engines)
set(CONCLAVE_SHARED c)  # a shared library, libconclave.so; those it is linked from can be anywhere:
set(CONCLAVE_MOVABLE core election lease clock member wire net process options agent leader_election
                     elector)
# Tests spend no time in these: there CONCLAVE_COLD_OPTIONS make the compiler fast, not the code.
set(CONCLAVE_COLD options agent leader_election elector page time_interval cli tool lab)
set(CONCLAVE_MEMBERS "")  # out: their names, lowest first

if(CMAKE_SYSTEM_NAME STREQUAL "WASI")
    include(cmake/wasm/libraries.cmake)
endif()

function(conclave_find_sources member out)
    set(place ${PROJECT_SOURCE_DIR}/conclave)
    if(IS_DIRECTORY ${place}/${member})
        file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${place}/${member}/*.cpp)
        list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
        foreach(kind IN ITEMS ALONE HOSTS)
            set(${kind} ${sources})
            list(FILTER ${kind} INCLUDE REGEX "/(${CONCLAVE_${member}_${kind}})\\.cpp$")
            list(REMOVE_ITEM sources ${${kind}})
        endforeach()
        conclave_batch(${member} ${CONCLAVE_SOURCES_TOGETHER} sources ${sources})
        conclave_batch(${member}_own_hosts ${CONCLAVE_ALGORITHMS_TOGETHER} HOSTS ${HOSTS})
        list(APPEND sources ${ALONE} ${HOSTS})
        foreach(kind IN ITEMS host cluster)
            if(EXISTS ${place}/${member}/${kind}.cpp.in)
                conclave_generate_hosts(${member} ${kind} hosts)
                list(APPEND sources ${hosts})
            endif()
        endforeach()
    else()
        file(GLOB sources CONFIGURE_DEPENDS ${place}/${member}.cpp)
    endif()
    set(${out} ${sources} PARENT_SCOPE)
endfunction()

# It exports the functions of its exports.map, and is found by the header in its folder alone.
function(conclave_add_shared target member sources uses)
    set(place ${PROJECT_SOURCE_DIR}/conclave/${member})
    add_library(${target} SHARED ${sources})
    add_library(conclave::${member} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${member} OUTPUT_NAME conclave
                          VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                          LINK_DEPENDS ${place}/exports.map)
    target_compile_features(${target} PRIVATE cxx_std_20)
    target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${place}>
                                                $<INSTALL_INTERFACE:include>)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:conclave_warnings> ${uses})
    target_link_options(${target} PRIVATE -Wl,--version-script=${place}/exports.map)
endfunction()

function(conclave_add_library member uses)
    conclave_find_sources(${member} sources)
    set(target conclave_${member})
    if(member IN_LIST CONCLAVE_SHARED)
        conclave_add_shared(${target} ${member} "${sources}" "${uses}")
        return()
    elseif(sources)
        set(reach PUBLIC)
        add_library(${target} STATIC ${sources})
        if(member IN_LIST CONCLAVE_MOVABLE)
            set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        endif()
        target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:conclave_warnings>
                                                ${CONCLAVE_${member}_LINKS})
        if(member IN_LIST CONCLAVE_LIGHT)
            target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
        elseif(member IN_LIST CONCLAVE_PATIENT)
            target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Og>)
        endif()
        if(member IN_LIST CONCLAVE_PURE)
            target_compile_options(${target} PRIVATE -fno-exceptions)
        endif()
        if(CONCLAVE_FUZZ AND member IN_LIST CONCLAVE_FUZZED)
            target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
        elseif(member IN_LIST CONCLAVE_COLD)
            target_compile_options(${target} PRIVATE ${CONCLAVE_COLD_OPTIONS})
        endif()
    else()
        set(reach INTERFACE)
        add_library(${target} INTERFACE)
    endif()
    add_library(conclave::${member} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${member})
    target_compile_features(${target} ${reach} cxx_std_20)
    target_include_directories(${target} ${reach} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                  $<INSTALL_INTERFACE:include>)
    target_link_libraries(${target} ${reach} ${uses})
endfunction()

# elector.hpp -> elector
function(conclave_member_name entry out)
    string(REGEX REPLACE "\\.hpp$" "" name ${entry})
    set(${out} ${name} PARENT_SCOPE)
endfunction()

# "agent: core net" -> agent, and conclave_core conclave_net
function(conclave_read_layer line out_member out_uses)
    string(REGEX MATCH "^([a-z_.]+):(.*)$" matched "${line}")
    if(NOT matched)
        message(FATAL_ERROR "conclave/layers.txt: '${line}' is not 'member: those it may include'")
    endif()
    set(entry ${CMAKE_MATCH_1})
    separate_arguments(names UNIX_COMMAND "${CMAKE_MATCH_2}")
    set(uses "")
    foreach(name IN LISTS names)
        conclave_member_name(${name} used)
        if(NOT TARGET conclave_${used})
            message(FATAL_ERROR "conclave/layers.txt: ${entry} uses ${name}, which is not above it")
        endif()
        list(APPEND uses conclave_${used})
    endforeach()
    set(${out_member} ${entry} PARENT_SCOPE)
    set(${out_uses} ${uses} PARENT_SCOPE)
endfunction()

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS conclave/layers.txt)
file(GLOB present CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE ${PROJECT_SOURCE_DIR}/conclave
     ${PROJECT_SOURCE_DIR}/conclave/*)
list(TRANSFORM present REPLACE "\\.cpp$" ".hpp")
list(REMOVE_DUPLICATES present)
list(REMOVE_ITEM present layers.txt)
file(STRINGS conclave/layers.txt layers REGEX "^[^#]")
foreach(layer IN LISTS layers)
    string(REGEX REPLACE ":.*" "" entry "${layer}")
    list(REMOVE_ITEM present ${entry})
    conclave_member_name(${entry} member)
    if(member IN_LIST CONCLAVE_OPTIONAL
       OR (DEFINED CONCLAVE_ONLY AND NOT member IN_LIST CONCLAVE_ONLY))
        continue()
    endif()
    conclave_read_layer("${layer}" entry uses)
    foreach(package IN LISTS CONCLAVE_${member}_PACKAGES)
        find_package(${package} REQUIRED)
    endforeach()
    foreach(module IN LISTS CONCLAVE_${member}_MODULES)
        find_package(PkgConfig REQUIRED)
        pkg_check_modules(${module} REQUIRED IMPORTED_TARGET ${module})
    endforeach()
    conclave_add_library(${member} "${uses}")
    list(APPEND CONCLAVE_MEMBERS ${member})
endforeach()
if(present)
    message(FATAL_ERROR "No line for ${present}: give it a place in conclave/layers.txt")
endif()
foreach(member IN ITEMS agent cli c browser)  # they say which version this is
    if(TARGET conclave_${member})
        target_compile_definitions(conclave_${member} PRIVATE CONCLAVE_VERSION="${PROJECT_VERSION}")
    endif()
endforeach()
set_source_files_properties(conclave/cli/version.cpp PROPERTIES
                            COMPILE_DEFINITIONS CONCLAVE_COMMIT="${CONCLAVE_COMMIT}")
