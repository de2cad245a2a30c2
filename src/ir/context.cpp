// SPDX-License-Identifier: Apache-2.0
// Interning and the factories of frequent nodes.
#include "ir/context.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "ir/op_table.h"
#include "support/string_index.h"

namespace pyptoc::ir {

struct Context::Tables {
  support::StringIndex strings;
  std::unordered_map<std::string_view, const Op*> functions;
  std::unordered_map<std::string_view, const Op*> operators;
  std::array<const ScalarType*, 256> scalars{};
  std::array<const Type*, 32> plain{};
  std::unordered_map<size_t, const TupleType*> tuples;  // of one scalar type, by length and that type
};

Context::Context() : tables_(std::make_unique<Tables>()) {}
Context::~Context() = default;

void Context::internal_null(const char* key) {
  support::internal_error(std::string("null in field `") + key + "` of a node", __FILE__, __LINE__);
}

Contents Context::type_contents(const Type* type) {
  Contents out;
  switch (type->kind) {
    case TypeKind::DistributedTensorType:
    case TypeKind::WindowBufferType:
    case TypeKind::CommCtxType:
      out |= Content::Window;
      break;
    case TypeKind::ArrayType:
      out |= Content::Array;
      break;
    case TypeKind::TileType:
      if (as_tile(type)->has_memory_space && is_cube_memory(as_tile(type)->memory_space)) out |= Content::Cube;
      break;
    case TypeKind::TupleType:
      for (const Type* member : as_tuple(type)->types) out |= member->contents;
      return out;
    default:
      break;
  }
  for_each_node_in_type(type, [&](const Node* node) {
    if (node->contents.has(Content::Scalar)) out |= Content::Scalar;
  });
  return out;
}

namespace {

// Whether the cube core may run it, whatever its operands and keywords are.
bool may_be_cube(OpId id) {
  switch (op_info(id).affinity) {
    case AffinityRule::Cube:
    case AffinityRule::Boundary:
    case AffinityRule::CoreType:
    case AffinityRule::TargetMemory:
    case AffinityRule::Move:
      return true;
    case AffinityRule::None:
    case AffinityRule::Neutral:
    case AffinityRule::Shared:
    case AffinityRule::Vector:
    case AffinityRule::FirstTile:  // that tile's type tells
      return false;
  }
  PYPTOC_UNREACHABLE("affinity rule");
}

Contents call_contents(std::string_view name, bool is_global_var, OpId id) {
  if (is_global_var) return Content::FunctionCall;
  Contents out;
  if (id == OpId::TensorWrite) out |= Content::ElementWrite;
  if (id == OpId::TensorRead) out |= Content::ElementRead;
  if (id == OpId::TensorAssemble) out |= Content::Assemble;
  if (name.starts_with("tile.tpush") || name.starts_with("tile.tpop") || name.ends_with("_initialize_pipe"))
    out |= Content::Pipe;
  if (name.starts_with("pld.") || name.starts_with("dist.") || name.starts_with("builtin.")) out |= Content::Window;
  if (may_be_cube(id)) out |= Content::Cube;
  return out;
}

}  // namespace

std::string_view Context::intern(std::string_view text) {
  support::StringIndex& strings = tables_->strings;
  return strings.text(strings.number(text, [this](std::string_view kept) { return arena_.copy_string(kept); }));
}

const Op* Context::op(std::string_view name, bool is_global_var) {
  auto& table = is_global_var ? tables_->functions : tables_->operators;
  if (auto found = table.find(name); found != table.end()) return found->second;
  std::string_view kept = intern(name);
  const OpId id = is_global_var ? OpId::Unknown : op_id_of(kept);
  const uint32_t number = is_global_var ? static_cast<uint32_t>(table.size() + 1) : 0;
  const Op* made = arena_.copy(Op{kept, is_global_var, id, call_contents(kept, is_global_var, id), number});
  table.emplace(kept, made);
  return made;
}

const ScalarType* Context::scalar_type(DType dtype) {
  const ScalarType*& slot = tables_->scalars[static_cast<size_t>(dtype)];
  if (slot == nullptr) {
    ScalarType draft;
    draft.kind = TypeKind::ScalarType;
    draft.dtype = dtype;
    slot = copy(draft);
  }
  return slot;
}

const Type* Context::plain_type(TypeKind kind) {
  PYPTOC_ASSERT(kind >= TypeKind::UnknownType, "a type kind with parts");
  const Type*& slot = tables_->plain[static_cast<size_t>(kind)];
  if (slot == nullptr) slot = copy(Type{kind});
  return slot;
}

// Most tuples are shapes and offsets; those of one scalar type are interned.
const TupleType* Context::tuple_type(const std::vector<const Type*>& types) {
  const TupleType** slot = nullptr;
  const ScalarType* scalar = types.empty() ? nullptr : as_scalar(types.front());
  if (scalar != nullptr && std::count(types.begin(), types.end(), scalar) == std::ssize(types))
    slot = &tables_->tuples[types.size() << 8 | static_cast<size_t>(scalar->dtype)];
  if (slot != nullptr && *slot != nullptr) return *slot;
  TupleType draft;
  draft.kind = TypeKind::TupleType;
  draft.types = list(types);
  const TupleType* made = copy(draft);
  if (slot != nullptr) *slot = made;
  return made;
}

const TensorType* Context::tensor_type(DType dtype, List<const Expr*> shape, TypeKind kind) {
  TensorType draft;
  draft.kind = kind;
  draft.dtype = dtype;
  draft.shape = shape;
  return copy(draft);
}

namespace {
template <class S>
S draft_of(NodeKind kind, const Span* span) {
  S draft;
  draft.kind = kind;
  draft.span = span;
  return draft;
}
template <class S>
S draft_of(NodeKind kind, const Span* span, const Type* type) {
  S draft = draft_of<S>(kind, span);
  draft.type = type;
  return draft;
}
}  // namespace

const ConstInt* Context::const_int(int64_t value, DType dtype, const Span* span) {
  auto draft = draft_of<ConstInt>(NodeKind::ConstInt, span, scalar_type(dtype));
  draft.value = value;
  return make(draft);
}

const ConstBool* Context::const_bool(bool value, const Span* span) {
  auto draft = draft_of<ConstBool>(NodeKind::ConstBool, span, scalar_type(DType::Bool));
  draft.value = value;
  return make(draft);
}

const ConstFloat* Context::const_float(double value, DType dtype, const Span* span) {
  auto draft = draft_of<ConstFloat>(NodeKind::ConstFloat, span, scalar_type(dtype));
  draft.value = value;
  return make(draft);
}

const Var* Context::var(std::string_view name_hint, const Type* type, const Span* span) {
  auto draft = draft_of<Var>(NodeKind::Var, span, type);
  draft.name_hint = intern(name_hint);
  return make(draft);
}

const BinaryExpr* Context::binary(NodeKind kind, const Expr* left, const Expr* right, const Span* span) {
  const Type* type = is_comparison(kind) ? scalar_type(DType::Bool) : left->type;
  auto draft = draft_of<BinaryExpr>(kind, span, type);
  draft.left = left;
  draft.right = right;
  return make(draft);
}

const UnaryExpr* Context::unary(NodeKind kind, const Expr* operand, const Type* type, const Span* span) {
  auto draft = draft_of<UnaryExpr>(kind, span, type);
  draft.operand = operand;
  return make(draft);
}

const TupleGetItemExpr* Context::element(const Expr* tuple, size_t index, const Span* span) {
  auto draft = draft_of<TupleGetItemExpr>(NodeKind::TupleGetItemExpr, span, as_tuple(tuple->type)->types[index]);
  draft.tuple = tuple;
  draft.index = static_cast<int64_t>(index);
  return make(draft);
}

const Call* Context::call(const Op* op, const std::vector<const Expr*>& args, const Type* type, const Span* span) {
  auto draft = draft_of<Call>(NodeKind::Call, span, type);
  draft.op = op;
  draft.args = list(args);
  return make(draft);
}

const AssignStmt* Context::assign(const Var* var, const Expr* value, const Span* span) {
  auto draft = draft_of<AssignStmt>(NodeKind::AssignStmt, span);
  draft.var = var;
  draft.value = value;
  return make(draft);
}

const Stmt* Context::seq(const std::vector<const Stmt*>& stmts, const Span* span) {
  if (stmts.size() == 1) return stmts.front();
  auto splices = [](const Stmt* s) { return s->kind == NodeKind::SeqStmts && s->leading_comments.empty(); };
  auto draft = draft_of<SeqStmts>(NodeKind::SeqStmts, span);
  if (std::any_of(stmts.begin(), stmts.end(), splices)) {
    std::vector<const Stmt*> flat;
    for (const Stmt* stmt : stmts) {
      if (!splices(stmt))
        flat.push_back(stmt);
      else
        for (const Stmt* inner : as<SeqStmts>(stmt)->stmts) flat.push_back(inner);
    }
    draft.stmts = list(flat);
  } else {
    draft.stmts = list(stmts);
  }
  return make(draft);
}

const Program* Context::program(std::string_view name, std::vector<const Function*> functions, const Span* span) {
  const auto by_name = [](const Function* a, const Function* b) { return a->name < b->name; };
  if (!std::is_sorted(functions.begin(), functions.end(), by_name))
    std::sort(functions.begin(), functions.end(), by_name);
  auto draft = draft_of<Program>(NodeKind::Program, span);
  draft.name = intern(name);
  draft.functions = list(functions);
  return make(draft);
}

void Context::complete(Function& draft) {
  if (draft.op != nullptr && draft.op->name == draft.name) return;
  draft.op = op(draft.name, true);
  draft.name = draft.op->name;
}

void Context::complete(Program& draft) {
  std::vector<uint32_t> numbers;
  numbers.reserve(draft.functions.size());
  for (const Function* f : draft.functions) numbers.push_back(f->op->function);
  const size_t count = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end()) + size_t{1};
  std::vector<const Function*> by_op(count, nullptr);
  for (size_t i = 0; i < numbers.size(); ++i) by_op[numbers[i]] = draft.functions[i];
  draft.by_op = list(by_op);
  draft.op_numbers = list(numbers);
}

const Program* Context::program_with(const Program* program, const std::vector<const Function*>& by_op) {
  std::vector<const Function*> functions;
  functions.reserve(program->functions.size());
  for (uint32_t number : program->op_numbers) {
    functions.push_back(by_op[number]);
    PYPTOC_ASSERT(functions.back()->op->function == number, "a function in the place of another name");
  }
  Program draft = *program;
  draft.functions = list(functions);
  draft.by_op = list(by_op);
  draft.contents = contents_of(draft);
  draft.serial = ++serial_;
  return arena_.copy(draft);
}

const Function* Program::find(std::string_view function_name) const {
  auto found = std::lower_bound(functions.begin(), functions.end(), function_name,
                                [](const Function* f, std::string_view wanted) { return f->name < wanted; });
  return found != functions.end() && (*found)->name == function_name ? *found : nullptr;
}

}  // namespace pyptoc::ir
