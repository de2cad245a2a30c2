// SPDX-License-Identifier: Apache-2.0
// IR nodes out of the tree of values, each made once, refs followed wherever they point.
#pragma once

#include <limits>
#include <unordered_map>
#include <vector>

#include "diag/codes_serial.h"
#include "serial/parse.h"
#include "serial/reader.h"

namespace pyptoc::serial {

// Which place of a file a value fills; for messages, and for the few places with rules of their own.
struct Where {
  std::string_view key;    // empty: the value is all of the input
  std::string_view owner;  // `ForStmt`, `tile_view`
  bool element = false;    // the value is an entry of the list that the place takes

  Where entry() const { return {key, owner, true}; }
  std::string words() const;
};

// What a place for nodes takes.
enum class Category : uint8_t { Expr, Var, IterArg, WindowBuffer, Stmt, Function, Program };

std::string_view article(std::string_view noun);  // `a` or `an`; the noun must not be empty

// Every reading function returns whether it succeeded; when it did not, it has reported why. A node reads all its
// fields before it gives up, so that everything wrong in it is reported.
class GraphBuilder {
 public:
  GraphBuilder(ir::Context& context, ValueTree& tree, diag::Engine& diagnostics, const ReadOptions& options)
      : context_(context),
        tree_(tree),
        diagnostics_(diagnostics),
        options_(options),
        errors_before_(diagnostics.error_count()) {}

  // Sorts the ids, reporting those that occur twice.
  void index_ids(std::vector<IdEntry> ids);
  // The program that the first value is, or null.
  const ir::Program* build();

 private:
  static constexpr uint32_t kAbsent = 0;  // no entry of a map is the root
  static constexpr uint32_t kMisspelt = std::numeric_limits<uint32_t>::max();

  // ---- Reports (describe.cpp)
  diag::Place place(uint32_t value) const;
  bool gave_up() const { return diagnostics_.error_count() - errors_before_ >= options_.max_errors; }
  // `expected {what} as `stop` of `ForStmt`, found the string `x``; false.
  bool wrong_kind(uint32_t value, std::string_view what, const Where& where);
  bool out_of_range(uint32_t value, int64_t from, int64_t to);
  void missing(std::string_view key, std::string_view owner, uint32_t map);
  std::string describe(uint32_t value) const;
  std::string describe_map(uint32_t map) const;

  // ---- Maps (read_map.cpp)
  // Sorts the entries of a map into slots, kAbsent where there is none. False when there are unknown keys.
  bool sort_entries(uint32_t map, const MapKeys& keys, uint32_t* slots) const;
  // Reports the unknown keys; the slot of a key that was probably meant gets kMisspelt.
  void report_unknown(uint32_t map, const MapKeys& keys, std::string_view owner, uint32_t* slots);
  // Both.
  bool gather(uint32_t map, const MapKeys& keys, std::string_view owner, uint32_t* slots);
  // The same for a map whose entries must all be there; one that is not, or is misspelt, is kAbsent and reported.
  bool gather_all(uint32_t map, const MapKeys& keys, std::string_view owner, uint32_t* slots);
  bool expect_map(uint32_t value, std::string_view what, const Where& where);

  // ---- Simple values (read_values.cpp)
  bool read_integer(uint32_t value, int64_t from, int64_t to, int64_t& out, const Where& where);
  bool read(uint32_t value, const Where& where, int64_t& out);
  bool read(uint32_t value, const Where& where, int32_t& out);
  bool read(uint32_t value, const Where& where, bool& out);
  bool read(uint32_t value, const Where& where, double& out);
  bool read(uint32_t value, const Where& where, std::string_view& out);
  bool read(uint32_t value, const Where& where, const ir::Op*& out);
  bool read_span(uint32_t value, uint32_t node, const ir::Span*& out);
  // The number of a member; `by_name`: files do not have the numbers.
  bool read_member(uint32_t value, std::span<const ir::EnumRow> rows, std::string_view what, bool by_name,
                   const Where& where, int64_t& out);
  bool unknown_member(uint32_t value, std::span<const ir::EnumRow> rows, std::string_view what, bool by_name);
  // `{"type": "Float", "value": "nan"}`
  bool read_special_float(uint32_t map, const Where& where, double& out);

