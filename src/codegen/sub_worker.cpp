// SPDX-License-Identifier: Apache-2.0
#include "codegen/sub_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codegen/dtype_cpp.h"
#include "codegen/scalar_cpp.h"
#include "diag/codes_emit.h"
#include "diag/codes_host.h"
#include "support/literals.h"
#include "support/text_writer.h"

namespace pyptoc::codegen {

using namespace ir;
using support::python_string_literal;

namespace {

constexpr auto kKeywords = std::to_array<std::string_view>(
    {"False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
     "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
     "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
     "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"});

bool is_python_name(std::string_view name) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  auto word = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), word) &&
         std::find(kKeywords.begin(), kKeywords.end(), name) == kKeywords.end();
}

// The text means the same with four spaces before each line: no string and no continued line runs over a line end, and
// nothing but `\n` ends a line.
bool is_indentable(std::string_view text) {
  if (text.find("\"\"\"") != std::string_view::npos || text.find("'''") != std::string_view::npos) return false;
  if (text.find("\\\n") != std::string_view::npos || text.ends_with('\\')) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t' || (c >= ' ' && c < 0x7f); });
}

bool has_statement(std::string_view text) {
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    size_t first = text.substr(0, end).find_first_not_of(" \t");
    if (first != std::string_view::npos && text[first] != '#') return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

constexpr std::string_view kTensor = R"(

def _tensor(arg, dtype):
    shapes = tuple(int(n) for n in arg.shapes)
    strides = tuple(int(n) for n in arg.strides)
    if 0 in shapes:
        return torch.empty(shapes, dtype=dtype)
    span = 1 + sum((n - 1) * step for n, step in zip(shapes, strides))
    return torch.frombuffer(arg.buffer, dtype=dtype, count=span).as_strided(shapes, strides)
)";

// The value behind the 64 bits of a scalar argument.
std::string scalar_text(DType dtype, size_t index) {
  std::string bits = fmt::format("args.scalar({})", index);
  if (dtype == DType::Bool) return fmt::format("bool({})", bits);
  if (dtype == DType::Fp32) return fmt::format("struct.unpack(\"<f\", struct.pack(\"<I\", {}))[0]", bits);
  if (dtype == DType::Fp64) return fmt::format("struct.unpack(\"<d\", struct.pack(\"<Q\", {}))[0]", bits);
  if (is_unsigned_int(dtype)) return bits;
  uint64_t half = uint64_t{1} << (bits_of(dtype) - 1);
  return fmt::format("({0} ^ {1}) - {1}", bits, half);
}

class Module {
 public:
  Module(const Function* f, const std::string& name, diag::Engine& diags) : f_(f), name_(name), diags_(diags) {}

  std::string text() {
    const InlineStmt* body = ir::as<InlineStmt>(f_->body);
    if (f_->requires_runtime_binding) return unbound();
    if (body == nullptr) {
      diags_.report(diag::codes::sub_worker_body, place_of(f_), f_->name);
      return "";
    }
    parameters();
    std::string definition = body_definition(body->body);
    std::string out;
    if (definition.find("ast.parse") != std::string::npos) out += "import ast\n";
    if (call_.find("struct.") != std::string::npos) out += "import struct\n";
    out += out.empty() ? "import torch\n" : "\nimport torch\n";
    if (call_.find("_tensor(") != std::string::npos) out += kTensor;
    out += "\n\n" + definition;
    return out + fmt::format("\n\ndef {}(args):\n    _body({})\n", name_, call_);
  }

 private:
  std::string unbound() const {
    std::string message = fmt::format("SubWorker `{}` has no body of its own: bind it with `callbacks`", f_->name);
    return fmt::format("def {}(args):\n    raise RuntimeError({})\n", name_, python_string_literal(message));
  }

  void parameters() {
    size_t tensors = 0;
    size_t scalars = 0;
    for (const Var* param : f_->params) {
      if (!is_python_name(param->name_hint))
        diags_.report(diag::codes::sub_worker_parameter_name, place_of(param), param->name_hint, f_->name);
      list_ += (list_.empty() ? "" : ", ") + std::string(param->name_hint);
      std::string value = "None";
      if (const TensorType* tensor = as_tensor(param->type)) {
        if (is_distributed(tensor))
          diags_.report(diag::codes::sub_worker_window, place_of(param), param->name_hint, f_->name);
        std::optional<std::string_view> dtype = torch_dtype(tensor->dtype);
        if (!dtype) diags_.report(diag::codes::host_torch_dtype, place_of(param), name_of(tensor->dtype));
        value = fmt::format("_tensor(args[{}], torch.{})", tensors++, dtype.value_or("uint8"));
      } else if (const ScalarType* scalar = as_scalar(param->type); scalar != nullptr) {
        if (!orchestration_type(scalar->dtype) || scalar->dtype == DType::TaskId)
          diags_.report(diag::codes::orchestration_scalar_type, place_of(param), name_of(scalar->dtype));
        else
          value = scalar_text(scalar->dtype, scalars++);
      }
      call_ += (call_.empty() ? "" : ", ") + value;
    }
  }

  std::string body_definition(std::string_view text) const {
    std::string head = fmt::format("def _body({}):", list_);
    support::TextWriter out;
    if (is_indentable(text)) {
      out.open("{}", head);
      if (!text.empty()) out.lines(text);
      if (!has_statement(text)) out.line("pass");
      return out.close("").take();
    }
    // The lines of the text stay as they are, strings over several lines included.
    out.line("_definition = ast.parse({})", python_string_literal(head + "\n    pass\n"));
    out.line("_definition.body[0].body = ast.parse({}).body or _definition.body[0].body", python_string_literal(text));
    out.line("exec(compile(_definition, __file__, \"exec\"))");
    return out.take();
  }

  const Function* f_;
  const std::string& name_;
  diag::Engine& diags_;
  std::string list_;  // of the parameters
  std::string call_;  // of the arguments
};

}  // namespace

support::NameAllocator sub_worker_names() {
  support::NameAllocator names(support::NameRules{.cpp = false, .python = true, .file = true});
  for (const char* name : {"ast", "struct", "torch", "args"}) names.reserve(name);
  names.reserve_prefix("_");  // helpers of the modules, and `__required__`
  return names;
}

std::string render_sub_worker(const Function* function, const std::string& name, diag::Engine& diags) {
  return Module(function, name, diags).text();
}

}  // namespace pyptoc::codegen
