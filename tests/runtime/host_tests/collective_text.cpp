// SPDX-License-Identifier: Apache-2.0
// Names in the text: x input, y target on return, s counts sent, c counts received, each with the number of its step.
#include "collective_text.h"

#include <cstring>
#include <set>

#include "data.h"
#include "ranks/arith.h"

namespace host_tests {
namespace {

using collectives::Bytes;
using collectives::Op;
using collectives::Reduce;
using collectives::Step;
using standin::ranks::HostArgument;
using standin::ranks::HostResult;

const char* const kTypes[] = {"FP32", "FP16",  "INT32",  "INT16",  "INT8",   "UINT8",
                              "BF16", "INT64", "UINT64", "UINT16", "UINT32", "BOOL"};
const char* const kReduces[] = {"Sum", "Max", "Min", "Prod"};

std::string type_of(const Step& step) {
  return kTypes[static_cast<size_t>(step.variant.type)];
}
std::string chip_of(const std::string& what, const std::string& type) {
  std::string name = what + "_";
  for (char c : type) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

bool is_counted(const Step& step) {
  return step.variant.op == Op::kAllToAllV;
}
// Whether input and target differ.
bool is_separate(const Step& step) {
  return step.variant.op >= Op::kAllgather;
}

// Rows of input and target. all_to_all_v needs constants, the others take the number of devices.
struct Rows {
  std::string input = "1";
  std::string target = "1";
  std::string signal;
};
Rows rows_of(const Step& step, int ranks) {
  const std::string all = "pld.world_size()";
  switch (step.variant.op) {
    case Op::kRing:
      return {"1", "1", "[2 * " + all + " - 1, " + all + "]"};
    case Op::kAllreduce:
      return {"1", "1", "[" + all + ", " + std::to_string(step.core_num) + "]"};
    case Op::kReduceScatter:
    case Op::kAllToAll:
      return {all, all, "[" + all + "]"};
    case Op::kAllgather:
      return {"1", all, "[" + all + ", 1]"};
    case Op::kAllToAllV: {
      const std::string rows = std::to_string(ranks * collectives::kRowsPerPeer);
      return {rows, rows,
              "[" + std::to_string(ranks) + ", " + std::to_string(collectives::blocks_of(step, ranks) + 1) + "]"};
    }
    case Op::kBarrier:
      return {"1", "1", "[" + all + ", 1]"};
    default:
      return {"1", "1", "[" + all + "]"};
  }
}

std::string call_of(const Step& step, const std::string& n) {
  const std::string reduce = "op=pld.ReduceOp." + std::string(kReduces[static_cast<size_t>(step.variant.reduce)]);
  const std::string width = ", core_num=" + std::to_string(step.core_num);
  switch (step.variant.op) {
    case Op::kAllreduce:
      return "t" + n + " = pld.tensor.allreduce(t" + n + ", g" + n + ", " + reduce + width + ")";
    case Op::kRing:
      return "t" + n + " = pld.tensor.allreduce(t" + n + ", g" + n + ", " + reduce + ", mode=\"ring\")";
    case Op::kBarrier:
      return "g" + n + " = pld.tensor.barrier(g" + n + ")";
    case Op::kBroadcast:
      return "t" + n + " = pld.tensor.broadcast(t" + n + ", g" + n + ", root=" + std::to_string(step.variant.root) +
             ")";
    case Op::kReduceScatter:
      return "t" + n + " = pld.tensor.reduce_scatter(t" + n + ", g" + n + ", " + reduce + ")";
    case Op::kAllgather:
      return "t" + n + " = pld.tensor.allgather(i" + n + ", t" + n + ", g" + n + ")";
    case Op::kAllToAll:
      return "t" + n + " = pld.tensor.all_to_all(i" + n + ", t" + n + ", g" + n + ")";
    default:
      return "t" + n + " = pld.tensor.all_to_all_v(i" + n + ", t" + n + ", g" + n + ", d" + n + ", r" + n + width + ")";
  }
}

// A window `name` over an allocation of its own.
std::string window(const std::string& name, const std::string& shape, const std::string& type) {
  return name + "_buf = pld.alloc_window_buffer(" + shape + ", dtype=pl." + type + ")\n" + name + " = pld.window(" +
         name + "_buf, " + shape + ", dtype=pl." + type + ")\n";
}

std::string slice(const std::string& name, const std::string& rows, const std::string& columns) {
  return "pl.tensor.slice(" + name + ", [1, 1, " + rows + ", " + columns + "], [call, rank, 0, 0], [], [0, 1])";
}

// A parameter with one block [rows, columns] for each call and rank.
std::string parameter(const std::string& name, const std::string& rows, const std::string& columns,
                      const std::string& type, bool out, int calls) {
  const std::string extent = rows == "pld.world_size()" ? "NR" : rows;
  const std::string tensor =
      "pl.Tensor[[" + std::to_string(calls) + ", NR, " + extent + ", " + columns + "], pl." + type + "]";
  return (out ? ", " + name + ": pl.Out[" + tensor + "]" : ", " + name + ": " + tensor);
}

// Statements for each rank.
std::string on_each(const std::string& statements) {
  return "for rank in pl.range(pld.world_size()):\n" + indented(statements, 4);
}

}  // namespace

CollectiveProgram::CollectiveProgram(int ranks, int calls, std::vector<Step> steps) {
  scenario_.ranks = ranks;
  scenario_.calls = calls;
  scenario_.steps = std::move(steps);
}

HostText CollectiveProgram::text() const {
  HostText out;
  std::set<std::string> types;
  std::string calls;
  for (size_t i = 0; i < scenario_.steps.size(); ++i) {
    const Step& step = scenario_.steps[i];
    const std::string n = std::to_string(i);
    const std::string type = type_of(step);
    const std::string columns = std::to_string(step.size);
    const Rows rows = rows_of(step, scenario_.ranks);
    types.insert(type);
    if (is_counted(step)) types.insert("INT32");
    out.parameters += parameter("x" + n, rows.input, columns, type, false, scenario_.calls) +
                      parameter("y" + n, rows.target, columns, type, true, scenario_.calls);
    out.body += window("t" + n, "[" + rows.target + ", " + columns + "]", type) + window("g" + n, rows.signal, "INT32");
    const std::string input = (is_separate(step) ? "i" : "t") + n;
    if (is_separate(step)) out.body += window(input, "[" + rows.input + ", " + columns + "]", type);
    std::string before = "x = " + slice("x" + n, rows.input, columns) + "\nself." + chip_of("put", type) + "(x, " +
                         input + ", device=rank)\n";
    std::string after = "y = " + slice("y" + n, rows.target, columns) + "\nself." +
                        chip_of(step.variant.op == Op::kBarrier ? "near" : "get", type) + "(t" + n +
                        ", y, device=rank)\n";
    if (step.variant.op == Op::kBarrier) {  // its signal lies where a dispatch says
      out.functions =
          "@pl.function(type=pl.FunctionType.Orchestration)\n"
          "def hold(self, signal: pl.InOut[pld.DistributedTensor[[R, C], pl.INT32]]):\n    pass\n";
      before += "self.hold(g" + n + ", device=rank)\n";
    }
    if (is_counted(step)) {
      const std::string ranks = std::to_string(scenario_.ranks);
      out.parameters += parameter("s" + n, ranks, "1", "INT32", false, scenario_.calls) +
                        parameter("c" + n, ranks, "1", "INT32", true, scenario_.calls);
      out.body += window("d" + n, "[" + ranks + ", 1]", "INT32") + window("r" + n, "[" + ranks + ", 1]", "INT32");
      before += "s = " + slice("s" + n, ranks, "1") + "\nself.put_int32(s, d" + n + ", device=rank)\n";
      after += "c = " + slice("c" + n, ranks, "1") + "\nself.get_int32(r" + n + ", c, device=rank)\n";
    }
    calls += on_each(before) + call_of(step, n) + "\n" + on_each(after);
    // a barrier says nothing of what comes after its readers
    if (step.variant.op == Op::kBarrier) calls += call_of(step, n) + "\n";
  }
  out.types.assign(types.begin(), types.end());
  out.parameters = out.parameters.substr(2);
  out.body += "for call in pl.range(" + std::to_string(scenario_.calls) + "):\n" + indented(calls, 4);
  return out;
}

std::vector<HostArgument> CollectiveProgram::arguments() const {
  std::vector<HostArgument> out;
  const int64_t ranks = scenario_.ranks;
  for (size_t i = 0; i < scenario_.steps.size(); ++i) {
    const Step& step = scenario_.steps[i];
    const std::string n = std::to_string(i);
    const size_t size = standin::ranks::size_of_type(step.variant.type);
    Bytes input;
    std::vector<int32_t> counts;
    for (int call = 0; call < scenario_.calls; ++call) {
      for (int rank = 0; rank < scenario_.ranks; ++rank) {
        const Bytes one = collectives::input_of(step, scenario_, call, rank);
        input.insert(input.end(), one.begin(), one.end());
        for (int dest = 0; is_counted(step) && dest < scenario_.ranks; ++dest)
          counts.push_back(collectives::count_of(step, scenario_, call, rank, dest));
      }
    }
    const auto add = [&](const std::string& name, DataType dtype, int64_t rows, int64_t columns, const Bytes& bytes) {
      out.push_back(standin::ranks::host_argument(name + n, dtype, {scenario_.calls, ranks, rows, columns}, bytes));
    };
    const DataType dtype = collectives::data_type(step.variant.type);
    const int64_t sent = collectives::contributed(step, scenario_.ranks);
    const int64_t got = collectives::received(step, scenario_.ranks);
    add("x", dtype, sent / step.size, step.size, input);
    add("y", dtype, got / step.size, step.size, Bytes(static_cast<size_t>(scenario_.calls * ranks * got) * size));
    if (!is_counted(step)) continue;
    Bytes sends(counts.size() * sizeof(int32_t));
    std::memcpy(sends.data(), counts.data(), sends.size());
    add("s", DataType::INT32, ranks, 1, sends);
    add("c", DataType::INT32, ranks, 1, Bytes(sends.size()));
  }
  return out;
}

std::string CollectiveProgram::check(const HostResult& result) const {
  for (size_t i = 0; i < scenario_.steps.size(); ++i) {
    const Step& step = scenario_.steps[i];
    const Bytes& found = result.tensors.at("y" + std::to_string(i));
    const size_t block = found.size() / static_cast<size_t>(scenario_.calls * scenario_.ranks);
    for (int call = 0; call < scenario_.calls; ++call) {
      std::vector<Bytes> inputs;
      for (int rank = 0; rank < scenario_.ranks; ++rank)
        inputs.push_back(collectives::input_of(step, scenario_, call, rank));
      for (int rank = 0; rank < scenario_.ranks; ++rank) {
        const std::string who =
            step.variant.name() + ", call " + std::to_string(call) + ", rank " + std::to_string(rank) + ": ";
        const auto place = static_cast<size_t>(call * scenario_.ranks + rank);
        const collectives::Expected expected = collectives::expected_of(step, scenario_, call, rank, inputs);
        if (expected.target.size() != block) return who + "another size";
        for (size_t at = 0; at < block; ++at) {
          if (!expected.defined.empty() && !expected.defined[at]) continue;
          if (found[place * block + at] != expected.target[at]) return who + "byte " + std::to_string(at) + " is wrong";
        }
        for (size_t source = 0; source < expected.counts.size(); ++source) {
          int32_t count = 0;
          std::memcpy(&count,
                      result.tensors.at("c" + std::to_string(i)).data() +
                          (place * expected.counts.size() + source) * sizeof(int32_t),
                      sizeof(int32_t));
          if (count != expected.counts[source]) return who + "count " + std::to_string(source) + " is wrong";
        }
      }
    }
  }
  return "";
}

std::string CollectiveProgram::run(int seeds, uint64_t first) const {
  const Tree tree(text().text());
  if (!tree.error().empty()) return tree.error();
  const standin::ranks::HostProgram program(standin::ranks::record_host(tree.folder(), scenario_.ranks, arguments()));
  if (!program.error().empty()) return program.error();
  for (uint64_t seed = first; seed < first + static_cast<uint64_t>(seeds); ++seed) {
    const HostResult result = program.run(seed);
    const std::string wrong = result.wrong.empty() ? check(result) : result.wrong;
    if (!wrong.empty()) return "seed " + std::to_string(seed) + " " + wrong;
  }
  return "";
}

}  // namespace host_tests
