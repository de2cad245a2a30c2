// SPDX-License-Identifier: Apache-2.0
// The layouts turned into a schema: one definition for each node kind, type kind, part of a type and enumeration.
#include "serial/json_schema.h"

#include "serial/read_parts.h"
#include "support/json_writer.h"

namespace pyptoc::serial {
namespace {

using support::JsonWriter;
constexpr auto kInline = JsonWriter::Layout::kInline;

constexpr std::string_view name_of_category(Category category) {
  switch (category) {
    case Category::IterArg:
      return "IterArg";
    case Category::WindowBuffer:
      return "WindowBuffer";
    case Category::Var:
      return "AnyVar";
    case Category::Expr:
      return "AnyExpr";
    case Category::Stmt:
      return "AnyStmt";
    case Category::Function:
      return "Function";
    default:
      break;
  }
  return "Program";
}

class SchemaWriter {
 public:
  std::string write() {
    json_.begin_object().member("$schema", "https://json-schema.org/draft/2020-12/schema");
    json_.member("title", "a PyPTO program as pyptoc reads it");
    json_.member("$ref", "#/$defs/Program").key("$defs").begin_object();
    small_definitions();
    enums();
    types();
    nodes();
    return json_.end().end().take();
  }

 private:
  void ref(std::string_view name) { json_.begin_object(kInline).member("$ref", "#/$defs/" + std::string(name)).end(); }
  void plain(std::string_view type) { json_.begin_object(kInline).member("type", type).end(); }
  void integer_from(int64_t minimum) {
    json_.begin_object(kInline).member("type", "integer");
    if (minimum != std::numeric_limits<int64_t>::min()) json_.member("minimum", minimum);
    json_.end();
  }
  void constant(std::string_view key, std::string_view text) {
    json_.key(key).begin_object(kInline).member("const", text).end();
  }
  // An object with these members and no other; the caller fills in `properties` and ends twice.
  void begin_closed(const std::vector<std::string_view>& required) {
    json_.begin_object().member("type", "object").key("required").inline_array(required);
    json_.member("additionalProperties", false).key("properties").begin_object();
  }

  // ---- What a member holds

  void value(std::string_view key, const int64_t*) { integer_from(minimum_of(key)); }
  void value(std::string_view, const int32_t*) { integer_from(-1); }
  void value(std::string_view, const bool*) { plain("boolean"); }
  void value(std::string_view, const double*) { ref("Float"); }
  void value(std::string_view, const std::string_view*) { plain("string"); }
  void value(std::string_view, const ir::Attr*) { ref("Attribute"); }
  void value(std::string_view, const ir::Type* const*) { ref("AnyType"); }
  void value(std::string_view, const ir::Op* const*) { ref("Op"); }
  void value(std::string_view, const ir::Span* const*) { ref("span"); }
  template <ir::IrEnum E>
  void value(std::string_view, const E*) {
    ref(ir::EnumTraits<E>::kTypeName);
  }
  template <class T>
  void value(std::string_view key, const std::optional<T>*) {
    value(key, static_cast<const T*>(nullptr));
  }
  template <class T>
  requires requires { DetailLayout<T>::kName; }
  void value(std::string_view, const T* const*) { ref(DetailLayout<T>::kName); }
  template <class T>
  requires std::is_base_of_v<ir::Node, T>
  void value(std::string_view key, const T* const*) {
    json_.begin_object(kInline).key("anyOf").begin_array(kInline);
    ref("Reference");
    ref(name_of_category(category_of<T>(key)));
    json_.end().end();
  }
  template <class T>
  void value(std::string_view key, const ir::List<T>*) {
    json_.begin_object(kInline).member("type", "array").key("items");
    if constexpr (std::is_same_v<T, const ir::Function*>) {
      ref("FunctionEntry");
    } else if (key == "shape") {  // constant extents may be plain numbers
      json_.begin_object(kInline).key("anyOf").begin_array(kInline);
      plain("integer");
      value(key, static_cast<const T*>(nullptr));
      json_.end().end();
    } else {
      value(key, static_cast<const T*>(nullptr));
    }
    json_.end();
  }

