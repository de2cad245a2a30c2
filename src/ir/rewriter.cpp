// SPDX-License-Identifier: Apache-2.0
// The default rewriting of each node, generic over the field descriptions.
#include "ir/rewriter.h"

#include "ir/map_functions.h"

namespace pyptoc::ir {

void Rewriter::substitute(const Var* from, const Expr* to) {
  substitutions_[from] = to;
  memo_.forget();
}

const Expr* Rewriter::substitution(const Var* var) const {
  const Expr* const* found = substitutions_.find(var);
  return found != nullptr ? *found : nullptr;
}

const Expr* Rewriter::expr(const Expr* e) {
  if (const Var* v = as<Var>(e)) {
    const Expr* to = substitution(v);
    if (to != nullptr) return to;
    return rewrite(e);
  }
  if (is_const(e->kind)) return rewrite(e);
  if (const Expr* const* known = memo_.find(e)) return *known;
  DepthGuard guard(depth_);
  const Expr* result = rewrite(e);
  PYPTOC_ASSERT(result != nullptr, "an expression was rewritten to nothing");
  memo_.insert(e, result);
  return result;
}

const Stmt* Rewriter::stmt(const Stmt* s) {
  DepthGuard guard(depth_);
  memo_.forget();
  const Stmt* result = rewrite(s);
  return result != nullptr ? result : context_.seq({}, s->span);
}

List<const Stmt*> Rewriter::stmts(List<const Stmt*> list) {
  std::vector<const Stmt*> out;
  bool changed = false;
  for (size_t i = 0; i < list.size(); ++i) {
    memo_.forget();
    const Stmt* result = nullptr;
    {
      DepthGuard guard(depth_);
      result = rewrite(list[i]);
    }
    if (result == list[i] && !changed) continue;
    if (!changed) out.assign(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i));
    changed = true;
    if (result == nullptr) continue;
    const SeqStmts* seq = as<SeqStmts>(result);
    if (seq != nullptr && list[i]->kind != NodeKind::SeqStmts && seq->leading_comments.empty())
      out.insert(out.end(), seq->stmts.begin(), seq->stmts.end());
    else
      out.push_back(result);
  }
  return changed ? context_.list(out) : list;
}

const Var* Rewriter::var_use(const Var* var) {
  const Expr* now = expr(var);
  const Var* result = as<Var>(now);
  return result != nullptr ? result : var;
}

const Var* Rewriter::define(const Var* var) {
  if (const Var* to = as<Var>(substitution(var))) return to;
  const Type* new_type = types_too_ ? type(var->type) : var->type;
  const Expr* new_init = nullptr;
  if (const IterArg* arg = as<IterArg>(var)) {
    new_init = expr(arg->init_value);
    if (new_init == arg->init_value && new_type == var->type) return var;
    IterArg draft = *arg;
    draft.type = new_type;
    draft.init_value = new_init;
    const IterArg* made = context_.make(draft);
    substitute(var, made);
    return made;
  }
  if (const WindowBuffer* window = as<WindowBuffer>(var); window != nullptr && types_too_) {
    WindowBuffer draft = *window;
    draft.size = expr(window->size);
    if (draft.size == window->size) return var;
    const WindowBuffer* made = context_.make(draft);
    substitute(var, made);  // the types that name the window go with it
    return made;
  }
  if (new_type == var->type || var->kind != NodeKind::Var) return var;
  Var draft = *var;
  draft.type = new_type;
  const Var* made = context_.make(draft);
  substitute(var, made);
  return made;
}

bool Rewriter::rewrite_attrs(List<Attr>& attrs) {
  std::vector<Attr> out;
  bool changed = false;
  for (size_t i = 0; i < attrs.size(); ++i) {
    AttrValue value = attrs[i].value;
    bool differs = false;
    if (value.kind() == AttrKind::Var && value.as_var() != nullptr) {
      const Var* now = var_use(value.as_var());
      differs = now != value.as_var();
      if (differs) value = AttrValue::of_var(now);
    } else if (value.kind() == AttrKind::Expr && value.as_expr() != nullptr) {
      const Expr* now = expr(value.as_expr());
      differs = now != value.as_expr();
      if (differs) value = AttrValue::of_expr(now);
    } else if (value.kind() == AttrKind::VarList) {
      std::vector<const Var*> vars(value.as_vars().begin(), value.as_vars().end());
      for (const Var*& var : vars) {
        const Var* now = var != nullptr ? var_use(var) : nullptr;
        differs |= now != var;
        var = now;
      }
      if (differs) value = AttrValue::of_vars(context_.list(vars));
    }
    if (differs && !changed) out.assign(attrs.begin(), attrs.end());
    changed |= differs;
    if (differs) out[i].value = value;
  }
  if (changed) attrs = context_.list(out);
  return changed;
}

