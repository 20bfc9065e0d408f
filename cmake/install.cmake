# cmake --install, then find_package(conclave) and conclave::core, conclave::simulator ...
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(DIRECTORY conclave DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
set(CONCLAVE_FIND_DEPENDENCIES "")
foreach(member IN LISTS CONCLAVE_MEMBERS)
    if(NOT member IN_LIST CONCLAVE_PROGRAMS AND NOT member STREQUAL cli)
        install(TARGETS conclave_${member} EXPORT conclave)
        foreach(package IN LISTS CONCLAVE_${member}_PACKAGES)
            string(APPEND CONCLAVE_FIND_DEPENDENCIES "find_dependency(${package})\n")
        endforeach()
        foreach(module IN LISTS CONCLAVE_${member}_MODULES)
            string(APPEND CONCLAVE_FIND_DEPENDENCIES "find_dependency(PkgConfig)\n"
                   "pkg_check_modules(${module} REQUIRED IMPORTED_TARGET ${module})\n")
        endforeach()
    endif()
endforeach()

if(CONCLAVE_EXECUTABLES)
    install(TARGETS ${CONCLAVE_EXECUTABLES})
    file(GLOB pages CONFIGURE_DEPENDS packaging/man/*.1)
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    foreach(unit IN ITEMS conclave@.service conclave-timed.service)
        configure_file(packaging/${unit}.in ${unit} @ONLY)
        install(FILES ${PROJECT_BINARY_DIR}/${unit} DESTINATION lib/systemd/system)
    endforeach()
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/conclave)
install(EXPORT conclave NAMESPACE conclave:: FILE conclaveTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/conclaveConfig.cmake.in conclaveConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(conclaveConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/conclaveConfig.cmake
              ${PROJECT_BINARY_DIR}/conclaveConfigVersion.cmake
        DESTINATION ${package_dir})
