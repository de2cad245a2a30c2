// SPDX-License-Identifier: Apache-2.0
// Comparison of two programs in lock step.
#include "ir/equal.h"

#include <fmt/format.h>

#include <bit>
#include <vector>

#include "ir/depth_guard.h"
#include "ir/describe.h"
#include "ir/node_map.h"
#include "ir/reflect.h"

namespace pyptoc::ir {

namespace {

// Classes of nodes that were found equal, or are being compared. Two nodes of one class need no second comparison:
// equality is an equivalence, and a graph without cycles never meets a pair inside its own comparison. Each successful
// merge takes away one class, so there are fewer comparisons than nodes.
class Classes {
 public:
  // `a` is a node of the first program, `b` one of the second. False when the two are in one class already.
  bool merge(const Node* a, const Node* b) {
    int x = root(class_of(of_a_, a));
    int y = root(class_of(of_b_, b));
    if (x == y) return false;
    parents_[static_cast<size_t>(x)] = y;
    return true;
  }

 private:
  int class_of(NodeMap<int>& map, const Node* node) {
    int& number = map[node];  // 0 is none yet
    if (number == 0) {
      parents_.push_back(0);
      number = static_cast<int>(parents_.size()) - 1;
      parents_.back() = number;
    }
    return number;
  }
  int root(int node) {
    auto parent = [this](int of) -> int& { return parents_[static_cast<size_t>(of)]; };
    while (parent(node) != node) node = parent(node) = parent(parent(node));
    return node;
  }

  NodeMap<int> of_a_;
  NodeMap<int> of_b_;
  std::vector<int> parents_ = {0};
};

// A step of the path; most are never printed, so no text is made for them.
struct Step {
  std::string_view key;
  int64_t index = -1;  // into a list
};

class Comparer {
 public:
  explicit Comparer(const EqualOptions& options) : options_(options) {}

  std::optional<Difference> run(const Program* a, const Program* b) {
    node(a, b);
    return std::move(difference_);
  }

 private:
  // All of these are true when nothing differs; after the first difference everything stops.
  bool node(const Node* a, const Node* b) {
    if (a == nullptr || b == nullptr) {
      if (a == b) return true;
      return differ(a != nullptr ? name_of(a->kind) : "nothing", b != nullptr ? name_of(b->kind) : "nothing");
    }
    if (a->kind != b->kind) return differ_at(a, b, name_of(a->kind), name_of(b->kind));
    if (is_var(a->kind)) return variable(as<Var>(a), as<Var>(b));
    if (is_const(a->kind)) return parts_at(a, b);  // no dearer than looking it up
    if (!classes_.merge(a, b)) return true;
    return parts_at(a, b);
  }

  bool parts_at(const Node* a, const Node* b) {
    DepthGuard guard(depth_);
    places_.push_back({a, b});
    bool same = parts(a, b);
    places_.pop_back();
    return same;
  }

  bool parts(const Node* a, const Node* b) {
    return dispatch(a, [&](const auto& left) {
      using S = std::remove_cvref_t<decltype(left)>;
      const auto& right = static_cast<const S&>(*b);
      if constexpr (std::is_base_of_v<Expr, S>)
        if (!below({"type"}, [&] { return type(left.type, right.type); })) return false;
      if constexpr (std::is_base_of_v<Stmt, S>)
        if (options_.leading_comments &&
            !below({"leading_comments"}, [&] { return value(left.leading_comments, right.leading_comments); }))
          return false;
      if constexpr (std::is_same_v<S, Function>)
        if (!parameter_names(left, right)) return false;
      return fields<S>(left, right);
    });
  }

  template <class S>
  bool fields(const S& a, const S& b) {
    bool same = true;
    for_each_field<S>([&](const auto& described) {
      if constexpr (std::is_base_of_v<Var, S>)
        if (std::string_view(described.key) == "name_hint" && !options_.local_names) return;
      same = same && below({described.key}, [&] { return value(a.*(described.member), b.*(described.member)); });
    });
    return same;
  }

  // The names of parameters are the interface of a function, those of other variables are hints.
  bool parameter_names(const Function& a, const Function& b) {
    for (size_t i = 0; i < std::min(a.params.size(), b.params.size()); ++i) {
      bool same = below({"params", static_cast<int64_t>(i)},
                        [&] { return value(a.params[i]->name_hint, b.params[i]->name_hint); });
      if (!same) return false;
    }
    return true;
  }