  // ---- Types and attributes (read_types.cpp, read_attrs.cpp)
  bool read(uint32_t value, const Where& where, const ir::Type*& out);
  bool read(uint32_t value, const Where& where, const ir::MemRefInfo*& out);
  bool read(uint32_t value, const Where& where, const ir::TensorView*& out);
  bool read(uint32_t value, const Where& where, const ir::TileView*& out);
  bool read(uint32_t value, const Where& where, ir::List<ir::Attr>& out);
  bool read_attr(uint32_t value, const Where& where, ir::Attr& out);
  bool read_attr_value(uint32_t value, const Where& where, ir::AttrValue& out);
  // Files write the float 1.0 as 1: what the operator's table calls a float is one afterwards.
  ir::List<ir::Attr> with_due_floats(const ir::Op* op, ir::List<ir::Attr> kwargs);
  bool read_tagged(uint32_t value, uint32_t tag, const Where& where, ir::AttrValue& out);
  bool read_tagged_content(ir::AttrKind kind, uint32_t content, const Where& where, ir::AttrValue& out);
  bool read_numbers(ir::AttrKind kind, uint32_t content, const Where& where, ir::AttrValue& out);
  bool read_var_list(uint32_t content, const Where& where, ir::AttrValue& out);

  // ---- Nodes (read_nodes.cpp)
  // The node of a full map or a ref, or null.
  const ir::Node* node(uint32_t value, Category category, const Where& where);
  const ir::Node* full_node(uint32_t map);
  const ir::Node* make_node(uint32_t map);
  const ir::Node* referred(uint32_t map, uint32_t ref);
  template <class S>
  const ir::Node* make_struct(uint32_t map, uint32_t fields, ir::NodeKind kind);
  bool read_id(uint32_t value, std::string_view owner, int64_t& out);
  const ir::Expr* extent(uint32_t value);
  // `all`: every field was read well so far; the answer is whether it still holds.
  bool complete_function(ir::Function& function, uint32_t map, const uint32_t* slots, bool all);
  bool read(uint32_t value, const Where& where, ir::List<const ir::Function*>& out);
  const ir::Function* function_entry(uint32_t value, const Where& where);

  // ---- Generic (read_parts.h)
  template <class T>
  requires std::is_base_of_v<ir::Node, T>
  bool read(uint32_t value, const Where& where, const T*& out);
  template <ir::IrEnum E>
  bool read(uint32_t value, const Where& where, E& out);
  template <class T>
  bool read(uint32_t value, const Where& where, std::optional<T>& out);
  template <class T>
  bool read(uint32_t value, const Where& where, ir::List<T>& out);

  template <class S, class P>
  bool read_part(S& draft, const P& part, uint32_t slot, std::string_view owner, uint32_t map);
  // All parts but the first `skip`, in visit order.
  template <class L, std::size_t kSkip = 0>
  bool read_parts(typename L::Struct& draft, const uint32_t* slots, std::string_view owner, uint32_t map);

  ir::Context& context_;
  ValueTree& tree_;
  diag::Engine& diagnostics_;
  const ReadOptions& options_;
  std::size_t errors_before_;

  std::vector<uint32_t> by_id_;  // the map that has the id, plus 1; for the small ids that files have
  std::unordered_map<int64_t, uint32_t> by_far_id_;

  const ir::Span* origin_ = nullptr;  // of the node in work
  uint32_t depth_ = 0;                // nodes in work
  uint32_t height_ = 0;               // the greatest of the nodes that the node in work contains so far
};

}  // namespace pyptoc::serial
