# The laboratory's pages are built by ./dev lab, with tools that nobody else needs; where they are,
# conclave-lab has them inside.
set(CONCLAVE_PAGES ${PROJECT_SOURCE_DIR}/build/pages/laboratory.bundle CACHE FILEPATH
    "What conclave lab serves")
file(GLOB found CONFIGURE_DEPENDS ${CONCLAVE_PAGES})
if(found)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/conclave/lab/pages.cpp PROPERTIES
                                COMPILE_DEFINITIONS CONCLAVE_PAGES="${CONCLAVE_PAGES}"
                                OBJECT_DEPENDS ${CONCLAVE_PAGES})
endif()

# The page of a live group is one plain file, and in every conclave.
set(page ${PROJECT_SOURCE_DIR}/web/live/page.html)
set_source_files_properties(${PROJECT_SOURCE_DIR}/conclave/agent/report/live_page.cpp PROPERTIES
                            COMPILE_DEFINITIONS CONCLAVE_LIVE_PAGE="${page}" OBJECT_DEPENDS ${page})
