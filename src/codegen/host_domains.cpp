// SPDX-License-Identifier: Apache-2.0
// Communication domains of a HOST orchestrator.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/host_emitter.h"
#include "ir/depth_guard.h"
#include "ir/op_rules.h"
#include "support/literals.h"

namespace pyptoc::codegen {

using namespace ir;
using support::python_string_literal;

namespace {

constexpr size_t kPlainDomains = 4;  // that still read well as a `with` each
constexpr int64_t kAlignment = 64;   // of windows, so that two of them share no cache line

int64_t up64(int64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// The domain that `s` ends with, so that both end together. Its parents' other statements stay where they are.
const CommDomainScopeStmt* last_domain(const CommDomainScopeStmt* s) {
  const SeqStmts* seq = ir::as<SeqStmts>(s->body);
  if (seq == nullptr) return ir::as<CommDomainScopeStmt>(s->body);
  for (size_t i = seq->stmts.size(); i > 0; --i)
    if (seq->stmts[i - 1]->kind != NodeKind::ReturnStmt) return ir::as<CommDomainScopeStmt>(seq->stmts[i - 1]);
  return nullptr;
}

// How many loops and domains stand in each other in `s`.
int blocks_in(const Stmt* s, int& depth) {
  DepthGuard guard(depth);
  switch (s->kind) {
    case NodeKind::SeqStmts: {
      int most = 0;
      for (const Stmt* inner : ir::as<SeqStmts>(s)->stmts) most = std::max(most, blocks_in(inner, depth));
      return most;
    }
    case NodeKind::ForStmt:
      return 1 + blocks_in(ir::as<ForStmt>(s)->body, depth);
    case NodeKind::WhileStmt:
      return 1 + blocks_in(ir::as<WhileStmt>(s)->body, depth);
    case NodeKind::CommDomainScopeStmt:
      return 1 + blocks_in(ir::as<CommDomainScopeStmt>(s)->body, depth);
    case NodeKind::IfStmt: {
      const IfStmt* branch = ir::as<IfStmt>(s);
      const int other = branch->else_body != nullptr ? blocks_in(branch->else_body, depth) : 0;
      return std::max(blocks_in(branch->then_body, depth), other);
    }
    default:
      return 0;
  }
}

}  // namespace

// A `with` for each domain, or one for all that end together where they are many: Python nests few blocks.
void HostEmitter::domain(const CommDomainScopeStmt* s) {
  if (!enter(s)) return;
  std::vector<const CommDomainScopeStmt*> chain = {s};
  while (const CommDomainScopeStmt* next = last_domain(chain.back())) chain.push_back(next);
  int depth = 0;
  const bool joined =
      chain.size() > kPlainDomains || (chain.size() > 1 && blocks_ + blocks_in(s, depth) > kPythonBlocks);
  if (joined) {
    joins_domains_ = true;
    const std::string stack = fresh("domains");
    out_.open("with contextlib.ExitStack() as {}:", stack);
    ++blocks_;
    for (size_t i = 0; i < chain.size(); ++i) {
      const std::string variable = fresh(chain[i]->name_hint);
      allocate_domain(chain[i], variable, fmt::format("{} = {}.enter_context(", variable, stack), "))");
      if (i + 1 == chain.size()) {
        block(chain[i]->body);
      } else if (const SeqStmts* seq = ir::as<SeqStmts>(chain[i]->body)) {
        for (const Stmt* inner : seq->stmts)
          if (inner != chain[i + 1]) statement(inner);
      }
    }
  } else {
    const std::string variable = fresh(s->name_hint);
    allocate_domain(s, variable, "with ", fmt::format(") as {}:", variable));
    out_.indent();
    ++blocks_;
    block(s->body);
  }
  --blocks_;
  out_.close("");
}

// The call that allocates `s`, between `head` and `tail`; `variable` is what the statement around binds it to.
void HostEmitter::allocate_domain(const CommDomainScopeStmt* s, const std::string& variable, const std::string& head,
                                  const std::string& tail) {
  publish::ManifestDomain facts;
  facts.name = s->name_hint;
  facts.devices.assign(s->devices.begin(), s->devices.end());
  for (int64_t device : s->devices) note_device(device);
  int64_t known = 0;
  std::string unknown;
  std::vector<std::string> specs;
  for (const Var* slot : s->slots) {
    const WindowBuffer* window = ir::as<WindowBuffer>(slot);
    std::string name = python_string_literal(window->name_hint);
    std::string count;
    std::string bytes;
    if (std::optional<int64_t> size = const_int(window->size)) {
      known += up64(*size);
      count = fmt::format("{}", *size);
      bytes = fmt::format("{}", up64(*size));
    } else {
      rounds_up_ = true;
      std::string init = scalar(window->size);
      count = fresh(fmt::format("{}_bytes", window->name_hint));
      bytes = fmt::format("_up64({})", count);
      out_.line("{} = {}", count, init);
      unknown += " + " + bytes;
    }
    specs.push_back(fmt::format("CommBufferSpec(name={}, dtype=\"opaque\", count={}, nbytes={}),", name, count, bytes));
    slot_storage_.push_back(std::make_unique<HostSlot>(HostSlot{variable, name}));
    slots_[window] = slot_storage_.back().get();
    slots_[window->base] = slot_storage_.back().get();
  }
  if (unknown.empty()) facts.window_bytes = static_cast<uint64_t>(known);
  std::string total = unknown.empty() ? fmt::format("{}", known)
                      : known > 0     ? fmt::format("{}{}", known, unknown)
                                      : unknown.substr(3);
  unit_.domains.push_back(std::move(facts));
  out_.open("{}(_domain_provider or orch.allocate_domain)(", head);
  out_.line("name={},", python_string_literal(s->name_hint));
  out_.line("workers=[{}],",
            s->devices.empty() ? "*range(world_size)" : fmt::format("{}", fmt::join(s->devices, ", ")));
  out_.line("window_size={},", total);
  out_.open("buffers=[");
  for (const std::string& spec : specs) out_.lines(spec);
  out_.close("],");
  out_.close(tail);
}

}  // namespace pyptoc::codegen
