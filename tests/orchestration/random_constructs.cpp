// SPDX-License-Identifier: Apache-2.0
// Random programs of what the other generators leave out: views of views in several shapes, ids in variables, arrays
// and dependencies, elements in conditions, offsets and widths, wrappers of wrappers, inlined functions with several
// results, dynamic extents, break and continue.
#include <set>

#include "orchestration/groups.h"
#include "orchestration/random_construct_parts.h"
#include "orchestration/random_programs.h"
#include "orchestration/random_text.h"

namespace pyptoc::orchestration {

namespace {

class Generator : private RandomText {
 public:
  explicit Generator(uint32_t seed) : RandomText(seed), predicates_(seed % 2 == 0) {}

  std::string text() {
    tensors_ = {{"x", {64}, "x"}, {"y", {64}, "y"}, {"z", {64}, "z"}, {"big", {256}, "big"}, {"wide", {4, 64}, "wide"}};
    line(1, "p = x");
    line(1, "s = (n + 1) % 4");
    line(1, "last = pl.system.task_invalid()");
    line(1, "before = pl.system.task_invalid()");
    line(1, "ids = pl.array.create(3, pl.TASK_ID)");
    line(1, "rows = pl.dim(dyn, 0)");
    tensors_.push_back({"p", {64}, ""});
    block(1, 3);
    line(1, "z = join(p, z)");
    line(1, "x = scale(x, s)");
    std::string out = std::string(kClusterKernels) + kBoth + kPair + kConstructHelpers;
    for (const std::string& kernel : kernels_) out += kernel + "\n";
    return out +
           "orchestration main(x: InOut F64, y: InOut F64, z: InOut F64, big: InOut F256, wide: InOut F4x64, dyn: "
           "InOut FNx64, flag: InOut I4, n: INT)\n" +
           text_;
  }

 private:
  // --- Numbers, none of them negative

  std::string number() {
    switch (pick(6)) {
      case 0:
        return std::to_string(pick(4));
      case 1:
        return "(" + any(scalars_) + " + " + std::to_string(pick(3)) + ")";
      case 2:
        if (!elements_.empty()) return "pl.cast(" + any(elements_) + ", pl.INDEX)";
        return any(scalars_);
      case 3:
        return "(" + any(scalars_) + " * " + any(scalars_) + " // 2)";
      default:
        return any(scalars_);
    }
  }
  std::string below(int n) { return number() + " % " + std::to_string(n); }
  std::string condition(int depth) {
    switch (pick(5)) {
      case 0:
        return number() + " % 2 == " + std::to_string(pick(2));
      case 1: {
        const std::string v = fresh("v");
        line(depth, v + " = pl.tensor.read(flag, [" + below(4) + "])");
        return v + " > " + std::to_string(pick(4));
      }
      case 2:
        if (scopes_ == 0) return "pl.system.task_is_valid(" + id() + ")";
        return number() + " < " + number();
      case 3:
        return number() + " > 1 " + (chance(50) ? "and " : "or ") + number() + " < 3";
      default:
        return number() + " > " + std::to_string(pick(4));
    }
  }

  // --- Ids

  std::string id() { return chance(50) ? "last" : "before"; }
  std::string new_id() { return scopes_ > 0 || chance(30) ? fresh("id") : id(); }
  std::string some_deps() {
    switch (pick(6)) {
      case 0:
        return ", deps=[last]";
      case 1:
        return ", deps=[before, last]";
      case 2:
        return ", deps=[ids]";
      case 3:
        return ", deps=[ids[" + below(3) + "], " + id() + "]";
      case 4:
        return ", deps=[ids[" + std::to_string(pick(3)) + "]]";
      default:
        return "";
    }
  }
  void id_statement(int depth) {
    if (scopes_ > 0) return;
    switch (pick(6)) {
      case 0:
        return line(depth, "before = last");
      case 1:
        return line(depth, "ids[" + below(3) + "] = " + id());
      case 2:
        return line(depth, "ids[" + std::to_string(pick(3)) + "] = last");
      case 3:
        return line(depth, id() + " = ids[" + below(3) + "]");
      case 4:
        return line(depth, id() + " = pl.system.task_dummy(deps=[last, before" + (chance(40) ? ", ids" : "") + "])");
      default:
        if (chance(30)) return line(depth, id() + " = pl.system.task_invalid()");
        line(depth, "if " + condition(depth) + ":");
        line(depth + 1, chance(50) ? "last = before" : "before = last");
    }
  }

