# pyptoc_crypto: SHA-256 of OpenSSL's libcrypto. The archive is preferred, so that the binary needs no shared library for
# it; of its megabytes the linker takes the two objects that are called.
set(OPENSSL_USE_STATIC_LIBS ON)
find_package(OpenSSL QUIET COMPONENTS Crypto)
if(NOT OPENSSL_CRYPTO_LIBRARY)
  set(OPENSSL_USE_STATIC_LIBS OFF)
  find_package(OpenSSL REQUIRED COMPONENTS Crypto)
endif()
add_library(pyptoc_crypto INTERFACE)
target_link_libraries(pyptoc_crypto INTERFACE ${OPENSSL_CRYPTO_LIBRARY})
target_include_directories(pyptoc_crypto SYSTEM INTERFACE ${OPENSSL_INCLUDE_DIR})
