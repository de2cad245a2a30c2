# What the driver needs besides its sources: the version, and a digest of all sources, remade whenever one changes.
file(GLOB_RECURSE digested CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
  ${PROJECT_SOURCE_DIR}/src/*.cpp ${PROJECT_SOURCE_DIR}/src/*.h ${PROJECT_SOURCE_DIR}/src/*.def
  ${PROJECT_SOURCE_DIR}/templates/*)
list(SORT digested)
set(digest_folder ${PROJECT_BINARY_DIR}/generated)
list(JOIN digested "\n" digested_lines)
file(CONFIGURE OUTPUT ${digest_folder}/source_digest.list CONTENT "@digested_lines@\n" @ONLY)
list(TRANSFORM digested PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE digested_paths)
add_custom_command(
  OUTPUT ${digest_folder}/source_digest.cpp
  COMMAND ${CMAKE_COMMAND} -DLIST=${digest_folder}/source_digest.list -DROOT=${PROJECT_SOURCE_DIR}
          -DOUTPUT=${digest_folder}/source_digest.cpp -P ${CMAKE_CURRENT_LIST_DIR}/source_digest.cmake
  DEPENDS ${digested_paths} ${digest_folder}/source_digest.list ${CMAKE_CURRENT_LIST_DIR}/source_digest.cmake
  VERBATIM)
# A library of its own, so that nothing but this one file waits for the digest.
add_library(pyptoc_source_digest STATIC ${digest_folder}/source_digest.cpp)
target_include_directories(pyptoc_source_digest PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(pyptoc_driver PUBLIC pyptoc_source_digest)
set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/version.cpp PROPERTIES
  COMPILE_DEFINITIONS "PYPTOC_VERSION=\"${PROJECT_VERSION}\";PYPTOC_BUILD_TYPE=\"$<CONFIG>\"")