template <class V>
bool Rewriter::rewrite_value(V& value, bool defines) {
  if constexpr (std::is_same_v<V, List<Attr>>) {
    return rewrite_attrs(value);
  } else if constexpr (std::is_same_v<V, List<const Stmt*>>) {
    V now = stmts(value);
    bool changed = now.data() != value.data() || now.size() != value.size();
    value = now;
    return changed;
  } else if constexpr (std::is_pointer_v<V>) {
    if (value == nullptr) return false;
    V now = value;
    if constexpr (std::is_same_v<V, const Expr*>) now = expr(value);
    if constexpr (std::is_same_v<V, const Stmt*>) now = stmt(value);
    if constexpr (std::is_same_v<V, const Var*>) now = defines ? define(value) : var_use(value);
    if constexpr (std::is_same_v<V, const Type*>) now = types_too_ ? type(value) : value;
    bool changed = now != value;
    value = now;
    return changed;
  } else if constexpr (requires {
                         typename V::element_type;
                         value.size();
                       }) {
    if constexpr (std::is_pointer_v<std::remove_cv_t<typename V::element_type>>) {
      using P = std::remove_cv_t<typename V::element_type>;
      std::vector<P> out;  // empty until something changes, which is rare
      for (size_t i = 0; i < value.size(); ++i) {
        P element = value[i];
        if (!rewrite_value(element, defines)) continue;
        if (out.empty()) out.assign(value.begin(), value.end());
        out[i] = element;
      }
      if (out.empty()) return false;
      value = context_.list(out);
      return true;
    }
  }
  return false;
}

template <class S>
bool Rewriter::rewrite_fields(S& draft, bool defining_only, bool using_only) {
  bool changed = false;
  for_each_field<S>([&](const auto& described) {
    if ((defining_only && !described.defines) || (using_only && described.defines)) return;
    changed |= rewrite_value(draft.*(described.member), described.defines);
  });
  return changed;
}

const Node* Rewriter::rebuild_node(const Node* node) {
  return dispatch(node, [&](const auto& n) -> const Node* {
    using S = std::remove_cvref_t<decltype(n)>;
    S draft = n;
    bool changed = false;
    if constexpr (std::is_base_of_v<Var, S>) {
      return &n;  // the parts of a variable belong to its definition
    } else if constexpr (std::is_same_v<S, AssignStmt>) {
      changed |= rewrite_fields(draft, false, true);  // the value does not see the variable that it defines
      changed |= rewrite_fields(draft, true, false);
    } else if constexpr (std::is_same_v<S, ForStmt>) {
      // Nor do the bounds see the variable of the loop.
      changed |= rewrite_value(draft.start, false);
      changed |= rewrite_value(draft.stop, false);
      changed |= rewrite_value(draft.step, false);
      changed |= rewrite_value(draft.iter_args, true);
      changed |= rewrite_value(draft.loop_var, true);
      changed |= rewrite_value(draft.body, false);
      changed |= rewrite_value(draft.return_vars, true);
      changed |= rewrite_value(draft.attrs, false);
    } else if constexpr (std::is_same_v<S, CommDomainScopeStmt>) {
      // Types in the body name the slots.
      changed |= rewrite_value(draft.slots, true);
      changed |= rewrite_value(draft.attrs, false);
      changed |= rewrite_value(draft.body, false);
    } else {
      changed |= rewrite_fields(draft, false, false);
    }
    if constexpr (std::is_base_of_v<Expr, S>) {
      if (types_too_) {
        const Type* now = type(draft.type);
        changed |= now != draft.type;
        draft.type = now;
      }
    }
    return changed ? static_cast<const Node*>(context_.make(draft)) : &n;
  });
}

const Expr* Rewriter::rebuild(const Expr* e) {
  if (is_var(e->kind) || is_const(e->kind)) return e;  // nothing in them is rewritten here, and they are frequent
  return static_cast<const Expr*>(rebuild_node(e));
}
const Stmt* Rewriter::rebuild(const Stmt* s) {
  const Stmt* now = static_cast<const Stmt*>(rebuild_node(s));
  const SeqStmts* seq = as<SeqStmts>(now);
  bool is_one = now != s && seq != nullptr && seq->stmts.size() == 1 && seq->leading_comments.empty();
  return is_one ? seq->stmts.front() : now;
}
const Function* Rewriter::function(const Function* f) {
  return static_cast<const Function*>(rebuild_node(f));
}

const Program* Rewriter::program(const Program* p) {
  return map_functions(p, context_, [&](const Function* f) { return function(f); });
}

}  // namespace pyptoc::ir