  // --- Tensors

  const NamedTensor& tensor() { return tensors_[pick(tensors_.size())]; }
  // A line of 64 numbers whose buffer none of the others has, where `apart`.
  NamedTensor a_line(bool apart, const std::vector<NamedTensor>& others) {
    for (int i = 0; i < 60; ++i) {
      const NamedTensor& one = tensor();
      bool fits = one.is_line();
      for (const NamedTensor& other : others) {
        fits &= one.name != other.name;
        if (apart) fits &= !one.root.empty() && one.root != other.root;
      }
      if (apart) fits &= !one.root.empty();
      if (fits) return one;
    }
    for (const char* name : {"x", "y", "z"}) {
      bool fits = true;
      for (const NamedTensor& other : others)
        fits &= name != other.name && name != other.root && !(apart && other.root.empty());
      if (fits) return {name, {64}, name};
    }
    return {"x", {64}, "x"};
  }
  // A kernel for tensors of these shapes.
  std::string kernel(const char* base, const char* to_direction, const NamedTensor& from, const NamedTensor& to,
                     bool reads) {
    if (from.is_line() && to.is_line()) return base;
    const std::string name = std::string(base) + "_" + from.text("x") + "_" + to.text("x");
    kernels_.insert("kernel " + name + "(" + (reads ? "a: F" + from.text("x") + ", " : std::string()) + "b: " +
                    to_direction + " F" + to.text("x") + (std::string(base) == "scale" ? ", k: INT" : "") + ") -> b");
    return name;
  }
  std::string bind(const NamedTensor& to) { return chance(70) && !to.turned ? to.name + " = " : ""; }
  static std::string target(const NamedTensor& to) { return to.turned ? "_" : to.name; }

  void task(int depth) {
    const NamedTensor to = tensor();
    NamedTensor from = tensor();
    for (int i = 0; i < 9 && from.name == to.name; ++i) from = tensor();
    if (from.name == to.name) return;
    const std::string submit = from.name + ", " + to.name + some_deps();
    const std::string early = chance(10) ? ", allow_early_resolve=True" : "";
    switch (pick(8)) {
      case 0:
      case 1:
        return line(depth, bind(to) + kernel("use", "Out", from, to, true) + "(" + from.name + ", " + to.name + ")");
      case 2:
      case 3:
        return line(depth, bind(to) + kernel("join", "InOut", from, to, true) + "(" + from.name + ", " + to.name + ")");
      case 4:
        return line(depth, bind(to) + kernel("scale", "InOut", to, to, false) + "(" + to.name + ", " + number() + ")");
      case 5:
        return line(depth, target(to) + ", " + new_id() + " = pl.submit(" + kernel("use", "Out", from, to, true) +
                               ", " + submit + early + ")");
      case 6:
        return line(depth, target(to) + ", " + new_id() + " = pl.submit(" + kernel("join", "InOut", from, to, true) +
                               ", " + submit + early + ")");
      default: {
        if (!predicates_) return;
        const std::string read = "pl.tensor.read(flag, [" + std::to_string(pick(4)) + "])";
        const std::string test = chance(50) ? read + " > 2" : "2 < " + read;
        return line(depth, target(to) + ", " + new_id() + " = pl.submit(" + kernel("change", "InOut", to, to, false) +
                               ", " + to.name + some_deps() + ", predicate=(" + test + "))");
      }
    }
  }