  template <class S, class M>
  void part(const Part<S, M>& part) {
    json_.key(part.key);
    if (!part.nullable) return value(part.key, static_cast<const M*>(nullptr));
    json_.begin_object(kInline).key("anyOf").begin_array(kInline);
    plain("null");
    value(part.key, static_cast<const M*>(nullptr));
    json_.end().end();
  }
  template <class S, class M>
  void part(const FlaggedPart<S, M>& part) {
    json_.key(part.key);
    value(part.key, static_cast<const M*>(nullptr));
  }
  template <class S>
  void part(const NamePart<S>& part) {
    json_.key(part.key);
    plain("string");
  }
  void part(const KindPart&) {}  // a constant, which the caller writes

  template <class P>
  static void add_required(std::vector<std::string_view>& keys, const P& part) {
    if constexpr (requires { part.presence; }) {
      if (part.presence == Presence::Required) keys.push_back(part.key);
    } else if constexpr (!requires { part.flag; }) {
      keys.push_back(part.key);
    }
  }
  template <class L>
  static std::vector<std::string_view> required() {
    std::vector<std::string_view> keys;
    std::apply([&](const auto&... parts) { (add_required(keys, parts), ...); }, L::parts());
    return keys;
  }
  template <class L>
  void parts() {
    std::apply([&](const auto&... all) { (part(all), ...); }, L::parts());
  }

  // ---- Definitions

  template <class L>
  void plain_map(std::string_view name) {
    json_.key(name);
    begin_closed(required<L>());
    parts<L>();
    json_.end().end();
  }

  void small_definitions() {
    json_.key("Reference").begin_object().member("description", "the node with this id again").member("type", "object");
    json_.key("required").inline_array(std::vector<std::string_view>{"ref"}).member("additionalProperties", false);
    json_.key("properties").begin_object().key("ref");
    integer_from(0);
    json_.end().end();

    json_.key("Float").begin_object().key("anyOf").begin_array();
    plain("number");
    tagged_float();
    json_.end().end();

    json_.key("Op");
    begin_closed({"is_global_var", "name"});
    json_.key("is_global_var").begin_object(kInline).member("type", "boolean");
    json_.member("description", "true: a function of this program; false: an operator").end().key("name");
    plain("string");
    json_.end().end();

    json_.key("FunctionEntry");
    begin_closed({"key", "value"});
    json_.key("key");
    ref("Op");
    json_.key("value");
    value("value", static_cast<const ir::Function* const*>(nullptr));
    json_.end().end();

    plain_map<SpanLayout>("span");
    plain_map<DetailLayout<ir::MemRefInfo>>("memref");
    plain_map<DetailLayout<ir::TensorView>>("tensor_view");
    plain_map<DetailLayout<ir::TileView>>("tile_view");
    attribute();
  }

  void tagged_float() {
    begin_closed({"type", "value"});
    constant("type", "Float");
    json_.key("value").begin_object(kInline).key("enum");
    json_.inline_array(std::vector<std::string_view>{"nan", "inf", "-inf"}).end().end().end();
  }

  template <class M>
  void tagged(std::string_view tag, bool may_be_null = false) {
    const std::string_view content = tag == "DataType" ? "code" : "value";
    begin_closed({"type", content});
    constant("type", tag);
    part(Part<SchemaWriter, M>{content == "code" ? "code" : "value", nullptr, Presence::Required, may_be_null});
    json_.end().end();
  }

  void attribute() {
    json_.key("Attribute");
    begin_closed({"key", "value"});
    json_.key("key");
    plain("string");
    json_.key("value").begin_object().key("anyOf").begin_array();
    json_.begin_object(kInline).key("type");
    json_.inline_array(std::vector<std::string_view>{"boolean", "number", "string"}).end();
    tagged_float();
    tagged<ir::DType>("DataType");
    tagged<ir::MemorySpace>("MemorySpace");
    tagged<ir::TensorLayout>("TensorLayout");
    tagged<ir::TileLayout>("TileLayout");
    tagged<ir::PadValue>("PadValue");
    tagged<ir::ArgDirection>("ArgDirection");
    tagged<ir::List<ir::ArgDirection>>("ArgDirectionVector");
    tagged<ir::List<int64_t>>("Int32Vector");
    tagged<const ir::Var*>("Var", true);
    tagged<const ir::Expr*>("Expr", true);
    var_list();
    json_.end().end().end().end();
  }

