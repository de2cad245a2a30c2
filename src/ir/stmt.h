// SPDX-License-Identifier: Apache-2.0
// Statement nodes. Field meanings and file keys: ir-format.md, "Statements".
#pragma once

#include <optional>

#include "ir/expr.h"

namespace pyptoc::ir {

struct Stmt : Node {
  List<std::string_view> leading_comments;
  static constexpr bool holds(NodeKind kind) { return is_stmt(kind); }
};

#define PYPTOC_HOLDS(K)                        \
  static constexpr bool holds(NodeKind kind) { \
    return kind == NodeKind::K;                \
  }

struct AssignStmt : Stmt {
  const Var* var = nullptr;
  const Expr* value = nullptr;
  PYPTOC_HOLDS(AssignStmt)
  static constexpr auto fields() {
    return std::make_tuple(defining("var", &AssignStmt::var), field("value", &AssignStmt::value));
  }
};
struct EvalStmt : Stmt {
  const Expr* expr = nullptr;
  PYPTOC_HOLDS(EvalStmt)
  static constexpr auto fields() { return std::make_tuple(field("expr", &EvalStmt::expr)); }
};
struct ReturnStmt : Stmt {
  List<const Expr*> value;
  PYPTOC_HOLDS(ReturnStmt)
  static constexpr auto fields() { return std::make_tuple(field("value", &ReturnStmt::value)); }
};
struct YieldStmt : Stmt {
  List<const Expr*> value;
  PYPTOC_HOLDS(YieldStmt)
  static constexpr auto fields() { return std::make_tuple(field("value", &YieldStmt::value)); }
};
struct SeqStmts : Stmt {
  List<const Stmt*> stmts;
  PYPTOC_HOLDS(SeqStmts)
  static constexpr auto fields() { return std::make_tuple(field("stmts", &SeqStmts::stmts)); }
};
struct IfStmt : Stmt {
  const Expr* condition = nullptr;
  const Stmt* then_body = nullptr;
  const Stmt* else_body = nullptr;
  List<const Var*> return_vars;
  PYPTOC_HOLDS(IfStmt)
  static constexpr auto fields() {
    return std::make_tuple(field("condition", &IfStmt::condition), field("then_body", &IfStmt::then_body),
                           nullable("else_body", &IfStmt::else_body), defining("return_vars", &IfStmt::return_vars));
  }
};
struct ForStmt : Stmt {
  const Var* loop_var = nullptr;
  const Expr* start = nullptr;
  const Expr* stop = nullptr;
  const Expr* step = nullptr;
  List<const Var*> iter_args;  // IterArgs
  const Stmt* body = nullptr;
  List<const Var*> return_vars;
  ForKind for_kind = ForKind::Sequential;
  List<Attr> attrs;
  PYPTOC_HOLDS(ForStmt)
  static constexpr auto fields() {
    return std::make_tuple(defining("loop_var", &ForStmt::loop_var), field("start", &ForStmt::start),
                           field("stop", &ForStmt::stop), field("step", &ForStmt::step),
                           defining("iter_args", &ForStmt::iter_args), field("body", &ForStmt::body),
                           defining("return_vars", &ForStmt::return_vars), field("kind", &ForStmt::for_kind),
                           field("attrs", &ForStmt::attrs));
  }
};
struct WhileStmt : Stmt {
  List<const Var*> iter_args;  // IterArgs
  const Expr* condition = nullptr;
  const Stmt* body = nullptr;
  List<const Var*> return_vars;
  PYPTOC_HOLDS(WhileStmt)
  static constexpr auto fields() {
    return std::make_tuple(defining("iter_args", &WhileStmt::iter_args), field("condition", &WhileStmt::condition),
                           field("body", &WhileStmt::body), defining("return_vars", &WhileStmt::return_vars));
  }
};
struct BreakStmt : Stmt {
  PYPTOC_HOLDS(BreakStmt)
  static constexpr auto fields() { return std::make_tuple(); }
};
struct ContinueStmt : Stmt {
  PYPTOC_HOLDS(ContinueStmt)
  static constexpr auto fields() { return std::make_tuple(); }
};

// Scopes: a body under a name hint.
struct ScopeStmt : Stmt {
  std::string_view name_hint;
  const Stmt* body = nullptr;
  List<Attr> attrs;
  static constexpr bool holds(NodeKind kind) {
    return kind >= NodeKind::InCoreScopeStmt && kind <= NodeKind::CommDomainScopeStmt;
  }
  template <class S, class... More>
  static constexpr auto scope_fields(More... more) {
    return std::make_tuple(field("name_hint", &S::name_hint), field("body", &S::body), field("attrs", &S::attrs),
                           more...);
  }
};
struct InCoreScopeStmt : ScopeStmt {
  std::optional<SplitMode> split;
  PYPTOC_HOLDS(InCoreScopeStmt)
  static constexpr auto fields() { return scope_fields<InCoreScopeStmt>(nullable("split", &InCoreScopeStmt::split)); }
};
struct ClusterScopeStmt : ScopeStmt {
  PYPTOC_HOLDS(ClusterScopeStmt)
  static constexpr auto fields() { return scope_fields<ClusterScopeStmt>(); }
};
struct HierarchyScopeStmt : ScopeStmt {
  Level level = Level::Chip;
  std::optional<Role> role;
  PYPTOC_HOLDS(HierarchyScopeStmt)
  static constexpr auto fields() {
    return scope_fields<HierarchyScopeStmt>(field("level", &HierarchyScopeStmt::level),
                                            nullable("role", &HierarchyScopeStmt::role));
  }
};
struct SpmdScopeStmt : ScopeStmt {
  const Expr* core_num = nullptr;
  bool sync_start = false;
  PYPTOC_HOLDS(SpmdScopeStmt)
  static constexpr auto fields() {
    return scope_fields<SpmdScopeStmt>(field("core_num", &SpmdScopeStmt::core_num),
                                       field("sync_start", &SpmdScopeStmt::sync_start));
  }
};
struct SplitAivScopeStmt : ScopeStmt {
  SplitMode split = SplitMode::None;
  int64_t count = 0;
  PYPTOC_HOLDS(SplitAivScopeStmt)
  static constexpr auto fields() {
    return scope_fields<SplitAivScopeStmt>(field("split", &SplitAivScopeStmt::split),
                                           field("count", &SplitAivScopeStmt::count));
  }
};
struct RuntimeScopeStmt : ScopeStmt {
  bool manual = false;
  PYPTOC_HOLDS(RuntimeScopeStmt)
  static constexpr auto fields() { return scope_fields<RuntimeScopeStmt>(field("manual", &RuntimeScopeStmt::manual)); }
};
struct CommDomainScopeStmt : ScopeStmt {
  List<int64_t> devices;   // empty = every device
  List<const Var*> slots;  // WindowBuffers
  PYPTOC_HOLDS(CommDomainScopeStmt)
  static constexpr auto fields() {
    return scope_fields<CommDomainScopeStmt>(field("devices", &CommDomainScopeStmt::devices),
                                             defining("slots", &CommDomainScopeStmt::slots));
  }
};

// Source text of another language, the body of a HOST sub worker.
struct InlineStmt : Stmt {
  std::string_view body;
  Language language = Language::Python;
  PYPTOC_HOLDS(InlineStmt)
  static constexpr auto fields() {
    return std::make_tuple(field("body", &InlineStmt::body), field("language", &InlineStmt::language));
  }
};

}  // namespace pyptoc::ir