  // Launches whose width may be 0, groups and wrappers.
  void wide(int depth) {
    const NamedTensor to = a_line(true, {});
    const NamedTensor from = a_line(true, {to});
    const NamedTensor mid = a_line(true, {to, from});
    const std::string width = chance(60) ? "attrs={\"core_num\": " + std::to_string(1 + pick(4)) + "})"
                                         : "attrs={\"core_num\": " + below(3) + " + 1})";
    switch (pick(8)) {
      case 0:
        return line(depth, bind(to) + "both(" + from.name + ", " + mid.name + ", " + to.name + ", " + width);
      case 1:
        return line(depth, bind(to) + "pair(" + from.name + ", " + to.name + ", " + width);
      case 2:
        return line(depth, bind(to) + "spread(" + to.name + ", " + from.name + ", " + mid.name + ", " + width);
      case 3:
        return line(depth, bind(to) + "turned(" + to.name + ", " + from.name + ", " + width);
      case 4:
        line(depth, std::string("with pl.spmd(") + (chance(50) ? "n" : "(n + s)") + " % 3):");
        return line(depth + 1, bind(to) + "join(" + from.name + ", " + to.name + ")");
      case 5:
        return line(depth, to.name + ", " + new_id() + " = pl.spmd_submit(use, " + from.name + ", " + to.name +
                               ", core_num=(n + s) % 4" + some_deps() + ")");
      case 6:
        return line(depth, bind(to) + "product(" + from.name + ", " + to.name + ")");
      default:
        line(depth, "with pl.cluster():");
        line(depth + 1, "product_first(" + from.name + ", " + mid.name + ", " + to.name + ")");
        return line(depth + 1, to.name + " = add_last(" + from.name + ", " + mid.name + ", " + to.name + ")");
    }
  }

  void several_results(int depth) {
    const NamedTensor a = a_line(false, {});
    const NamedTensor b = a_line(true, {a});
    const NamedTensor c = a_line(true, {a, b});
    const std::string three = a.name + ", " + b.name + ", " + c.name;
    switch (pick(6)) {
      case 0:
        return line(depth, c.name + ", " + b.name + " = twist(" + three + ")");
      case 1:
        return line(depth, b.name + ", " + c.name + " = split(" + three + ")");
      case 2:
        return line(depth, c.name + ", " + b.name + " = crossed(" + three + ", " + number() + ")");
      case 3:
        return line(depth, c.name + ", " + b.name + " = twice(" + three + ", " + number() + ")");
      case 4:
        if (scopes_ > 0) return;
        return line(depth, b.name + ", s, " + id() + " = stepped(" + a.name + ", " + b.name + ", " + number() + ", " +
                               id() + ")");
      default: {
        const std::string m = fresh("m");
        const std::string o = fresh("m");
        line(depth, m + ", " + o + ", " + new_id() + " = pl.submit(" + (chance(50) ? "split, " : "twist, ") + a.name +
                        some_deps() + ")");
        tensors_.push_back({m, {64}, m});
        tensors_.push_back({o, {64}, o});
      }
    }
  }

  // --- Views

