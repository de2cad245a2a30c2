// SPDX-License-Identifier: Apache-2.0
// Programs and kernels as text.
#include "program_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <sstream>

#include "data.h"
#include "paths.h"

namespace chip_tests {

using collectives::Op;

namespace {

std::string read_source(const std::string& file) {
  std::ifstream in(pyptoc::test_support::source_dir() / "tests/runtime/chip_tests/kernels" / file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string dsl_type(int32_t type) {
  const char* const names[] = {"FP32", "FP16",  "INT32",  "INT16",  "INT8",   "UINT8",
                               "BF16", "INT64", "UINT64", "UINT16", "UINT32", "BOOL"};
  return std::string("pl.") + names[static_cast<size_t>(type)];
}

std::string tensor(const std::vector<int64_t>& shape, const std::string& dtype) {
  return fmt::format("pl.Tensor[[{}], {}]", fmt::join(shape, ", "), dtype);
}
std::string window(const std::vector<int64_t>& shape, const std::string& dtype) {
  return fmt::format("pld.DistributedTensor[[{}], {}]", fmt::join(shape, ", "), dtype);
}

class Writer {
 public:
  explicit Writer(const Pipeline& p)
      : p_(p), shapes_(shapes_of(p)), dtype_(dsl_type(p.step.variant.type)), counted_(has_counts(p)) {}

  std::string run() {
    std::string out = "import pypto.language as pl\nimport pypto.language.distributed as pld\n\n\n@pl.program\n";
    out += "class Exchange:\n";
    out += stage_kernel() + consume_kernel();
    out += p_.on_host ? host_rail() : chip_rail();
    return out;
  }

 private:
  using Params = std::vector<std::pair<std::string, std::string>>;

  std::string function(const std::string& decorator, const std::string& name, const Params& params,
                       const std::string& result, const std::string& body) const {
    std::string out = "    @pl.function(" + decorator + ")\n    def " + name + "(self";
    for (const auto& [param, type] : params) out += ", " + param + ": " + type;
    return out + ")" + (result.empty() ? "" : " -> " + result) + ":\n" + body + "\n";
  }

  bool loops() const { return p_.rounds > 1; }
  bool own_input() const { return has_input(p_); }
  bool is_barrier() const { return p_.step.variant.op == Op::kBarrier; }
  std::vector<int64_t> counts_shape() const { return {p_.ranks, 1}; }
  std::string whole_input() const { return tensor(rounds_of(p_, shapes_.input), dtype_); }
  std::string whole_output() const { return tensor(rounds_of(p_, shapes_.target), dtype_); }
  std::string data() const { return window(shapes_.target, dtype_); }
  // On the HOST rail these are windows too.
  std::string stage() const { return p_.on_host ? window(shapes_.input, dtype_) : tensor(shapes_.input, dtype_); }
  std::string counts() const {
    return p_.on_host || indexed() ? window(counts_shape(), "pl.INT32") : tensor(counts_shape(), "pl.INT32");
  }
  std::string recv() const {
    return indexed() ? tensor(counts_shape(), "pl.INT32") : window(counts_shape(), "pl.INT32");
  }
  bool indexed() const { return p_.step.variant.op == Op::kIndexed; }
  std::string index() const { return tensor({shapes_.target[0]}, "pl.INT32"); }
  // A round writes its part of the output only.
  std::string out_direction() const { return loops() ? "pl.InOut[" : "pl.Out["; }
  void add_round(Params& params) const {
    if (loops()) params.push_back({"i", "pl.Scalar[pl.INDEX]"});
  }

  std::string stage_kernel() const {
    const std::string made = own_input() ? stage() : data();
    Params params = {{"inp", whole_input()}, {own_input() ? "stage" : "data", "pl.Out[" + made + "]"}};
    if (counted_) params.push_back({"counts", "pl.Out[" + counts() + "]"});
    add_round(params);
    return function(
        "type=pl.FunctionType.AIV, attrs={\"external_source\": \"stage.cpp\"}", "stage_step", params,
        counted_ ? "tuple[" + made + ", " + counts() + "]" : made,
        std::string("        return ") + (own_input() ? "stage" : "data") + (counted_ ? ", counts" : "") + "\n");
  }
  std::string consume_kernel() const {
    Params params = {{"data", data()}};
    if (counted_) params.push_back({"recv", recv()});
    params.push_back({"out", out_direction() + whole_output() + "]"});
    add_round(params);
    return function("type=pl.FunctionType.AIV, attrs={\"external_source\": \"consume.cpp\"}", "consume_step", params,
                    whole_output(), "        return out\n");
  }

  std::string round_arg() const { return loops() ? ", i" : ""; }
  std::string stage_call() const {
    if (counted_) return "stage, counts = self.stage_step(inp, stage, counts" + round_arg() + ")\n";
    const std::string made = own_input() ? "stage" : "data";
    return made + " = self.stage_step(inp, " + made + round_arg() + ")\n";
  }
  std::string consume_call() const {
    return "self.consume_step(data" + std::string(counted_ ? ", recv" : "") + ", out" + round_arg() + ")\n";
  }
  std::string width() const { return p_.width.empty() ? std::to_string(p_.step.core_num) : p_.width; }
  std::string exchange() const {
    const collectives::Variant& v = p_.step.variant;
    const char* const reduces[] = {"Sum", "Max", "Min", "Prod"};
    const std::string reduce = std::string(", op=pld.ReduceOp.") + reduces[static_cast<size_t>(v.reduce)];
    switch (v.op) {
      case Op::kAllreduce:
        return "data = pld.tensor.allreduce(data, signal" + reduce + ", core_num=" + width() + ")\n";
      case Op::kRing:
        return "data = pld.tensor.allreduce(data, signal" + reduce + ", mode=\"ring\")\n";
      case Op::kBarrier:
        return "signal = pld.tensor.barrier(signal)\n";
      case Op::kBroadcast:
        return fmt::format("data = pld.tensor.broadcast(data, signal, root={})\n", v.root);
      case Op::kReduceScatter:
        return "data = pld.tensor.reduce_scatter(data, signal" + reduce + ")\n";
      case Op::kAllgather:
        return "data = pld.tensor.allgather(stage, data, signal)\n";
      case Op::kAllToAll:
        return "data = pld.tensor.all_to_all(stage, data, signal)\n";
      case Op::kIndexed:
        return "data = pld.tensor.indexed_all_to_all_v(stage, data, signal, counts, recv, index, core_num=" + width() +
               ")\n";
      case Op::kAllToAllV:
        break;
    }
    // a width that is no constant is an operand
    return "data = pld.tensor.all_to_all_v(stage, data, signal, counts, recv, " +
           std::string(p_.width.empty() ? "core_num=" : "") + width() + ")\n";
  }

  std::string chip_rail() const {
    Params params = {{"inp", whole_input()}, {"out", out_direction() + whole_output() + "]"}};
    if (own_input()) params.push_back({"stage", "pl.InOut[" + stage() + "]"});
    params.push_back({"data", "pl.InOut[" + data() + "]"});
    params.push_back({"signal", "pl.InOut[" + window(shapes_.signal, "pl.INT32") + "]"});
    if (counted_) params.push_back({"counts", "pl.InOut[" + counts() + "]"});
    if (counted_) params.push_back({"recv", "pl.InOut[" + recv() + "]"});
    if (indexed()) params.push_back({"index", index()});
    if (!p_.width.empty()) params.push_back({p_.width, "pl.Scalar[pl.INDEX]"});
    const std::string in = loops() ? "            " : "        ";
    std::string body = loops() ? fmt::format("        for i in pl.range({}):\n", p_.rounds) : "";
    body += in + stage_call() + in + exchange();
    if (!loops()) {
      body += in + "return " + consume_call();
    } else {
      body += in + "out = " + consume_call();
      if (is_barrier()) body += in + exchange();  // the next round's writers wait for these readers
      body += "        return out\n";
    }
    std::string args = "inputs[r], outputs[r], ";
    if (own_input()) args += "stages[r], ";
    args += !counted_   ? "data, signal, "
            : indexed() ? "data, signal, counts, recvs[r], indices[r], "
                        : "data, signal, counts[r], recv, ";
    if (!p_.width.empty()) args += p_.width + ", ";
    return function("type=pl.FunctionType.Orchestration", "chip_pipeline", params, whole_output(), body) +
           host("        for r in pl.range(pld.world_size()):\n            self.chip_pipeline(" + args + "device=r)\n");
  }

  std::string host_rail() const {
    Params stage_params = {{"inp", whole_input()},
                           {own_input() ? "stage" : "data", "pl.InOut[" + (own_input() ? stage() : data()) + "]"}};
    if (counted_) stage_params.push_back({"counts", "pl.InOut[" + counts() + "]"});
    // a barrier's signal lies where its other uses say, so it needs one
    if (is_barrier()) stage_params.push_back({"signal", "pl.InOut[" + window(shapes_.signal, "pl.INT32") + "]"});
    add_round(stage_params);
    Params consume_params = {{"data", data()}};
    if (counted_) consume_params.push_back({"recv", recv()});
    consume_params.push_back({"out", out_direction() + whole_output() + "]"});
    add_round(consume_params);
    const std::string in = loops() ? "            " : "        ";
    const auto each = [&](const std::string& call) {
      return in + "for r in pl.range(pld.world_size()):\n" + in + "    " + call;
    };
    std::string body = loops() ? fmt::format("        for i in pl.range({}):\n", p_.rounds) : "";
    const std::string made = own_input() ? "stage" : "data";
    body += each("self.stage_chip(inputs[r], " + made + (counted_ ? ", counts" : "") +
                 (is_barrier() ? ", signal" : "") + round_arg() + ", device=r)\n");
    body += in + exchange();
    body += each("self.consume_chip(data, " + std::string(counted_ ? "recv, " : "") + "outputs[r]" + round_arg() +
                 ", device=r)\n");
    if (loops() && is_barrier()) body += in + exchange();
    return function("type=pl.FunctionType.Orchestration", "stage_chip", stage_params, "", "        " + stage_call()) +
           function("type=pl.FunctionType.Orchestration", "consume_chip", consume_params, whole_output(),
                    "        return " + consume_call()) +
           host(body);
  }

  std::string host(const std::string& body) const {
    const auto each = [&](std::vector<int64_t> shape) {
      shape.insert(shape.begin(), p_.ranks);
      return shape;
    };
    Params params = {{"inputs", tensor(each(rounds_of(p_, shapes_.input)), dtype_)}};
    if (!p_.on_host && own_input()) {
      params.push_back({"stages", "pl.InOut[" + tensor(each(shapes_.input), dtype_) + "]"});
    }
    if (!p_.on_host && counted_) {
      params.push_back({indexed() ? "recvs" : "counts", "pl.InOut[" + tensor(each(counts_shape()), "pl.INT32") + "]"});
    }
    if (indexed()) params.push_back({"indices", tensor({p_.ranks, shapes_.target[0]}, "pl.INT32")});
    params.push_back({"outputs", out_direction() + tensor(each(rounds_of(p_, shapes_.target)), dtype_) + "]"});
    if (!p_.width.empty()) params.push_back({p_.width, "pl.Scalar[pl.INDEX]"});
    std::string windows;
    const auto add = [&](const std::string& name, const std::vector<int64_t>& shape, const std::string& dtype,
                         uint64_t size) {
      for (int64_t extent : shape) size *= static_cast<uint64_t>(extent);
      windows += fmt::format(
          "        {0}_buf = pld.tensor.alloc_window_buffer({1}, name=\"{0}\")\n"
          "        {0} = pld.tensor.window({0}_buf, [{2}], dtype={3})\n",
          name, size, fmt::join(shape, ", "), dtype);
    };
    const uint64_t element = get_element_size(collectives::data_type(p_.step.variant.type));
    if (p_.on_host && own_input()) add("stage", shapes_.input, dtype_, element);
    add("data", shapes_.target, dtype_, element);
    add("signal", shapes_.signal, "pl.INT32", 4);
    if ((p_.on_host || indexed()) && counted_) add("counts", counts_shape(), "pl.INT32", 4);
    if (counted_ && !indexed()) add("recv", counts_shape(), "pl.INT32", 4);
    return function("level=pl.Level.HOST, role=pl.Role.Orchestrator", "host", params, "", windows + body);
  }

  const Pipeline& p_;
  Shapes shapes_;
  std::string dtype_;
  bool counted_;
};

}  // namespace

bool has_input(const Pipeline& p) {
  return p.step.variant.op >= Op::kAllgather;
}
bool has_counts(const Pipeline& p) {
  return p.step.variant.counts();
}

Shapes shapes_of(const Pipeline& p) {
  const Op op = p.step.variant.op;
  const int64_t size = p.step.size;
  Shapes shapes;
  shapes.target = {size};
  if (op == Op::kReduceScatter || op == Op::kAllgather || op == Op::kAllToAll) shapes.target = {p.ranks, size};
  if (p.step.variant.counts()) shapes.target = {p.ranks * collectives::kRowsPerPeer, size};
  shapes.input = op == Op::kAllgather ? std::vector<int64_t>{1, size} : shapes.target;
  if (op == Op::kIndexed) shapes.input[0] = collectives::input_rows(p.ranks);
  const int64_t blocks = collectives::blocks_of(p.step, p.ranks);
  shapes.signal = {p.ranks, p.cells != 0 ? p.cells : blocks};
  if (op == Op::kRing) shapes.signal = {2 * (p.ranks - 1) + 1, p.ranks};
  return shapes;
}

std::vector<int64_t> rounds_of(const Pipeline& p, std::vector<int64_t> shape) {
  if (p.rounds == 1) return shape;
  if (shape.size() == 1) shape.insert(shape.begin(), 1);
  shape[0] *= p.rounds;
  return shape;
}

std::string program_text(const Pipeline& p) {
  return Writer(p).run();
}

std::string kernel_text(const Pipeline& p, const std::string& kernel) {
  const int tensors = has_counts(p) ? 3 : 2;
  std::string defines;
  if (p.rounds > 1) defines += fmt::format("#define ROUND_ARG {}\n", tensors);
  if (has_counts(p)) defines += "#define COUNTED\n";
  if (p.step.variant.op == Op::kIndexed) defines += "#define INDEXED\n";
  if (p.step.variant.op == Op::kBarrier && kernel == "consume") {
    defines += fmt::format("#define CONTEXT_ARG {}\n", tensors + (p.rounds > 1 ? 1 : 0));
  }
  return defines + read_source("element.h") + read_source(kernel + ".h");
}

}  // namespace chip_tests
