# Precompiled headers of the standard library, fmt and Catch2: reading them is a third of the time of a cold build. Own
# headers are not among them, so a change of one rebuilds no more than before. Off where a compiler cache or clang-tidy
# stands in front of the compiler: the first knows the file already, the second should see each file as it is.
set(precompile ON)
if(CMAKE_CXX_COMPILER_LAUNCHER OR PYPTOC_CLANG_TIDY)
  set(precompile OFF)
endif()
option(PYPTOC_PRECOMPILED_HEADERS "read the headers of libraries once for all sources" ${precompile})

# One owner for libraries (-fPIC) and one for executables (-fPIE): a compiler takes such a file only with its own flags.
function(pyptoc_use_precompiled_headers target owner)
  if(PYPTOC_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

function(pyptoc_precompiled_headers owner)
  if(NOT PYPTOC_PRECOMPILED_HEADERS)
    return()
  endif()
  target_link_libraries(${owner} PRIVATE pyptoc_fmt pyptoc_warnings)
  target_precompile_headers(${owner} PRIVATE <algorithm> <cstdint> <filesystem> <functional> <map> <memory> <optional>
    <set> <span> <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h> ${ARGN})
endfunction()
