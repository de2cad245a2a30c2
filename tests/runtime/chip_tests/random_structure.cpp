// SPDX-License-Identifier: Apache-2.0
// Loops, branches, scopes and inlined functions.
#include <fmt/format.h>

#include <algorithm>

#include "random_generator.h"

namespace chip_tests::random {

void Generator::statements(Block& out, int count) {
  const size_t names_before = names_.size();
  const size_t scalars_before = scalars_.size();
  const size_t elements_before = elements_.size();
  const size_t ids_before = ids_.size();
  for (int i = 0; i < count; ++i) statement(out);
  if (out.text.empty()) {
    const Name to = names_[kX];
    line(out, as_call(task_text(names_[kY], to, true, number(), out.actions)));
  }
  names_.resize(names_before);
  scalars_.resize(scalars_before);
  elements_.resize(elements_before);
  ids_.resize(ids_before);
}

void Generator::statement(Block& out) {
  const int kind = below(100);
  if (kind < 26) return task(out);
  if (kind < 31 && has_elements()) return kind < 29 ? read_element(out) : write_element(out);
  if (kind < 34) return call_inlined(out);
  if (kind < 66) return collective(out);
  if (kind < 71) return temporary(out);
  if (kind < 78) return view(out);
  if (kind < 82) return alias(out);
  if (nesting_ >= 2) return task(out);
  ++nesting_;
  if (kind < 88) {
    loop(out);
  } else if (kind < 93) {
    branch(out);
  } else if (kind < 96 || !manual_) {
    scope(out);
  } else {
    manual(out);
  }
  --nesting_;
}

void Generator::loop(Block& out) {
  const int variable = static_cast<int>(program_.start.scalars.size());
  program_.start.scalars.push_back(0);
  const std::string name = fresh("i");
  const auto slot = static_cast<size_t>(variable);
  const bool constant = chance(60);
  const int trips = 2 + below(2);
  const Number bound =
      constant ? Number{std::to_string(trips), [trips](Machine&) { return int64_t{trips}; }} : scalars_[0];
  line(out, "for " + name + " in pl." + (constant && chance(30) ? "unroll(" : "range(") + bound.text + "):");
  Block body;
  ++depth_;
  const size_t before = scalars_.size();
  scalars_.push_back({name, [slot](Machine& m) { return m.scalars[slot]; }});
  statements(body, 1 + below(4));
  scalars_.resize(before);
  --depth_;
  out.text += body.text;
  out.actions.push_back([slot, bound, body](Machine& m) {
    const int64_t end = bound.value(m);
    for (int64_t i = 0; i < end; ++i) {
      m.scalars[slot] = i;
      for (const auto& action : body.actions) action(m);
    }
  });
}

void Generator::branch(Block& out) {
  const Number s = scalar();
  const int limit = below(3);
  const bool modulo = chance(50);
  line(out, modulo ? fmt::format("if ({}) % 2 == {}:", s.text, limit % 2) : fmt::format("if {} > {}:", s.text, limit));
  Block yes;
  Block no;
  ++depth_;
  statements(yes, 1 + below(3));
  const bool both = chance(60);
  if (both) statements(no, 1 + below(3));
  --depth_;
  out.text += yes.text;
  if (both) {
    line(out, "else:");
    out.text += no.text;
  }
  out.actions.push_back([=](Machine& m) {
    const bool taken = modulo ? s.value(m) % 2 == limit % 2 : s.value(m) > limit;
    for (const auto& action : taken ? yes.actions : no.actions) action(m);
  });
}

void Generator::scope(Block& out) {
  line(out, "with pl.scope():");
  Block body;
  ++depth_;
  statements(body, 1 + below(4));
  --depth_;
  out.text += body.text;
  out.actions.insert(out.actions.end(), body.actions.begin(), body.actions.end());
}

// A chain of tasks between two of them that the runtime orders with all the rest.
void Generator::manual(Block& out) {
  std::string last = fresh("id");
  const Actions none;
  const auto touch = [&](const std::string& deps) {
    const std::string all = "x, y, z, a, b, c";
    line(out, (symbolic_ ? "_, _, _, _, _, _" : all) + ", " + last + " = pl.submit(self.touch, " + all + deps + ")");
  };
  touch("");
  const std::vector<Name> known = names_;
  names_.resize(6);  // x, y, z, a, b, c
  line(out, "with pl.manual_scope():");
  ++depth_;
  for (int i = 1 + below(4); i > 0; --i) {
    const std::vector<Name> whole = names(is_whole);
    const Name to = any(whole);
    const std::vector<Name> others = names(is_whole, to.buffer);
    const std::string text = task_text(any(others), to, chance(60), number(), out.actions);
    line(out, (symbolic_ ? "_" : to.text) + ", " + last + " = " + as_submit(text, last));
  }
  touch(", deps=[" + last + "]");
  --depth_;
  names_ = known;
}

// The body of the inlined function runs on the buffers of the arguments in place of its parameters'.
std::function<void(Machine&)> on_arguments(const Actions& actions, const std::vector<int>& arguments, const Number& k) {
  return [=](Machine& m) {
    const int64_t k_before = m.scalars[1];
    m.scalars[1] = k.value(m);
    const auto old = m.ranks;
    for (size_t r = 0; r < old.size(); ++r) {
      for (size_t i = 0; i < arguments.size(); ++i) m.at(r, kParameters[i]) = old[r][static_cast<size_t>(arguments[i])];
    }
    for (const auto& action : actions) action(m);
    const auto after = m.ranks;
    for (size_t r = 0; r < old.size(); ++r) {
      for (int parameter : kParameters) m.at(r, parameter) = old[r][static_cast<size_t>(parameter)];
      for (size_t i = 0; i < arguments.size(); ++i)
        m.at(r, arguments[i]) = after[r][static_cast<size_t>(kParameters[i])];
    }
    m.scalars[1] = k_before;
  };
}

void Generator::call_inlined(Block& out) {
  if (inlined_.text.empty()) return task(out);
  std::vector<int> buffers;
  std::string text;
  while (buffers.size() < 6) {
    const std::vector<Name> fitting = names(buffers.size() < 3 ? is_known : is_known_window);
    const Name one = any(fitting);
    const bool of_window = one.buffer >= kA && one.buffer < kFixedBuffers;  // a plain name of one, too
    if ((buffers.size() < 3) == of_window || of_window != one.window ||
        std::count(buffers.begin(), buffers.end(), one.buffer) != 0)
      continue;
    buffers.push_back(one.buffer);
    text += one.text + ", ";
    if (buffers.size() == 3) text += "q, ";
  }
  const Number k = scalar();
  line(out, "self.inlined(" + text + "v, e, s, t, u, g, n, w, " + k.text + ")");
  out.actions.push_back(on_arguments(inlined_.actions, buffers, k));
}

}  // namespace chip_tests::random
