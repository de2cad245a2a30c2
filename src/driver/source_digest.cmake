# Writes source_digest(), a digest over the names and contents of the files that LIST names, relative to ROOT.
file(STRINGS ${LIST} names)
set(all "")
foreach(name IN LISTS names)
  file(SHA256 ${ROOT}/${name} digest)
  string(APPEND all "${digest}  ${name}\n")
endforeach()
string(SHA256 digest "${all}")
string(SUBSTRING ${digest} 0 16 digest)
file(WRITE ${OUTPUT} "#include \"driver/source_digest.h\"
std::string_view pyptoc::driver::source_digest() { return \"${digest}\"; }
")
