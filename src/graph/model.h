// SPDX-License-Identifier: Apache-2.0
// What a picture of a program shows: per function the tasks, dispatches and collectives in program order, the control
// flow around them, and which tensor goes from where to where.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"

namespace pyptoc::graph {

enum class ItemKind : uint8_t {
  Task,        // runs on cores: a kernel called or submitted, or a scope that becomes one
  Dispatch,    // a chip program started on a device
  Call,        // another function of the program, whose items are its own
  Collective,  // pld.tensor.allreduce and its like
  Window,      // an allocation that all devices of a domain see
  Domain,      // a group: a communication domain with its devices
  Loop,        // a group
  Branch,      // a group: one arm of an if
  Scope,       // a group: a runtime scope
};
std::string_view name_of(ItemKind kind);  // `task`, `dispatch`
constexpr bool is_group(ItemKind kind) {
  return kind >= ItemKind::Domain;
}

struct Item {
  ItemKind kind = ItemKind::Task;
  std::string title;   // `hc_pre_rms`, `for r in 4`
  std::string detail;  // `AIV, 8 blocks`
  std::string place;   // `moe.py:41:16`; empty when unknown
  int callee = -1;     // the function that runs, a number in ProgramGraph::functions
  int parent = -1;     // the group that it is in, an item before it
  int depth = 0;
  std::vector<std::string> reads;  // names of tensors and windows, each once
  std::vector<std::string> writes;
};

// Something made by one item, or a parameter, is used by a later item.
struct Flow {
  int from = -1;  // -1: it comes from the caller
  int to = 0;
  std::string tensor;     // empty for an order between tasks that the program asks for
  bool is_order = false;  // a dependency by task id
};

struct Parameter {
  std::string name;
  std::string type;
  std::string direction;  // `In`, `Out`, `InOut`
  std::string windows;    // of distributed tensors: the allocations behind it, as far as callers tell
};

struct FunctionGraph {
  std::string name;
  std::string role;  // `HOST orchestrator`, `orchestration`, `AIV kernel`
  bool is_kernel = false;
  int callers = 0;
  std::vector<Parameter> parameters;
  std::vector<Item> items;
  std::vector<Flow> flows;
};

struct ProgramGraph {
  std::string name;
  std::vector<FunctionGraph> functions;  // entries first, each callee behind its first caller
};

// Any program at any stage. Linear in its size. Values that several branches or iterations may have made have a flow
// from each of them; flows from one iteration into the next are left out.
ProgramGraph make_graph(const ir::Program* program);

}  // namespace pyptoc::graph
