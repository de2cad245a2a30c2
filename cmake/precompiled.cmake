# Precompiled headers of the standard library, fmt and Catch2: reading them is a third of the time of a cold build. Own
# headers are not among them, so a change of one rebuilds no more than before. Off where a compiler cache or clang-tidy
# stands in front of the compiler: the first knows the file already, the second should see each file as it is.
set(precompile ON)
if(CMAKE_CXX_COMPILER_LAUNCHER OR PYPTOC_CLANG_TIDY)
  set(precompile OFF)
endif()
option(PYPTOC_PRECOMPILED_HEADERS "read the headers of libraries once for all sources" ${precompile})

# g++ 12 forgets of what it reads from there that it is a system header, and then reports in libstdc++ what it otherwise
# knows to be false (bugs 105329 and 105651 of GCC). A build with a compiler cache keeps these warnings.
if(PYPTOC_PRECOMPILED_HEADERS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(pyptoc_warnings INTERFACE
    -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds -Wno-free-nonheap-object)
endif()

# One owner for libraries (-fPIC) and one for executables (-fPIE): a compiler takes such a file only with its own flags.
function(pyptoc_use_precompiled_headers target owner)
  if(PYPTOC_PRECOMPILED_HEADERS)
    target_link_libraries(${target} PRIVATE pyptoc_fmt)  # whose definitions the owner was compiled with
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# Only where PYPTOC_PRECOMPILED_HEADERS is on. Further arguments: headers of that owner alone.
function(pyptoc_precompiled_headers owner)
  add_library(${owner} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_link_libraries(${owner} PRIVATE pyptoc_fmt pyptoc_warnings)
  target_precompile_headers(${owner} PRIVATE <algorithm> <cstdint> <filesystem> <functional> <map> <memory> <optional>
    <set> <span> <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h> ${ARGN})
endfunction()
