# Several sources compiled as one, because most of a compiler's time goes into the headers they
# share. (CMake's own unity builds name absolute paths, which no compiler cache shares between
# working copies.) Without batches, every file is compiled alone: the preset of ./dev lint says so,
# so that each must include what it needs.
option(CONCLAVE_BATCHES "Compile several sources as one" ON)
# Sources that include an algorithm: where one works on an algorithm each is compiled alone, so that
# a change compiles little; where all are compiled once, some together take half the time.
set(CONCLAVE_ALGORITHMS_TOGETHER 1 CACHE STRING "How many algorithms are compiled as one")

# The others: more of them together compile faster from nothing, and slower after a change.
set(CONCLAVE_SOURCES_TOGETHER 12 CACHE STRING "How many other sources are compiled as one")

# conclave_batch(NAME SIZE OUT SOURCE...): files of NAME that include up to SIZE sources each.
function(conclave_batch name size out)
    set(plain "")
    set(algorithms "")
    foreach(source IN LISTS ARGN)
        file(STRINGS ${source} named REGEX "^#include \"conclave/(election/|algorithms)")
        if(named)
            list(APPEND algorithms ${source})
        else()
            list(APPEND plain ${source})
        endif()
    endforeach()
    conclave_write_batches(${name} ${size} plain ${plain})
    conclave_write_batches(${name}_algorithms ${CONCLAVE_ALGORITHMS_TOGETHER} algorithms
                           ${algorithms})
    set(${out} ${plain} ${algorithms} PARENT_SCOPE)
endfunction()

# As even as can be.
function(conclave_write_batches name size out)
    list(LENGTH ARGN count)
    if(NOT CONCLAVE_BATCHES OR count LESS 2 OR size LESS 2)
        set(${out} ${ARGN} PARENT_SCOPE)
        return()
    endif()
    math(EXPR batches "(${count} + ${size} - 1) / ${size}")
    set(files "")
    foreach(batch RANGE 1 ${batches})
        math(EXPR first "(${batch} - 1) * ${count} / ${batches}")
        math(EXPR length "${batch} * ${count} / ${batches} - ${first}")
        list(SUBLIST ARGN ${first} ${length} sources)
        set(text "// Generated: several sources, compiled as one.\n")
        foreach(source IN LISTS sources)
            cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
            string(APPEND text "#include \"${source}\"\n")
        endforeach()
        set(file ${PROJECT_BINARY_DIR}/generated/batches/${name}_${batch}.cpp)
        file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
        list(APPEND files ${file})
    endforeach()
    set(${out} ${files} PARENT_SCOPE)
endfunction()
