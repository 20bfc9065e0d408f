# cmake --install, then find_package(conclave) and conclave::core, conclave::simulator ...
# Components are Debian packages (packaging/debian/control): whatever is installed names its one.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(library libconclave${PROJECT_VERSION_MAJOR})
set(devel libconclave-dev)

set(no_headers "")  # of programs: nobody includes them; c has its own below
foreach(folder IN LISTS CONCLAVE_PROGRAMS ITEMS cli c)
    list(APPEND no_headers PATTERN ${folder} EXCLUDE)
endforeach()
install(DIRECTORY conclave DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${devel}
        FILES_MATCHING PATTERN "*.hpp" ${no_headers})
install(FILES conclave/c/conclave.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT ${devel})
# It names its own place, so that an installed tree can be moved.
file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(packaging/conclave.pc.in conclave.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/conclave.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT ${devel})
set(CONCLAVE_FIND_DEPENDENCIES "")
foreach(member IN LISTS CONCLAVE_MEMBERS)
    if(NOT member IN_LIST CONCLAVE_PROGRAMS AND NOT member STREQUAL cli)
        install(TARGETS conclave_${member} EXPORT conclave
                LIBRARY COMPONENT ${library} NAMELINK_COMPONENT ${devel}
                ARCHIVE COMPONENT ${devel})
        foreach(package IN LISTS CONCLAVE_${member}_PACKAGES)
            string(APPEND CONCLAVE_FIND_DEPENDENCIES "find_dependency(${package})\n")
        endforeach()
        foreach(module IN LISTS CONCLAVE_${member}_MODULES)
            string(APPEND CONCLAVE_FIND_DEPENDENCIES "find_dependency(PkgConfig)\n"
                   "pkg_check_modules(${module} REQUIRED IMPORTED_TARGET ${module})\n")
        endforeach()
    endif()
endforeach()

foreach(folder IN LISTS CONCLAVE_PROGRAMS)
    install(TARGETS ${CONCLAVE_${folder}_PROGRAM} COMPONENT ${CONCLAVE_${folder}_COMPONENT})
    set(page packaging/man/${CONCLAVE_${folder}_PROGRAM}.1)
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
            COMPONENT ${CONCLAVE_${folder}_COMPONENT})
endforeach()
install(FILES packaging/man/conclave-run.1 packaging/man/conclave-timed.1
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT conclave)
# The programs write the other pages, and completion for shells, from their tables of options.
foreach(program IN ITEMS conclave conclave-lab)
    install(CODE "
        set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")
        execute_process(COMMAND $<TARGET_FILE:${program}> --manual
                                \"\${prefix}/${CMAKE_INSTALL_MANDIR}/man1\"
                        COMMAND_ERROR_IS_FATAL ANY)
        foreach(place IN ITEMS
                bash=${CMAKE_INSTALL_DATADIR}/bash-completion/completions/${program}
                zsh=${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_${program}
                fish=${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/${program}.fish)
            string(REGEX MATCH \"^([a-z]+)=(.*)\$\" matched \"\${place}\")
            execute_process(COMMAND $<TARGET_FILE:${program}> --completion \${CMAKE_MATCH_1}
                            OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
            file(WRITE \"\${prefix}/\${CMAKE_MATCH_2}\" \"\${text}\")
        endforeach()" COMPONENT ${program})
endforeach()
set(CONCLAVE_UNIT_DIR lib/systemd/system CACHE STRING "Where the units of systemd are installed")
foreach(unit IN ITEMS conclave@.service conclave-timed.service)
    configure_file(packaging/units/${unit}.in ${unit} @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${unit} DESTINATION ${CONCLAVE_UNIT_DIR} COMPONENT conclave)
endforeach()
install(FILES packaging/units/hardened.conf DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
        COMPONENT conclave)
install(FILES packaging/sample/sample.toml packaging/sample/sample.env
        DESTINATION ${CMAKE_INSTALL_SYSCONFDIR}/conclave COMPONENT conclave)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/conclave)
install(EXPORT conclave NAMESPACE conclave:: FILE conclaveTargets.cmake DESTINATION ${package_dir}
        COMPONENT ${devel})
configure_package_config_file(cmake/conclaveConfig.cmake.in conclaveConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(conclaveConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/conclaveConfig.cmake
              ${PROJECT_BINARY_DIR}/conclaveConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT ${devel})
