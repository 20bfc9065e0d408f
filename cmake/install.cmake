# cmake --install, then find_package(conclave) and conclave::core, conclave::simulator ...
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(DIRECTORY conclave DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS ${CONCLAVE_LIBRARIES} EXPORT conclave)
foreach(program IN ITEMS conclave conclave-guardian)
    if(TARGET ${program})
        install(TARGETS ${program})
    endif()
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/conclave)
install(EXPORT conclave NAMESPACE conclave:: FILE conclaveTargets.cmake DESTINATION ${package_dir})
list(TRANSFORM CONCLAVE_PACKAGES REPLACE "(.+)" "find_dependency(\\1)" OUTPUT_VARIABLE dependencies)
list(JOIN dependencies "\n" CONCLAVE_FIND_DEPENDENCIES)
configure_package_config_file(cmake/conclaveConfig.cmake.in conclaveConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(conclaveConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/conclaveConfig.cmake
              ${PROJECT_BINARY_DIR}/conclaveConfigVersion.cmake
        DESTINATION ${package_dir})
