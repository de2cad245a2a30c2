// SPDX-License-Identifier: Apache-2.0
#include "passes/host_checks.h"

#include <algorithm>

#include "ir/equal.h"
#include "ir/rewriter.h"
#include "passes/plain_value.h"

namespace pyptoc::passes {

using namespace ir;

namespace {

// A program with many checks of one text and different conditions may keep some twice.
constexpr size_t kComparedConditions = 16;

// Variables become what they are known to be.
class Plain : public Rewriter {
 public:
  Plain(Context& context, const StartValues& start) : Rewriter(context), start_(start) {}

 protected:
  using Rewriter::rewrite;
  const Expr* rewrite(const Expr* e) override {
    if (!is_var(e->kind) && e->kind != NodeKind::Cast) return rebuild(e);
    const Expr* known = start_.resolve(e);
    return is_plain_value(known) || is<ConstInt>(known) ? known : rebuild(e);
  }

 private:
  const StartValues& start_;
};

}  // namespace

HostChecks::HostChecks(const Function* function, Context& context) : context_(context), start_(function) {
  world_size_ = context.call(context.op("pld.system.world_size", false), {}, context.scalar_type(DType::Int64));
}

const Expr* HostChecks::world_size() {
  return world_size_;
}

const Expr* HostChecks::number(int64_t value) {
  return context_.const_int(value, DType::Int64);
}

const Expr* HostChecks::plain(const Expr* e) {
  return Plain(context_, start_).expr(e);
}

const Expr* HostChecks::condition(NodeKind kind, const Expr* left, const Expr* right) {
  return context_.binary(kind, plain(left), plain(right));
}

Truth HostChecks::known(const Expr* condition) {
  const BinaryExpr* compare = as<BinaryExpr>(condition);
  if (compare == nullptr || !is_comparison(compare->kind)) return Truth::Unknown;
  Interval distance = bounds_.of_difference(compare->left, compare->right);
  auto truth = [](bool yes, bool no) { return yes ? Truth::Yes : no ? Truth::No : Truth::Unknown; };
  switch (compare->kind) {
    case NodeKind::Ge:
      return truth(distance.low >= 0, distance.high < 0);
    case NodeKind::Gt:
      return truth(distance.low > 0, distance.high <= 0);
    case NodeKind::Le:
      return truth(distance.high <= 0, distance.low > 0);
    case NodeKind::Lt:
      return truth(distance.high < 0, distance.low >= 0);
    case NodeKind::Eq:
      return truth(distance.low == 0 && distance.high == 0, distance.low > 0 || distance.high < 0);
    default:
      return Truth::Unknown;
  }
}

const Var* HostChecks::require(const Expr* condition, const std::string& text, const Span* span) {
  if (known(condition) == Truth::Yes) return nullptr;
  if (const Var* unknown = start_.unknown_in(condition)) return unknown;
  std::vector<const Expr*>& same_text = by_text_[text];
  size_t compared = std::min(same_text.size(), kComparedConditions);
  for (size_t i = 0; i < compared; ++i)
    if (expr_equal(same_text[i], condition)) return nullptr;
  same_text.push_back(condition);
  start_.need(condition);
  Call call;
  call.kind = NodeKind::Call;
  call.span = span;
  call.type = context_.plain_type(TypeKind::UnknownType);
  call.op = context_.op("system.require", false);
  call.args = context_.list({condition});
  call.kwargs = context_.list({Attr{"text", AttrValue::of_string(context_.copy_string(text))}});
  EvalStmt check;
  check.kind = NodeKind::EvalStmt;
  check.span = span;
  check.expr = context_.make(call);
  checks_.push_back(context_.make(check));
  return nullptr;
}

const Function* HostChecks::insert_into(const Function* function) const {
  return start_.with_beginning(function, context_, checks_);
}

}  // namespace pyptoc::passes
