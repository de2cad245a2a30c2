// SPDX-License-Identifier: Apache-2.0
// New variables for the definitions of a copied body.
#include "passes/body_cloner.h"

namespace pyptoc::passes {

using namespace ir;

const Var* fresh_copy(Rewriter& rewriter, Context& context, const Var* var) {
  return dispatch(var, [&](const auto& old) -> const Var* {
    using S = std::remove_cvref_t<decltype(old)>;
    if constexpr (std::is_base_of_v<Var, S>) {
      S draft = old;
      draft.type = rewriter.type(old.type);
      if constexpr (std::is_same_v<S, IterArg>) draft.init_value = rewriter.expr(old.init_value);
      if constexpr (std::is_same_v<S, WindowBuffer>) {
        if (const Var* base = as<Var>(rewriter.expr(old.base))) draft.base = base;
        draft.size = rewriter.expr(old.size);
      }
      return context.make(draft);
    } else {
      PYPTOC_UNREACHABLE("a variable of another kind");
    }
  });
}

const Var* BodyCloner::define(const Var* var) {
  if (const Var* to = as<Var>(substitution(var))) return to;
  const Var* made = fresh_copy(*this, context(), var);
  substitute(var, made);
  return made;
}

}  // namespace pyptoc::passes
