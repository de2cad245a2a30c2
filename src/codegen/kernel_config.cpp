// SPDX-License-Identifier: Apache-2.0
#include "codegen/kernel_config.h"

#include "support/literals.h"
#include "support/text_writer.h"

namespace pyptoc::codegen {

namespace {

using support::python_string_literal;
using support::TextWriter;

// `str(_ROOT / "kernels" / "aiv" / "x.cpp")`
std::string path_expression(std::string_view path) {
  std::string out = "str(_ROOT";
  for (size_t at = 0; at <= path.size();) {
    size_t end = std::min(path.find('/', at), path.size());
    out += " / " + python_string_literal(path.substr(at, end - at));
    at = end + 1;
  }
  return out + ")";
}

std::string signature_text(const std::vector<Signature>& signature) {
  std::string out = "[";
  for (Signature s : signature) out += (out.size() > 1 ? ", _D." : "_D.") + std::string(name_of(s));
  return out + "]";
}

}  // namespace

std::string render_kernel_config(const KernelConfig& config) {
  TextWriter out;
  out.line("from pathlib import Path").blank();
  out.line("from simpler.task_interface import ArgDirection as _D").blank();
  out.line("_ROOT = Path(__file__).resolve().parent").blank();
  out.line("RUNTIME_CONFIG = {{");
  {
    auto indented = out.indented();
    out.line("\"runtime\": \"tensormap_and_ringbuffer\",");
    out.line("\"aicpu_thread_num\": 0,");
    if (config.enable_sdma) out.line("\"enable_sdma\": True,");
  }
  out.line("}}").blank();
  out.line("ORCHESTRATION = {{");
  {
    auto indented = out.indented();
    out.line("\"source\": {},", path_expression(config.orchestration_source));
    out.line("\"function_name\": \"aicpu_orchestration_entry\",");
    out.line("\"signature\": {},", signature_text(config.orchestration_signature));
  }
  out.line("}}").blank();
  out.open("KERNELS = [");
  for (size_t i = 0; i < config.kernels.size(); ++i) {
    const KernelEntry& kernel = config.kernels[i];
    out.open("{{");
    out.line("\"func_id\": {},", i);
    out.line("\"name\": {},", python_string_literal(kernel.name));
    out.line("\"source\": {},", path_expression(kernel.source));
    out.line("\"core_type\": \"{}\",", kernel.is_cube ? "aic" : "aiv");
    out.line("\"signature\": {},", signature_text(kernel.signature));
    if (kernel.is_external) out.line("\"external\": True,");
    if (!kernel.include_dirs.empty()) {
      std::string dirs;
      for (const std::string& dir : kernel.include_dirs) dirs += (dirs.empty() ? "" : ", ") + path_expression(dir);
      out.line("\"extra_include_dirs\": [{}],", dirs);
    }
    out.close("},");
  }
  out.close("]");
  return out.take();
}

}  // namespace pyptoc::codegen