  void view(int depth) {
    NamedTensor of = tensor();
    NamedTensor made = of;
    made.name = fresh("w");
    switch (pick(5)) {
      case 0: {  // a shape of the same volume
        if (!of.dense || of.volume() % 16 != 0) return slice(depth, of);
        const std::vector<std::vector<int>> shapes = {{of.volume()},
                                                      {of.volume() / 8, 8},
                                                      {4, of.volume() / 4},
                                                      {2, 2, of.volume() / 4},
                                                      {of.volume() / 16, 4, 4}};
        made.shape = shapes[pick(shapes.size())];
        line(depth, made.name + " = pl.tensor.reshape(" + of.name + ", [" + made.text(", ") + "])");
        break;
      }
      case 1: {
        if (of.shape.size() < 2 || of.turned) return slice(depth, of);
        const size_t a = pick(of.shape.size() - 1);
        std::swap(made.shape[a], made.shape[a + 1]);
        made.dense = false;
        made.turned = true;
        line(depth, made.name + " = pl.tensor.transpose(" + of.name + ", " + std::to_string(a) + ", " +
                        (chance(50) && a + 2 == of.shape.size() ? "-1" : std::to_string(a + 1)) + ")");
        break;
      }
      case 2:
        if (chance(50)) {
          line(depth, made.name + " = pl.tensor.slice(dyn, [1, 64], [" + number() + " % rows, 0], [1, 64], [0])");
          made = {made.name, {64}, "dyn"};
          break;
        }
        [[fallthrough]];
      default:
        return slice(depth, of);
    }
    tensors_.push_back(made);
  }
  // A part along one axis, at a number or a constant; one of extent 1 may go.
  void slice(int depth, const NamedTensor& of) {
    const size_t axis = pick(of.shape.size());
    const int extent = of.shape[axis];
    NamedTensor made = of;
    made.name = fresh("w");
    const int parts = extent % 4 == 0 && chance(50) ? 4 : extent % 2 == 0 ? 2 : 1;
    made.shape[axis] = extent / parts;
    std::string offsets;
    for (size_t i = 0; i < of.shape.size(); ++i) {
      std::string at = i != axis ? "0" : parts == 1 ? "0" : "";
      if (at.empty())
        at = chance(50) ? std::to_string(static_cast<int>(pick(static_cast<size_t>(parts))) * extent / parts)
                        : below(parts) + " * " + std::to_string(extent / parts);
      offsets += (i > 0 ? ", " : "") + at;
    }
    const std::string shape = made.text(", ");
    std::string more;
    if (made.shape[axis] == 1 && made.shape.size() > 1 && chance(60)) {
      more = ", [" + shape + "], [" + std::to_string(axis) + "]";
      made.shape.erase(made.shape.begin() + static_cast<std::ptrdiff_t>(axis));
    }
    made.dense = of.dense && axis == 0;
    line(depth, made.name + " = pl.tensor.slice(" + of.name + ", [" + shape + "], [" + offsets + "]" + more + ")");
    tensors_.push_back(made);
  }
  void temporary(int depth) {
    const std::vector<std::vector<int>> shapes = {{64}, {64}, {4, 16}, {8, 8}, {2, 2, 16}};
    NamedTensor made{fresh("t"), shapes[pick(shapes.size())], ""};
    made.root = made.name;
    const bool value = chance(30);
    line(depth, made.name + " = pl.tensor.create([" + made.text(", ") + "], dtype=pl.FP32" +
                    (value ? ", init_value=" + std::to_string(pick(4)) + ".0)" : ")"));
    if (!value) {
      const NamedTensor from = a_line(false, {});
      line(depth,
           made.name + " = " + kernel("use", "Out", from, made, true) + "(" + from.name + ", " + made.name + ")");
    }
    tensors_.push_back(made);
  }
  void element(int depth) {
    const NamedTensor of = tensor();
    std::string at;
    for (int extent : of.shape)
      at += (at.empty() ? "" : ", ") + (chance(50) ? std::to_string(pick(static_cast<size_t>(extent))) : below(extent));
    if (chance(40)) {
      const bool known = !elements_.empty() && chance(60);
      return line(depth, bind(of) + "pl.tensor.write(" + of.name + ", [" + at + "], " +
                             (known ? any(elements_) : std::to_string(pick(50)) + ".0") + ")");
    }
    elements_.push_back(fresh("e"));
    line(depth, elements_.back() + " = pl.tensor.read(" + of.name + ", [" + at + "])");
  }
  void flags(int depth) {
    const NamedTensor from = a_line(false, {});
    switch (pick(4)) {
      case 0:
        return line(depth, "flag = set_flag(flag)");
      case 1:
        return line(depth, "flag = count_flag(" + from.name + ", flag)");
      case 2:
        if (predicates_) return;
        return line(depth, "flag = pl.tensor.write(flag, [" + below(4) + "], pl.const(" + std::to_string(pick(5)) +
                               ", pl.INT32))");
      default:
        return line(depth, from.name + " = use_flag(flag, " + from.name + ")");
    }
  }

  // --- Structure

