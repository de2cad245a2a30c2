# The files of templates/ as a table in the binary, remade whenever one of them changes, comes or goes.
set(template_root ${PROJECT_SOURCE_DIR}/templates)
file(GLOB_RECURSE template_names CONFIGURE_DEPENDS RELATIVE ${template_root} ${template_root}/*.in)
list(SORT template_names)
set(template_folder ${PROJECT_BINARY_DIR}/generated)
list(JOIN template_names "\n" template_lines)
file(CONFIGURE OUTPUT ${template_folder}/templates.list CONTENT "@template_lines@\n" @ONLY)
list(TRANSFORM template_names PREPEND ${template_root}/ OUTPUT_VARIABLE template_paths)
add_custom_command(
  OUTPUT ${template_folder}/embedded_templates.cpp
  COMMAND ${CMAKE_COMMAND} -DLIST=${template_folder}/templates.list -DROOT=${template_root}
          -DOUTPUT=${template_folder}/embedded_templates.cpp -P ${CMAKE_CURRENT_LIST_DIR}/embed_templates.cmake
  DEPENDS ${template_paths} ${template_folder}/templates.list ${CMAKE_CURRENT_LIST_DIR}/embed_templates.cmake
  VERBATIM)
target_sources(pyptoc_codegen PRIVATE ${template_folder}/embedded_templates.cpp)
