// SPDX-License-Identifier: Apache-2.0
#include "orchestration/random_programs.h"

#include "orchestration/random_text.h"

namespace pyptoc::orchestration {

namespace {

class Generator : private RandomText {
 public:
  explicit Generator(uint32_t seed) : RandomText(seed) {}

  std::string text() {
    line(1, "p = x");
    line(1, "q = y");
    block(1, {"x", "y", "z", "p", "q"}, {"n"}, 3);
    line(1, "z = join(p, z)");
    line(1, "y = join(q, y)");
    return text_;
  }

 private:
  // A whole number that is not negative.
  std::string number(const Names& scalars) {
    const std::string& a = any(scalars);
    switch (pick(4)) {
      case 0:
        return std::to_string(pick(4));
      case 1:
        return a + " + " + std::to_string(pick(3));
      default:
        return a;
    }
  }
  std::string condition(int depth, const Names& scalars) {
    if (chance(25)) {
      const std::string v = fresh("v");
      line(depth, v + " = pl.tensor.read(flag, [" + std::to_string(pick(4)) + "])");
      return v + " > " + std::to_string(pick(4));
    }
    return chance(50) ? any(scalars) + " % 2 == " + std::to_string(pick(2))
                      : any(scalars) + " > " + std::to_string(pick(4));
  }

  // Blocks of one launch may meet each other's elements where two names stand for one buffer, which has no defined
  // result: tensors that are `apart` have different ones whatever was assigned.
  void task(int depth, const Names& tensors, const Names& scalars, bool apart = false) {
    const std::string to = any(tensors);
    const std::string from = other(tensors, to);
    const std::string alone = chance(10) ? ", attrs={\"core_num\": 4}" : "";
    const std::string width = apart ? alone : "";
    switch (pick(9)) {
      case 0:
      case 1:
        return line(depth, to + " = use(" + from + ", " + to + width + ")");
      case 2:
        return line(depth, to + " = join(" + from + ", " + to + width + ")");
      case 3:
        return line(depth, to + " = change(" + to + alone + ")");
      case 4:
        return line(depth, to + " = make(" + to + ")");
      case 5:
        return line(depth, to + " = scale(" + to + ", " + number(scalars) + ")");
      case 6: {
        const std::string id = fresh("id");
        if (chance(60)) {
          line(depth, to + ", " + id + " = pl.submit(use, " + from + ", " + to + ")");
          return line(depth, from + ", " + fresh("id") + " = pl.submit(change, " + from + ", deps=[" + id + "])");
        }
        return line(depth, to + ", " + id + " = pl.submit(change, " + to + ", predicate=(pl.tensor.read(flag, [" +
                               std::to_string(pick(4)) + "]) > 2))");
      }
      case 7:
        return line(depth, chance(50) ? "flag = set_flag(flag)" : "flag = count_flag(" + from + ", flag)");
      default:
        return line(depth, chance(50) ? to + " = use_flag(flag, " + to + ")"
                                      : to + " = pl.tensor.write(" + to + ", [" + number(scalars) + "], 2.0)");
    }
  }

  void part(int depth, const Names& tensors, const Names& scalars) {
    const std::string one = fresh("part");
    const std::string source = chance(70) ? "big" : "out";
    if (chance(50)) {
      line(depth, one + " = pl.tensor.slice(" + source + ", [64], [(" + number(scalars) + ") % 4 * 64])");
      Names more = {one, any(tensors)};
      return task(depth, more, scalars, true);
    }
    const std::string two = fresh("part");
    line(depth, one + " = pl.tensor.slice(" + source + ", [32], [(" + number(scalars) + ") % 8 * 32])");
    if (chance(50)) return line(depth, one + " = change_half(" + one + ")");
    line(depth, two + " = pl.tensor.slice(" + (source == "big" ? "out" : "big") + ", [32], [(" + number(scalars) +
                    ") % 8 * 32])");
    line(depth, two + " = use_half(" + one + ", " + two + ")");
  }

