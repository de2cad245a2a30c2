// SPDX-License-Identifier: Apache-2.0
#include "synthetic.h"

#include <string>

#include "text/parser.h"

namespace pyptoc::bench {

using namespace ir;

namespace {

class Builder {
 public:
  explicit Builder(Context& context) : c_(context) {
    shape_ = c_.list<const Expr*>({c_.const_int(64), c_.const_int(64)});
    type_ = c_.tensor_type(DType::Fp32, shape_);
  }

  const Function* kernel() {
    const Var* in = c_.var("x", type_);
    const Var* out = c_.var("out", type_);
    Function f = function("kernel", FunctionType::Aiv, {in, out});
    f.attrs = c_.list<Attr>({{"external_source", AttrValue::of_string("kernel.cpp")}});
    f.body = c_.seq({give_back(out)});
    return c_.make(f);
  }

  const Function* orchestration(size_t calls) {
    const Var* in = c_.var("a", type_);
    const Var* out = c_.var("out", type_);
    Function f = function("main", FunctionType::Orchestration, {in, out});
    std::vector<const Stmt*> body;
    const Var* last = in;
    for (size_t i = 0; i + 1 < calls; ++i) {
      std::string number = std::to_string(i);
      const Var* made = c_.var("t" + number, type_);
      body.push_back(c_.assign(made, create()));
      const Var* result = c_.var("r" + number, type_);
      body.push_back(c_.assign(result, call(last, made)));
      last = result;
    }
    const Var* result = c_.var("result", type_);
    body.push_back(c_.assign(result, call(last, out)));
    body.push_back(give_back(result));
    f.body = c_.seq(body);
    return c_.make(f);
  }

 private:
  Function function(std::string_view name, FunctionType type, std::initializer_list<const Var*> params) {
    Function f;
    f.kind = NodeKind::Function;
    f.name = name;
    f.func_type = type;
    f.level = type == FunctionType::Aiv ? Level::Aiv : Level::Chip;
    f.role = type == FunctionType::Aiv ? Role::SubWorker : Role::Orchestrator;
    f.params = c_.list<const Var*>(params);
    f.param_directions = c_.list<ParamDirection>({ParamDirection::In, ParamDirection::Out});
    f.return_types = c_.list<const Type*>({type_});
    return f;
  }
  const Stmt* give_back(const Var* var) {
    ReturnStmt s;
    s.kind = NodeKind::ReturnStmt;
    s.value = c_.list<const Expr*>({var});
    return c_.make(s);
  }
  const Expr* call(const Expr* in, const Expr* out) { return c_.call(c_.op("kernel", true), {in, out}, type_); }
  const Expr* create() {
    MakeTuple tuple;
    tuple.kind = NodeKind::MakeTuple;
    tuple.type = c_.tuple_type({c_.scalar_type(DType::Index), c_.scalar_type(DType::Index)});
    tuple.elements = shape_;
    Call call;
    call.kind = NodeKind::Call;
    call.type = type_;
    call.op = c_.op("tensor.create", false);
    call.args = c_.list<const Expr*>({c_.make(tuple)});
    call.kwargs = c_.list<Attr>({{"dtype", AttrValue::of_dtype(DType::Fp32)}});
    return c_.make(call);
  }

  Context& c_;
  List<const Expr*> shape_;
  const Type* type_ = nullptr;
};

}  // namespace

const Program* straight_line(Context& context, size_t calls) {
  Builder builder(context);
  return context.program("Straight", {builder.kernel(), builder.orchestration(calls)}, nullptr);
}

const Program* scopes(Context& context, size_t count) {
  std::string text =
      "@pl.function(type=pl.FunctionType.Orchestration)\n"
      "def main(x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):\n";
  std::string last = "x";
  for (size_t i = 0; i < count; ++i) {
    std::string next = "t" + std::to_string(i);
    text += "    with pl.at(level=pl.Level.CORE_GROUP):\n        " + next + " = pl.tensor.adds(" + last + ", 1.0)\n";
    last = next;
  }
  text += "    with pl.at(level=pl.Level.CORE_GROUP):\n        out_1 = pl.tensor.assemble(out, " + last + ", [0, 0])\n";
  diag::Engine diags;
  const Program* program = text::parse_program(context, text, "scopes.py", diags);
  PYPTOC_ASSERT(program != nullptr, "the synthetic program has a fault");
  return program;
}

}  // namespace pyptoc::bench
