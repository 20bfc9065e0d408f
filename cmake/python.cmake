# The Python module: plain files and one that says where the shared library is. A copy in the build
# folder serves the tests there.
file(GLOB modules CONFIGURE_DEPENDS python/conclave/*.py python/conclave/py.typed)
set(CONCLAVE_PYTHON_DIR lib/python3/dist-packages CACHE STRING
    "Where Python modules are installed, below the prefix")
set(CONCLAVE_PYTHON_BUILD ${PROJECT_BINARY_DIR}/python)

foreach(module IN LISTS modules)
    cmake_path(GET module FILENAME name)
    configure_file(${module} ${CONCLAVE_PYTHON_BUILD}/conclave/${name} COPYONLY)
endforeach()
set(CONCLAVE_PYTHON_LIBRARY ../../libconclave.so.${PROJECT_VERSION_MAJOR})
configure_file(python/_place.py.in ${CONCLAVE_PYTHON_BUILD}/conclave/_place.py @ONLY)

if(PROJECT_IS_TOP_LEVEL)
    include(GNUInstallDirs)
    set(library libconclave.so.${PROJECT_VERSION_MAJOR})
    file(RELATIVE_PATH CONCLAVE_PYTHON_LIBRARY /${CONCLAVE_PYTHON_DIR}/conclave
         /${CMAKE_INSTALL_LIBDIR}/${library})
    if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")  # there the loader finds it, on every architecture
        set(CONCLAVE_PYTHON_LIBRARY ${library})
    endif()
    configure_file(python/_place.py.in installed/_place.py @ONLY)
    install(FILES ${modules} ${PROJECT_BINARY_DIR}/installed/_place.py
            DESTINATION ${CONCLAVE_PYTHON_DIR}/conclave COMPONENT python3-conclave)
endif()