  // Two tensors that change places, or keep them, in each iteration.
  void carrying_loop(int depth, const Names& tensors, const Names& scalars) {
    const std::string a = any(tensors);
    const std::string b = other(tensors, a);
    const std::string i = fresh("i");
    const std::string p = fresh("p");
    const std::string q = fresh("q");
    const std::string r = fresh("r");
    const std::string s = fresh("s");
    line(depth, "for " + i + ", (" + p + ", " + q + ") in pl.range(" + number(scalars) + ", init_values=(" + a + ", " +
                    b + ")):");
    Names inner = {p, q};
    if (chance(40)) inner.push_back(any(tensors));
    Names numbers = scalars;
    numbers.push_back(i);
    const size_t n = 1 + pick(3);
    for (size_t k = 0; k < n; ++k) task(depth + 1, inner, numbers);
    line(depth + 1, r + ", " + s + " = pl.yield_(" + (chance(50) ? p + ", " + q : q + ", " + p) + ")");
    const std::string& to = any(tensors);
    line(depth, to + " = join(" + r + ", " + (scopes_ > 0 ? to : any(tensors)) + ")");
    line(depth, s + " = change(" + s + ")");
  }

  void block(int depth, Names tensors, Names scalars, int levels) {
    const size_t n = 2 + pick(4);
    for (size_t k = 0; k < n; ++k) {
      const size_t what = pick(levels > 0 ? 16 : 10);
      if (what == 8 && scopes_ == 0) {
        // Two names that stand for one buffer after the other. Buffers of a scope that closes cannot go so far.
        line(depth, (chance(50) ? "p = " : "q = ") + any(tensors));
      } else if (what == 9) {
        const std::string m = fresh("m");
        const std::string from = any(tensors);
        if (chance(50)) {
          line(depth, m + ", " + fresh("id") + " = pl.submit(use, " + from + ")");
        } else {
          line(depth, m + ", " + fresh("m") + ", " + fresh("id") + " = pl.submit(split, " + from + ")");
        }
        tensors.push_back(m);
      } else if (what < 5 || what == 8) {
        task(depth, tensors, scalars);
      } else if (what == 5) {
        part(depth, tensors, scalars);
      } else if (what == 6) {
        const std::string t = fresh("t");
        line(depth, t + " = pl.tensor.create([64], dtype=pl.FP32)");
        line(depth, t + (chance(50) ? " = make(" + t + ")" : " = use(" + any(tensors) + ", " + t + ")"));
        tensors.push_back(t);
      } else if (what == 7) {
        const std::string p = fresh("p");
        const std::string test = condition(depth, scalars);
        line(depth, "if " + test + ":");
        line(depth + 1, p + " = " + any(tensors));
        line(depth, "else:");
        line(depth + 1, p + " = " + any(tensors));
        tensors.push_back(p);
      } else if (what < 12) {
        const std::string i = fresh("i");
        line(depth, "for " + i + " in pl.range(" + (chance(50) ? number(scalars) : std::to_string(1 + pick(4))) + "):");
        Names numbers = scalars;
        numbers.push_back(i);
        block(depth + 1, tensors, numbers, levels - 1);
      } else if (what < 14) {
        const std::string test = condition(depth, scalars);
        line(depth, "if " + test + ":");
        block(depth + 1, tensors, scalars, levels - 1);
        if (chance(50)) {
          line(depth, "else:");
          block(depth + 1, tensors, scalars, levels - 1);
        }
      } else if (what == 14) {
        line(depth, "with pl.scope():");
        ++scopes_;
        block(depth + 1, tensors, scalars, levels - 1);
        --scopes_;
      } else {
        carrying_loop(depth, tensors, scalars);
      }
    }
  }

  int scopes_ = 0;  // that are open
};

}  // namespace

Case random_program(uint32_t seed) {
  // Two tensors of every other program are outputs: what tasks may read of them before they wrote it is the caller's.
  const std::string outputs =
      "orchestration main(x: InOut F64, y: Out F64, z: Out F64, big: InOut F256, out: InOut F256, flag: InOut I4, n: "
      "INT)\n";
  return {"random program " + std::to_string(seed),
          (seed % 2 == 1 ? outputs : "") + Generator(seed).text(),
          {{64, 4, {3}}, {64, 4, {0}}}};
}

}  // namespace pyptoc::orchestration