  // The one list whose entries may be null.
  void var_list() {
    begin_closed({"type", "value"});
    constant("type", "VarList");
    json_.key("value").begin_object(kInline).member("type", "array").key("items").begin_object(kInline).key("anyOf");
    json_.begin_array(kInline);
    plain("null");
    value("value", static_cast<const ir::Var* const*>(nullptr));
    json_.end().end().end().end().end();
  }

  template <ir::IrEnum E>
  void enumeration() {
    json_.key(ir::EnumTraits<E>::kTypeName).begin_object(kInline).key("enum").begin_array(kInline);
    if constexpr (!kNamedInFiles<E>)
      for (const ir::EnumRow& row : ir::EnumTraits<E>::kRows) json_.value(row.number);
    for (const ir::EnumRow& row : ir::EnumTraits<E>::kRows) json_.value(row.name);
    json_.end().end();
  }
  void enums() {
    enumeration<ir::DType>();
    enumeration<ir::FunctionType>();
    enumeration<ir::Level>();
    enumeration<ir::Role>();
    enumeration<ir::ParamDirection>();
    enumeration<ir::ArgDirection>();
    enumeration<ir::ForKind>();
    enumeration<ir::MemorySpace>();
    enumeration<ir::SplitMode>();
    enumeration<ir::Language>();
    enumeration<ir::TensorLayout>();
    enumeration<ir::TileLayout>();
    enumeration<ir::PadValue>();
    enumeration<ir::Compact>();
  }

  void any_of(std::string_view name, const std::vector<std::string_view>& names) {
    json_.key(name).begin_object().key("anyOf").begin_array();
    for (const std::string_view each : names) ref(each);
    json_.end().end();
  }

  template <ir::TypeKind K>
  void type() {
    using L = TypeLayout<K>;
    json_.key(ir::name_of(K));
    begin_closed(required<L>());
    constant("type_kind", ir::name_of(K));
    parts<L>();
    json_.end().end();
  }
  void types() {
    std::vector<std::string_view> names;
#define PYPTOC_KIND(K)     \
  type<ir::TypeKind::K>(); \
  names.push_back(#K);
    PYPTOC_TYPE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
    any_of("AnyType", names);
  }

  template <class S>
  void node(ir::NodeKind kind) {
    using L = NodeLayout<S>;
    json_.key(ir::name_of(kind));
    begin_closed({"type", "fields"});
    constant("type", ir::name_of(kind));
    json_.key("id");
    integer_from(0);
    json_.key("fields");
    begin_closed(required<L>());
    parts<L>();
    json_.end().end().end().end();
  }
  void nodes() {
    std::vector<std::string_view> vars;
    std::vector<std::string_view> exprs;
    std::vector<std::string_view> stmts;
#define PYPTOC_KIND(K, S)                                                          \
  node<ir::S>(ir::NodeKind::K);                                                    \
  if (ir::is_var(ir::NodeKind::K)) vars.push_back(ir::name_of(ir::NodeKind::K));   \
  if (ir::is_expr(ir::NodeKind::K)) exprs.push_back(ir::name_of(ir::NodeKind::K)); \
  if (ir::is_stmt(ir::NodeKind::K)) stmts.push_back(ir::name_of(ir::NodeKind::K));
    PYPTOC_NODE_KINDS(PYPTOC_KIND)
#undef PYPTOC_KIND
    any_of("AnyVar", vars);
    any_of("AnyExpr", exprs);
    any_of("AnyStmt", stmts);
  }

  JsonWriter json_;
};

}  // namespace

std::string ir_json_schema() {
  return SchemaWriter().write();
}

}  // namespace pyptoc::serial
