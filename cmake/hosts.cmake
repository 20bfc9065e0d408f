# A source for each algorithm and host.
#
# A host folder has a host.cpp.in with @HEADER@, @TYPE@ and @NAME@; the algorithms are those that
# conclave/algorithms.hpp includes.

set(CONCLAVE_ALGORITHMS "")  # chang_roberts bully ...
if(EXISTS ${PROJECT_SOURCE_DIR}/conclave/algorithms.hpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS conclave/algorithms.hpp)
    file(STRINGS conclave/algorithms.hpp lines REGEX "^#include \"conclave/election/")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE ".*/([a-z0-9_]+)\\.hpp.*" "\\1" name "${line}")
        list(APPEND CONCLAVE_ALGORITHMS ${name})
    endforeach()
endif()

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

function(conclave_generate_hosts folder out)
    set(generated "")
    foreach(NAME IN LISTS CONCLAVE_ALGORITHMS)
        set(HEADER conclave/election/${NAME}.hpp)
        conclave_camel_case(${NAME} TYPE)
        set(source ${PROJECT_BINARY_DIR}/generated/conclave/${folder}/host_${NAME}.cpp)
        configure_file(${PROJECT_SOURCE_DIR}/conclave/${folder}/host.cpp.in ${source} @ONLY)
        list(APPEND generated ${source})
    endforeach()
    conclave_batch(${folder}_hosts ${CONCLAVE_ALGORITHMS_TOGETHER} generated ${generated})
    set(${out} ${generated} PARENT_SCOPE)
endfunction()
