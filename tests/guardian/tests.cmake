# What the guardian guards in its tests.
add_executable(guardian_worker tests/guardian/worker.cpp)
target_link_libraries(guardian_worker PRIVATE conclave_warnings)
add_dependencies(guardian_tests guardian_worker conclave-guardian)
target_sources(guardian_tests PRIVATE tests/guardian/stage.cpp)
