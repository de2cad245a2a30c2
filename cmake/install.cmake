# What an installation consists of, and the Debian package made of it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# libpyptoc.a: all modules and SHA-256 in one archive, so that an embedding program links one file. Names in the script of
# ar are relative, because it knows neither blanks nor a plus sign in them.
set(archive ${PROJECT_BINARY_DIR}/libpyptoc.a)
set(script "create libpyptoc.a\n")
set(modules)
foreach(module support diag ir serial text passes publish codegen graph driver source_digest)
  list(APPEND modules pyptoc_${module})
  string(APPEND script "addlib src/$<TARGET_FILE_NAME:pyptoc_${module}>\n")
endforeach()
if(OPENSSL_CRYPTO_LIBRARY MATCHES "\\.a$")
  # Not the whole library: one object with what is called, its other names hidden from programs with an OpenSSL of theirs.
  set(sha256 ${PROJECT_BINARY_DIR}/sha256.o)
  add_custom_command(OUTPUT ${sha256}
    COMMAND ${CMAKE_CXX_COMPILER} -r -nostdlib -o ${sha256} -Wl,-u,SHA256_Init,-u,SHA256_Update,-u,SHA256_Final
            ${OPENSSL_CRYPTO_LIBRARY}
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=SHA256_Init --keep-global-symbol=SHA256_Update
            --keep-global-symbol=SHA256_Final ${sha256}
    DEPENDS ${OPENSSL_CRYPTO_LIBRARY} VERBATIM)
  list(APPEND modules ${sha256})
  string(APPEND script "addmod sha256.o\n")
endif()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/libpyptoc.mri CONTENT "${script}save\nend\n")
add_custom_command(OUTPUT ${archive}
  COMMAND ${CMAKE_AR} -M < libpyptoc.mri
  DEPENDS ${modules} ${PROJECT_BINARY_DIR}/libpyptoc.mri
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR} COMMENT "libpyptoc.a" VERBATIM)

# Pages that pyptoc prints about itself.
set(pages ${PROJECT_BINARY_DIR}/pages)
set(page_files)
foreach(page "pyptoc.1=--print-man-page" "pyptoc.bash=--print-completion=bash" "_pyptoc=--print-completion=zsh"
             "pyptoc.fish=--print-completion=fish")
  string(REGEX MATCH "^([^=]+)=(.+)$" _ ${page})
  set(file ${pages}/${CMAKE_MATCH_1})
  add_custom_command(OUTPUT ${file} COMMAND pyptoc ${CMAKE_MATCH_2} > ${file} DEPENDS pyptoc VERBATIM)
  list(APPEND page_files ${file})
endforeach()
file(MAKE_DIRECTORY ${pages})
add_custom_target(pyptoc_installed_files ALL DEPENDS ${archive} ${page_files})

install(TARGETS pyptoc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(PROGRAMS scripts/golden DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME pyptoc-golden)
install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/pyptoc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES cmake/pyptoc.mk DESTINATION ${CMAKE_INSTALL_DATADIR}/pyptoc)
install(FILES ${pages}/pyptoc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${pages}/pyptoc.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME pyptoc)
install(FILES ${pages}/_pyptoc DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${pages}/pyptoc.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(FILES README.md docs/cli.md docs/build-systems.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/pyptoc)
configure_package_config_file(cmake/pyptocConfig.cmake.in ${PROJECT_BINARY_DIR}/package/pyptocConfig.cmake
  INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/pyptocConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/pyptocConfig.cmake ${PROJECT_BINARY_DIR}/package/pyptocConfigVersion.cmake
              cmake/pyptocAddProgram.cmake DESTINATION ${package})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pyptoc)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "the pyptoc project <pyptoc@invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "ahead-of-time compiler for distributed PyPTO programs")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.36)")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, make, python3")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
include(CPack)