  bool variable(const Var* a, const Var* b) {
    const Node* const* mapped = to_b_.find(a);
    const Node* const* back = to_a_.find(b);
    if (mapped != nullptr && back != nullptr && *mapped == b && *back == a) return true;
    if (mapped != nullptr || back != nullptr) {
      std::string_view expected = mapped != nullptr ? as<Var>(*mapped)->name_hint : "another variable";
      return differ_at(a, b, fmt::format("`{}`, which stands for `{}`", a->name_hint, expected),
                       fmt::format("`{}`", b->name_hint));
    }
    to_b_[a] = b;
    to_a_[b] = a;
    return parts_at(a, b);
  }

  // Values of fields.
  bool value(std::string_view a, std::string_view b) {
    return a == b || differ(fmt::format("`{}`", a), fmt::format("`{}`", b));
  }
  bool value(const Op* a, const Op* b) {
    if (a->is_global_var != b->is_global_var)
      return differ(a->is_global_var ? "a function" : "an operator", b->is_global_var ? "a function" : "an operator");
    return value(a->name, b->name);
  }
  bool value(const Type* a, const Type* b) { return type(a, b); }
  bool value(const Attr& a, const Attr& b) {
    if (!value(a.key, b.key)) return false;
    return below({a.key}, [&] { return attr(a.value, b.value); });
  }
  template <class V>
  bool value(const V& a, const V& b) {
    if constexpr (std::is_convertible_v<V, const Node*>) {
      return node(a, b);
    } else if constexpr (std::is_same_v<V, double>) {
      return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b) ||
             differ(fmt::format("{}", a), fmt::format("{}", b));
    } else if constexpr (requires { typename V::element_type; }) {
      return list(a, b);
    } else if constexpr (requires { a.has_value(); }) {
      if (a.has_value() && b.has_value()) return value(*a, *b);
      return a.has_value() == b.has_value() ||
             differ(a.has_value() ? "given" : "nothing", b.has_value() ? "given" : "nothing");
    } else if constexpr (std::is_enum_v<V>) {
      return a == b || differ(name_of(a), name_of(b));
    } else {
      return a == b || differ(fmt::format("{}", a), fmt::format("{}", b));
    }
  }
  template <class T>
  bool list(const List<T>& a, const List<T>& b) {
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      if (!below({{}, static_cast<int64_t>(i)}, [&] { return value(a[i], b[i]); })) return false;
    return a.size() == b.size() || differ(fmt::format("{} entries", a.size()), fmt::format("{} entries", b.size()));
  }

  bool attr(const AttrValue& a, const AttrValue& b) {
    if (a.kind() != b.kind()) return differ(name_of(a.kind()), name_of(b.kind()));
    switch (a.kind()) {
      case AttrKind::String:
        return value(a.as_string(), b.as_string());
      case AttrKind::Float:
        return value(a.as_float(), b.as_float());
      case AttrKind::ArgDirectionVector:
      case AttrKind::Int32Vector:
        return list(a.as_ints(), b.as_ints());
      case AttrKind::Var:
        return node(a.as_var(), b.as_var());
      case AttrKind::VarList:
        return list(a.as_vars(), b.as_vars());
      case AttrKind::Expr:
        return node(a.as_expr(), b.as_expr());
      default:
        return value(a.enum_number(), b.enum_number());
    }
  }

