// SPDX-License-Identifier: Apache-2.0
// Copies a statement with more comments.
#include "passes/leading_comments.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

const Stmt* replace_comments(Context& context, const Stmt* stmt, List<std::string_view> comments) {
  return dispatch(stmt, [&](const auto& s) -> const Stmt* {
    using S = std::remove_cvref_t<decltype(s)>;
    if constexpr (std::is_base_of_v<Stmt, S>) {
      S draft = s;
      draft.leading_comments = comments;
      return context.make(draft);
    } else {
      PYPTOC_UNREACHABLE("a statement of another kind");
    }
  });
}

}  // namespace

const Stmt* with_comments(Context& context, const Stmt* stmt, List<std::string_view> comments) {
  if (comments.empty()) return stmt;
  if (const SeqStmts* seq = as<SeqStmts>(stmt)) {
    // Comments on a list would keep it from being spliced into the list around it.
    if (seq->stmts.empty()) return stmt;
    std::vector<const Stmt*> stmts(seq->stmts.begin(), seq->stmts.end());
    stmts[0] = with_comments(context, stmts[0], comments);
    SeqStmts draft = *seq;
    draft.stmts = context.list(stmts);
    return context.make(draft);
  }
  std::vector<std::string_view> all(comments.begin(), comments.end());
  all.insert(all.end(), stmt->leading_comments.begin(), stmt->leading_comments.end());
  return replace_comments(context, stmt, context.list(all));
}

const Stmt* without_comments(Context& context, const Stmt* stmt) {
  return stmt->leading_comments.empty() ? stmt : replace_comments(context, stmt, {});
}

const Stmt* seq_with_comments(Context& context, std::vector<const Stmt*> stmts, List<std::string_view> comments,
                              const Span* span) {
  if (!stmts.empty()) stmts[0] = with_comments(context, stmts[0], comments);
  return context.seq(stmts, span);
}

}  // namespace pyptoc::passes
