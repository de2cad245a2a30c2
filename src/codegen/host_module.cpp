// SPDX-License-Identifier: Apache-2.0
// The fixed text of a host_orch.py.
#include <fmt/format.h>

#include "codegen/host_emitter.h"

namespace pyptoc::codegen {

namespace {

constexpr std::string_view kImports = R"(
from simpler.task_interface import CallConfig, CommBufferSpec, DataType, TaskArgs, TensorArgType

try:
    from pypto.runtime.tensor_arg import make_tensor_arg
except ImportError:
    from simpler_setup.torch_interop import make_tensor_arg
)";

constexpr std::string_view kRoundUp = R"(

def _up64(size):
    return (size + 63) // 64 * 64
)";

// Callers pass scalars as Python numbers or as ctypes objects.
constexpr std::string_view kPlain = R"(

def _plain(scalar):
    return getattr(scalar, "value", scalar)
)";

constexpr std::string_view kRequire = R"(

def _fail(text, *values):
    raise ValueError(text.format(*values) if values else text)


def _require(holds, text, *values):
    holds or _fail(text, *values)
)";

// make_tensor_arg() takes tensors without gaps only.
constexpr std::string_view kStrided = R"(

def _strided_arg(worker, tensor, dtype):
    if tensor.is_contiguous():
        return make_tensor_arg(worker, tensor)
    shapes = tuple(int(n) for n in tensor.shape)
    strides = tuple(int(n) for n in tensor.stride())
    return worker.make_tensor_arg(tensor, shapes=shapes, dtype=int(dtype.value), strides=strides)
)";

}  // namespace

std::string HostEmitter::alloc_text() const {
  support::TextWriter out;
  out.open("def _alloc_intermediates(tensors, world_size=1):");
  for (const std::string& line : alloc_frame_.lines) out.lines(line);
  for (const std::string& line : alloc_lines_) out.lines(line);
  if (!order_key_.empty())
    out.line("{} = [torch.zeros((1,), dtype=torch.int32).share_memory_() for _ in range(max(world_size, 1))]",
             order_key_);
  if (alloc_lines_.empty() && order_key_.empty()) out.line("pass");
  return out.close("").take();
}

std::string HostEmitter::module_text(const std::string& body) const {
  const PythonHelpers& helpers = scalars_.helpers();
  std::string out;
  if (joins_domains_) out += "import contextlib\n";
  if (!turns_.empty()) out += "import itertools\n";
  if (helpers.f32 || helpers.f32_bits || helpers.f64_bits) out += "import struct\n";
  if (!alloc_lines_.empty() || !order_key_.empty() || views_)
    out += out.empty() ? "import torch\n" : "\nimport torch\n";
  out += out.empty() ? kImports.substr(1) : kImports;
  if (rounds_up_) out += kRoundUp;
  if (plain_) out += kPlain;
  if (require_) out += kRequire;
  if (strided_) out += kStrided;
  out += python_helper_text(helpers);
  out += "\n\n" + alloc_text() + "\n\n";
  support::TextWriter entry;
  entry.open("def {}(orch, _args, config, *, tensors, callables, sub_ids, _keep, world_size, _domain_provider=None):",
             entry_);
  for (const std::string& line : body_frame_.lines) entry.lines(line);
  if (!turns_.empty()) entry.line("{} = itertools.count()", turns_);
  if (!body.empty()) entry.lines(body);
  if (body.empty() && body_frame_.lines.empty()) entry.line("pass");
  out += entry.close("").take();
  return out + fmt::format("\n\n{}._pypto_distributed_entry = True\n", entry_);
}

}  // namespace pyptoc::codegen
