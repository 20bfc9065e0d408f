# The packages that ./dev package has made: build/packages. Machines are bare Debian systems with a
# real systemd, booted as containers.
function(conclave_add_package_test name)
    add_test(NAME package.${name} COMMAND ${Python3_EXECUTABLE} -B ${ARGN}
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(package.${name} PROPERTIES LABELS package TIMEOUT 900 SKIP_RETURN_CODE 77
                         ${CONCLAVE_COMPUTES})
endfunction()

set(here tests/package)
conclave_add_package_test(two_builds_are_the_same_bytes ${here}/reproducible.py)
conclave_add_package_test(units_start_and_a_purge_leaves_nothing ${here}/machine_test.py)
conclave_add_package_test(programs_find_the_installed_libraries ${here}/consumer_test.py)
conclave_add_package_test(tarball_and_image_need_nothing_else ${here}/static_test.py)
conclave_add_package_test(the_page_on_installing_is_true ${here}/page.py docs/install.md)
conclave_add_package_test(the_page_on_upgrading_is_true ${here}/page.py docs/upgrade.md --installed)
# They share the tar file of a bare machine, which the first one makes.
set_tests_properties(package.units_start_and_a_purge_leaves_nothing
                     package.the_page_on_installing_is_true package.the_page_on_upgrading_is_true
                     PROPERTIES RESOURCE_LOCK package_machine)

add_test(NAME package.lintian_has_nothing_to_say
         COMMAND sh -c "exec lintian --allow-root --fail-on error,warning build/packages/*.deb"
         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(package.lintian_has_nothing_to_say PROPERTIES LABELS package TIMEOUT 300
                     ${CONCLAVE_COMPUTES})
