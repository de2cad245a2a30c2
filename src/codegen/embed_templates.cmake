# Writes OUTPUT, the table of codegen/embedded_templates.h, from the files that LIST names, relative to ROOT and sorted.
file(STRINGS ${LIST} names)
set(rows "")
foreach(name IN LISTS names)
  file(READ ${ROOT}/${name} text)
  if(text MATCHES "\\)pyptoc_template\"")
    message(FATAL_ERROR "${name} ends the raw string that it is embedded in")
  endif()
  string(APPEND rows "    {\"${name}\", R\"pyptoc_template(${text})pyptoc_template\"},\n")
endforeach()
list(LENGTH names count)
file(WRITE ${OUTPUT} "// Made by src/codegen/embed_templates.cmake from the files of templates/.
#include \"codegen/embedded_templates.h\"

#include <array>

namespace pyptoc::codegen {
namespace {
constexpr std::array<EmbeddedTemplate, ${count}> kTemplates = {{
${rows}}};
}  // namespace
std::span<const EmbeddedTemplate> embedded_templates() {
  return kTemplates;
}
}  // namespace pyptoc::codegen
")
