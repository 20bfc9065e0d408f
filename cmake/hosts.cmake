# A source for each algorithm and host, and one that lists them.
#
# A host folder has a host.cpp.in with @HEADER@, @TYPE@ and @NAME@ for the algorithms that
# conclave/algorithms.hpp includes; or a cluster.cpp.in for those that agents can run, which
# conclave/election/deployed.hpp includes. Each defines a function, @NAME@_host or @NAME@_cluster;
# they are the @HOSTS@ of host_list.cpp.in or cluster_list.cpp.in, which so includes no algorithm.

function(conclave_find_algorithms header out)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    file(STRINGS ${header} names REGEX "^#include \"conclave/election/")
    list(TRANSFORM names REPLACE ".*/(deployed_)?([a-z0-9_]+)\\.hpp.*" "\\2")
    set(${out} ${names} PARENT_SCOPE)
endfunction()

conclave_find_algorithms(conclave/algorithms.hpp CONCLAVE_host_ALGORITHMS)  # bully ...
conclave_find_algorithms(conclave/election/deployed.hpp CONCLAVE_cluster_ALGORITHMS)

# chang_roberts -> ChangRoberts
function(conclave_camel_case name out)
    string(REPLACE "_" ";" words ${name})
    set(camel "")
    foreach(word IN LISTS words)
        string(SUBSTRING ${word} 0 1 first)
        string(SUBSTRING ${word} 1 -1 rest)
        string(TOUPPER ${first} first)
        string(APPEND camel ${first}${rest})
    endforeach()
    set(${out} ${camel} PARENT_SCOPE)
endfunction()

function(conclave_generate_hosts folder kind out)
    set(generated "")
    set(hosts "")
    foreach(NAME IN LISTS CONCLAVE_${kind}_ALGORITHMS)
        set(HEADER conclave/election/${NAME}.hpp)
        conclave_camel_case(${NAME} TYPE)
        set(source ${PROJECT_BINARY_DIR}/generated/conclave/${folder}/${kind}_${NAME}.cpp)
        configure_file(${PROJECT_SOURCE_DIR}/conclave/${folder}/${kind}.cpp.in ${source} @ONLY)
        list(APPEND generated ${source})
        list(APPEND hosts ${NAME}_${kind})
    endforeach()
    list(JOIN hosts ", " HOSTS)
    set(source ${PROJECT_BINARY_DIR}/generated/conclave/${folder}/${kind}_list.cpp)
    configure_file(${PROJECT_SOURCE_DIR}/conclave/${folder}/${kind}_list.cpp.in ${source} @ONLY)
    list(APPEND generated ${source})
    conclave_batch(${folder}_${kind}s ${CONCLAVE_ALGORITHMS_TOGETHER} generated ${generated})
    if("${folder}/${kind}" IN_LIST CONCLAVE_LIGHT)
        set_source_files_properties(${generated} PROPERTIES
                                    COMPILE_OPTIONS "$<$<CONFIG:Release>:-O1>")
    endif()
    set(${out} ${generated} PARENT_SCOPE)
endfunction()