  void loop(int depth, int levels) {
    const std::string i = fresh("i");
    switch (pick(5)) {
      case 0:
        line(depth, i + " = 0");
        line(depth, "while " + i + " < " + (chance(50) ? "n" : std::to_string(1 + pick(3))) + ":");
        body(depth + 1, levels, i);
        return line(depth + 1, i + " = " + i + " + 1");
      case 1:
        line(depth, "for " + i + " in pl.unroll(" + std::to_string(1 + pick(2)) + "):");
        return body(depth + 1, levels, i);
      case 2:
        line(depth, "for " + i + " in pl.range(" + below(3) + ", " + std::to_string(2 + pick(4)) + ", 2):");
        break;
      default:
        line(depth, "for " + i + " in pl.range(" + (chance(40) ? std::to_string(1 + pick(3)) : below(4)) + "):");
    }
    body(depth + 1, levels, i);
    if (chance(20)) {
      line(depth + 1, "if " + number() + " > " + std::to_string(1 + pick(4)) + ":");
      line(depth + 2, chance(60) ? "break" : "continue");
      if (chance(50)) task(depth + 1);
    }
  }
  void body(int depth, int levels, const std::string& variable) {
    scalars_.push_back(variable);
    block(depth, levels - 1);
    scalars_.pop_back();
  }
  void branch(int depth, int levels) {
    line(depth, "if " + condition(depth) + ":");
    block(depth + 1, levels - 1);
    if (chance(40)) return;
    line(depth, "else:");
    block(depth + 1, levels - 1);
  }
  // Two tensors and an id that a while loop carries in other places each time.
  void carrying(int depth) {
    if (scopes_ > 0) return;
    const NamedTensor a = a_line(true, {});
    const NamedTensor b = a_line(true, {a});
    const std::string k = fresh("k");
    const std::string c = fresh("c");
    const std::string d = fresh("c");
    const std::string t = fresh("id");
    const std::string u = fresh("id");
    line(depth, "for (" + k + ", " + c + ", " + d + ", " + t + ") in pl.while_(init_values=(0, " + a.name + ", " +
                    b.name + ", last)):");
    line(depth + 1, "pl.cond(" + k + " < " + below(4) + ")");
    line(depth + 1,
         c + "_, " + u + " = pl.submit(" + (chance(50) ? "use, " : "join, ") + d + ", " + c + ", deps=[" + t + "])");
    if (chance(50)) line(depth + 1, d + " = scale(" + d + ", " + k + ")");
    const bool swap = chance(60);
    const std::string r = fresh("r");
    line(depth + 1, k + "_, " + r + "a, " + r + "b, " + r + "c = pl.yield_(" + k + " + 1, " + (swap ? d : c + "_") +
                        ", " + (swap ? c + "_" : d) + ", " + u + ")");
    line(depth, "p = " + r + "a");
    line(depth, "last = " + r + "c");
    line(depth, "y = join(" + r + "b, y)");
  }

  void statement(int depth, int levels) {
    const size_t kind = pick(levels > 0 ? 100 : 76);
    if (kind < 25) return task(depth);
    if (kind < 35) return view(depth);
    if (kind < 43) return wide(depth);
    if (kind < 49) return several_results(depth);
    if (kind < 55) return id_statement(depth);
    if (kind < 60) return temporary(depth);
    if (kind < 65) return element(depth);
    if (kind < 68) return flags(depth);
    if (kind < 71) return line(depth, "s = (s * 3 + " + number() + ") % 7");
    if (kind < 74 && scopes_ == 0) return line(depth, "p = " + a_line(false, {}).name);
    if (kind < 76) return carrying(depth);
    if (kind < 86) return loop(depth, levels);
    if (kind < 95) return branch(depth, levels);
    line(depth, "with pl.scope():");
    ++scopes_;
    block(depth + 1, levels - 1);
    --scopes_;
  }
  void block(int depth, int levels) {
    const size_t tensors = tensors_.size();
    const size_t elements = elements_.size();
    const size_t length = text_.size();
    for (size_t k = 2 + pick(5); k > 0; --k) statement(depth, levels);
    if (text_.size() == length) line(depth, "y = scale(y, " + number() + ")");
    tensors_.resize(tensors);
    elements_.resize(elements);
  }

  std::vector<NamedTensor> tensors_;
  Names scalars_ = {"n", "s"};
  Names elements_;
  std::set<std::string> kernels_;
  bool predicates_;  // on elements of `flag`, or else the orchestration writes some itself (W0523)
  int scopes_ = 0;
};

}  // namespace

Case random_constructs(uint32_t seed) {
  return {"random constructs " + std::to_string(seed), Generator(seed).text(), {{64, 4, {3}}, {64, 2, {0}}}};
}

}  // namespace pyptoc::orchestration
