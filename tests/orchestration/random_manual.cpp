// SPDX-License-Identifier: Apache-2.0
// Random programs with manual scopes: every task waits for the one before it, whose id goes through branches, loops and
// arrays.
#include "orchestration/random_programs.h"
#include "orchestration/random_text.h"

namespace pyptoc::orchestration {

namespace {

class Generator : private RandomText {
 public:
  explicit Generator(uint32_t seed) : RandomText(seed) {}

  std::string text() {
    const size_t scopes = 1 + pick(2);
    for (size_t k = 0; k < scopes; ++k) {
      const int depth = around();
      outside(depth);
      manual(depth);
      outside(depth);
    }
    outside(1);
    return text_;
  }

 private:
  std::string number() { return any(scalars_) + " + " + std::to_string(pick(3)); }
  std::string few() { return chance(50) ? any(scalars_) : std::to_string(1 + pick(3)); }
  std::string condition() {
    return any(scalars_) + (chance(50) ? " % 2 == " + std::to_string(pick(2)) : " > " + std::to_string(pick(4)));
  }
  // What the manual scope stands in; returns the depth inside.
  int around() {
    scalars_ = {"n"};
    if (chance(40)) return 1;
    if (chance(50)) {
      line(1, chance(50) ? "with pl.scope():" : "if " + condition() + ":");
      return 2;
    }
    scalars_.push_back(fresh("i"));
    line(1, "for " + scalars_.back() + " in pl.range(" + std::to_string(1 + pick(3)) + "):");
    return 2;
  }

  // Tasks that the runtime orders, and that take over memory which is free.
  void outside(int depth) {
    const Names own = {"x", "y", "z"};
    for (size_t k = pick(3); k > 0; --k) {
      const std::string to = any(own);
      line(depth, to + " = " + (chance(50) ? "join(" : "use(") + other(own, to) + ", " + to + ")");
      if (!chance(40)) continue;
      const std::string t = fresh("t");
      line(depth, t + " = pl.tensor.create([64], dtype=pl.FP32)");
      line(depth, t + " = use(" + to + ", " + t + ")");
      line(depth, to + " = join(" + t + ", " + to + ")");
    }
  }

  // The first and the last task touch everything, so that the scope is behind what was before and before the rest.
  void manual(int depth) {
    last_ = fresh("last");
    const std::string touch = "x, y, z, big, out, flag, " + last_ + " = pl.submit(touch, x, y, z, big, out, flag";
    line(depth, touch + ")");
    line(depth, "with pl.manual_scope():");
    block(depth + 1, {"x", "y", "z"}, {}, 3);
    line(depth + 1, touch + ", deps=[" + last_ + "])");
  }

  void task(int depth, Names& tensors, const Names& ids) {
    const std::string to = any(tensors);
    const std::string from = other(tensors, to);
    const std::string deps = "deps=[" + last_ + (!ids.empty() && chance(30) ? ", " + any(ids) : "") + "])";
    const std::string made = fresh("t");
    switch (pick(8)) {
      case 0:
        return line(depth, to + ", " + last_ + " = pl.submit(use, " + from + ", " + to + ", " + deps);
      case 1:
        return line(depth, to + ", " + last_ + " = pl.submit(join, " + from + ", " + to + ", " + deps);
      case 2:
        return line(depth, to + ", " + last_ + " = pl.submit(scale, " + to + ", " + number() + ", " + deps);
      case 3:
        return line(depth, to + ", " + last_ + " = pl.spmd_submit(change, " + to + ", core_num=" + any(scalars_) +
                               " + n, " + deps);
      case 4:
        line(depth, made + ", " + last_ + " = pl.submit(use, " + from + ", " + deps);
        return tensors.push_back(made);
      case 5:
        line(depth, made + " = pl.tensor.create([64], dtype=pl.FP32)");
        line(depth, made + ", " + last_ + " = pl.submit(use, " + from + ", " + made + ", " + deps);
        return tensors.push_back(made);
      case 6:
        line(depth, made + " = pl.tensor.slice(big, [64], [(" + number() + ") % 4 * 64])");
        line(depth, made + ", " + last_ + " = pl.submit(join, " + from + ", " + made + ", " + deps);
        return tensors.push_back(made);
      default:
        return fork(depth, deps);
    }
  }

