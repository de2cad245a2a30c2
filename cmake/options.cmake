# Language level, warnings and sanitizers for our own targets.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "build type" FORCE)
endif()

option(PYPTOC_WERROR "treat warnings as errors in pyptoc's own targets" ON)
option(PYPTOC_SANITIZE "build with the address and undefined-behaviour sanitizers" OFF)
# Without optimization the archive of the library alone has 200 MB.
set(installs ON)
if(CMAKE_BUILD_TYPE STREQUAL "Debug" OR PYPTOC_SANITIZE)
  set(installs OFF)
endif()
option(PYPTOC_INSTALL "make what is installed: library, pages, packages; and test it" ${installs})
option(PYPTOC_CLANG_TIDY "run clang-tidy while compiling" OFF)

add_library(pyptoc_warnings INTERFACE)
target_compile_options(pyptoc_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Wunused -Woverloaded-virtual)
if(PYPTOC_WERROR)
  target_compile_options(pyptoc_warnings INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 reports false positives of these two at -O2 inside libstdc++ and for variant-like reads.
  target_compile_options(pyptoc_warnings INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()

# __FILE__ without the folder of the sources: the binary is the same wherever it was built. A compiler cache that is
# shared between folders would never hit with it.
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
endif()

if(PYPTOC_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # Frames are many times larger with sanitizers: nesting up to the limit (ir/depth_guard.h) takes more than the usual 8 MB.
  set(CMAKE_CROSSCOMPILING_EMULATOR prlimit --stack=67108864:67108864)
endif()
if(PYPTOC_CLANG_TIDY)
  set(CMAKE_CXX_CLANG_TIDY clang-tidy --quiet)
endif()
