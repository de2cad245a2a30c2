# libmd::libmd: SHA-256. The archive is preferred, so that the binary needs no shared library for it.
find_path(LIBMD_INCLUDE_DIR sha2.h REQUIRED)
find_library(LIBMD_LIBRARY NAMES libmd.a md REQUIRED)
mark_as_advanced(LIBMD_INCLUDE_DIR LIBMD_LIBRARY)
if(NOT TARGET libmd::libmd)
  add_library(libmd::libmd UNKNOWN IMPORTED)
  set_target_properties(libmd::libmd PROPERTIES
    IMPORTED_LOCATION ${LIBMD_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${LIBMD_INCLUDE_DIR})
endif()