  bool type(const Type* a, const Type* b) {
    if (a->kind != b->kind) return differ(describe(a), describe(b));
    DepthGuard guard(depth_);
    if (const ScalarType* scalar = as_scalar(a)) return key("dtype", scalar->dtype, as_scalar(b)->dtype);
    if (const TensorType* tensor = as_tensor(a)) return tensor_type(tensor, as_tensor(b));
    if (const TileType* tile = as_tile(a)) return tile_type(tile, as_tile(b));
    if (const ArrayType* array = as_array(a))
      return key("dtype", array->dtype, as_array(b)->dtype) && key("shape", array->shape, as_array(b)->shape);
    if (const TupleType* tuple = as_tuple(a)) return key("types", tuple->types, as_tuple(b)->types);
    return true;
  }
  bool shaped_type(const ShapedType* a, const ShapedType* b) {
    if (!key("dtype", a->dtype, b->dtype) || !key("shape", a->shape, b->shape)) return false;
    return below({"memref"}, [&] {
      if (!presence(a->memref, b->memref)) return false;
      if (a->memref == nullptr) return true;
      const MemRefInfo& x = *a->memref;
      const MemRefInfo& y = *b->memref;
      return key("base_node", x.base_node, y.base_node) && key("byte_offset", x.byte_offset, y.byte_offset) &&
             key("size", x.size, y.size) && key("is_pinned", x.is_pinned, y.is_pinned) &&
             key("slot_count", x.slot_count, y.slot_count) && key("slot_index", x.slot_index, y.slot_index);
    });
  }
  bool tensor_type(const TensorType* a, const TensorType* b) {
    if (!shaped_type(a, b)) return false;
    bool views = below({"tensor_view"}, [&] {
      if (!presence(a->view, b->view)) return false;
      if (a->view == nullptr) return true;
      return key("stride", a->view->stride, b->view->stride) && key("layout", a->view->layout, b->view->layout) &&
             key("valid_shape", a->view->valid_shape, b->view->valid_shape) && key("pad", a->view->pad, b->view->pad);
    });
    return views && key("window_buffer", a->window_buffer, b->window_buffer);
  }
  bool tile_type(const TileType* a, const TileType* b) {
    if (!shaped_type(a, b)) return false;
    bool views = below({"tile_view"}, [&] {
      if (!presence(a->view, b->view)) return false;
      if (a->view == nullptr) return true;
      const TileView& x = *a->view;
      const TileView& y = *b->view;
      return key("valid_shape", x.valid_shape, y.valid_shape) && key("stride", x.stride, y.stride) &&
             key("start_offset", x.start_offset, y.start_offset) && key("blayout", x.blayout, y.blayout) &&
             key("slayout", x.slayout, y.slayout) && key("fractal", x.fractal, y.fractal) && key("pad", x.pad, y.pad) &&
             key("compact", x.compact, y.compact);
    });
    if (!views) return false;
    auto memory = [](const TileType* t) {
      return t->has_memory_space ? std::optional<MemorySpace>(t->memory_space) : std::nullopt;
    };
    return key("memory_space", memory(a), memory(b));
  }
  bool presence(const void* a, const void* b) {
    return (a == nullptr) == (b == nullptr) ||
           differ(a != nullptr ? "given" : "nothing", b != nullptr ? "given" : "nothing");
  }
  template <class V>
  bool key(std::string_view name, const V& a, const V& b) {
    return below({name}, [&] { return value(a, b); });
  }

  template <class F>
  bool below(Step step, F compare) {
    path_.push_back(step);
    bool same = compare();
    path_.pop_back();
    return same;
  }

  bool differ(std::string_view a, std::string_view b) {
    Difference out;
    out.path = path();
    out.text = fmt::format("{}, in the other {}", a, b);
    if (!places_.empty()) {
      out.place_a = place_of(places_.back().first);
      out.place_b = place_of(places_.back().second);
    }
    difference_ = std::move(out);
    return false;
  }
  bool differ_at(const Node* node_a, const Node* node_b, std::string_view a, std::string_view b) {
    places_.push_back({node_a, node_b});
    differ(a, b);
    places_.pop_back();
    return false;
  }

  std::string path() const {
    std::string out = "$";
    for (size_t i = 0; i < path_.size(); ++i) {
      const Step& step = path_[i];
      if (!step.key.empty()) out += fmt::format(".{}", step.key);
      if (step.index >= 0) out += fmt::format("[{}]", step.index);
      if (i == 1 && path_[0].key == "functions") out += ".value";  // as in files
    }
    return out;
  }

  EqualOptions options_;
  int depth_ = 0;
  Classes classes_;
  NodeMap<const Node*> to_b_;
  NodeMap<const Node*> to_a_;
  std::vector<Step> path_;
  std::vector<std::pair<const Node*, const Node*>> places_;
  std::optional<Difference> difference_;
};

}  // namespace

std::optional<Difference> first_difference(const Program* a, const Program* b, const EqualOptions& options) {
  return Comparer(options).run(a, b);
}

}  // namespace pyptoc::ir