  void fork(int depth, const std::string& deps) {
    const std::string a = fresh("a");
    const std::string b = fresh("b");
    line(depth, "x, " + a + " = pl.submit(change, x, " + deps);
    line(depth, "y, " + b + " = pl.submit(make, y, " + deps);
    line(depth, chance(50) ? last_ + " = pl.system.task_dummy(deps=[" + a + ", " + b + "])"
                           : "z, " + last_ + " = pl.submit(sum, x, y, z, deps=[" + b + ", " + a + "])");
  }

  // Tasks of a parallel loop, each with a slot of an array or of the array that the carry becomes.
  void parallel(int depth) {
    const std::string ids = fresh("ids");
    const std::string i = fresh("i");
    const std::string t = fresh("t");
    const std::string part = fresh("part");
    const std::string n = std::to_string(1 + pick(4));
    const bool carry = chance(40);
    const std::string before = carry ? fresh("before") : last_;
    if (!carry) line(depth, ids + " = pl.array.create(" + n + ", pl.TASK_ID)");
    line(depth, "for " + i + (carry ? ", (" + before + ",)" : "") + " in pl.parallel(" + n +
                    (carry ? ", init_values=(" + last_ + ",)" : "") + "):");
    line(depth + 1, part + " = pl.tensor.slice(big, [64], [" + i + " * 64])");
    auto submit = [&](int at, const char* kernel) {
      line(at, part + ", " + t + " = pl.submit(" + kernel + ", " + part + ", deps=[" + before + "])");
      if (!carry) line(at, ids + "[" + i + "] = " + t);
    };
    if (chance(40)) {
      line(depth + 1, "if " + i + " > 1:");
      submit(depth + 2, "change");
      line(depth + 1, "else:");
      submit(depth + 2, "make");
    } else {
      submit(depth + 1, "change");
    }
    if (carry) line(depth + 1, ids + " = pl.yield_(" + t + ")");
    if (carry && chance(40)) return line(depth, last_ + " = " + ids);  // stands for all of them from here on
    line(depth, chance(50) ? last_ + " = pl.system.task_dummy(deps=[" + ids + ", " + last_ + "])"
                           : "x, " + last_ + " = pl.submit(change, x, deps=[" + ids + ", " + last_ + "])");
  }

  // An array from which a sequential loop takes ids and to which it gives them.
  void ring(int depth) {
    const std::string ids = fresh("ids");
    const std::string i = fresh("i");
    line(depth, ids + " = pl.array.create(3, pl.TASK_ID)");
    line(depth, last_ + " = pl.system.task_dummy(deps=[" + last_ + "])");
    line(depth, ids + "[1] = " + last_);
    line(depth, "for " + i + " in pl.range(" + few() + "):");
    line(depth + 1, "x, " + last_ + " = pl.submit(scale, x, " + i + ", deps=[" + ids + ", " + ids + "[(" + i +
                        " + 1) % 3], " + last_ + "])");
    line(depth + 1, ids + "[" + i + " % 3] = " + last_);
  }

  void block(int depth, Names tensors, Names ids, int levels) {
    for (size_t k = 1 + pick(4); k > 0; --k) {
      switch (pick(levels > 0 ? 13 : 6)) {
        default:
          task(depth, tensors, ids);
          break;
        case 5:
          ids.push_back(fresh("id"));
          line(depth, ids.back() + " = " + (chance(70) ? last_ : "pl.system.task_invalid()"));
          break;
        case 6:
        case 7: {
          const std::string i = fresh("i");
          line(depth, "for " + i + " in pl.range(" + few() + "):");
          scalars_.push_back(i);
          block(depth + 1, tensors, ids, levels - 1);
          scalars_.pop_back();
          break;
        }
        case 8:
        case 9:
          line(depth, !ids.empty() && chance(30) ? "if pl.system.task_is_valid(" + any(ids) + "):"
                                                 : "if " + condition() + ":");
          block(depth + 1, tensors, ids, levels - 1);
          if (chance(40)) break;
          line(depth, "else:");
          block(depth + 1, tensors, ids, levels - 1);
          break;
        case 10: {
          const std::string i = fresh("k");
          line(depth, i + " = 0");
          line(depth, "while " + i + " < " + few() + ":");
          block(depth + 1, tensors, ids, levels - 1);
          line(depth + 1, i + " = " + i + " + 1");
          break;
        }
        case 11:
          parallel(depth);
          break;
        case 12:
          ring(depth);
          break;
      }
    }
  }

  Names scalars_;
  std::string last_;  // id of the task before
};

}  // namespace

Case random_manual_program(uint32_t seed) {
  return {"random manual program " + std::to_string(seed), Generator(seed).text(), {{64, 4, {3}}, {64, 4, {0}}}};
}

}  // namespace pyptoc::orchestration
