# pyptoc_add_program(TARGET name PROGRAM file OUTPUT_DIRECTORY folder [TARGET_ARCH a2a3] [ALL]
#                    [OPTIONS option...] [DEPENDS file-or-target...])
#
# Adds the target `name`, which keeps `folder` (relative to the current binary folder) the compiled `file` (relative to
# the current source folder). It runs again when the program, an external kernel source, a template in a folder of
# OPTIONS --template-dir, or pyptoc itself changes; generated files whose bytes stay keep their times, so that what
# depends on them is not built again. ALL: also part of the default build.
#
# Properties of the target: PYPTOC_OUTPUT_DIRECTORY, the folder, and PYPTOC_OUTPUTS, the files in it, absolute, to name
# in DEPENDS of other commands beside the target. They are known when the program can be compiled while CMake
# configures; a program that another rule makes has none.
function(pyptoc_add_program)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "ALL" "TARGET;PROGRAM;OUTPUT_DIRECTORY;TARGET_ARCH" "OPTIONS;DEPENDS")
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "pyptoc_add_program: unknown arguments: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  foreach(required TARGET PROGRAM OUTPUT_DIRECTORY)
    if(NOT ARG_${required})
      message(FATAL_ERROR "pyptoc_add_program: ${required} is missing")
    endif()
  endforeach()
  get_filename_component(program "${ARG_PROGRAM}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  get_filename_component(folder "${ARG_OUTPUT_DIRECTORY}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  get_filename_component(parent "${folder}" DIRECTORY)
  set(stamp "${folder}.stamp")
  set(options ${ARG_OPTIONS})
  if(ARG_TARGET_ARCH)
    list(PREPEND options --target "${ARG_TARGET_ARCH}")
  endif()

  # What a build writes. While the program has faults the list of the last time stays, so that the build can say what
  # they are.
  set(outputs_name "PYPTOC_OUTPUTS_${ARG_TARGET}")
  if(EXISTS "${program}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${program}")
    get_target_property(pyptoc pyptoc::pyptoc IMPORTED_LOCATION)
    execute_process(COMMAND "${pyptoc}" build "${program}" -o "${folder}" ${options} --print-outputs -q
      OUTPUT_VARIABLE printed ERROR_VARIABLE faults RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(status EQUAL 0)
      string(REPLACE "\n" ";" printed "${printed}")
      set(${outputs_name} "${printed}" CACHE INTERNAL "files that pyptoc writes for ${ARG_TARGET}")
    elseif(NOT ${outputs_name})
      message(WARNING "pyptoc_add_program: what ${ARG_PROGRAM} is compiled to is not known yet:\n${faults}")
    endif()
  endif()
  set(outputs ${${outputs_name}})

  # The stamp is always new after a run and the outputs only when their bytes are: with the outputs as OUTPUT, make would
  # run pyptoc in every build once an input is newer than an output that did not change.
  file(MAKE_DIRECTORY "${parent}")
  add_custom_command(
    OUTPUT "${stamp}"
    BYPRODUCTS ${outputs}
    COMMAND pyptoc::pyptoc build "${program}" -o "${folder}" ${options} --depfile "${stamp}.d" --depfile-target "${stamp}"
    COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
    DEPENDS "${program}" pyptoc::pyptoc ${ARG_DEPENDS}
    DEPFILE "${stamp}.d"
    COMMENT "pyptoc ${ARG_TARGET}"
    VERBATIM)
  set(all)
  if(ARG_ALL)
    set(all ALL)
  endif()
  add_custom_target("${ARG_TARGET}" ${all} DEPENDS "${stamp}")
  set_target_properties("${ARG_TARGET}" PROPERTIES PYPTOC_OUTPUT_DIRECTORY "${folder}" PYPTOC_OUTPUTS "${outputs}")
endfunction()
