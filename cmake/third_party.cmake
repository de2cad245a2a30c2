# The libraries that pyptoc is built from, so that all of them end up inside of it. See docs/dependencies.md.
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
include(cmake/crypto.cmake)

# pyptoc_fmt, pyptoc_spdlog: the headers. Debian has no archives of these two; the functions of fmt are compiled in
# src/support/fmt_library.cpp, and those of spdlog where they are used.
add_library(pyptoc_fmt INTERFACE)
target_compile_definitions(pyptoc_fmt INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
target_include_directories(pyptoc_fmt SYSTEM INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
add_library(pyptoc_spdlog INTERFACE)
target_compile_definitions(pyptoc_spdlog INTERFACE SPDLOG_FMT_EXTERNAL)
target_include_directories(pyptoc_spdlog SYSTEM INTERFACE
  $<TARGET_PROPERTY:spdlog::spdlog,INTERFACE_INCLUDE_DIRECTORIES>)
target_link_libraries(pyptoc_spdlog INTERFACE pyptoc_fmt)
