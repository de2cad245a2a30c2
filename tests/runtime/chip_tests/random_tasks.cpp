// SPDX-License-Identifier: Apache-2.0
// Tasks, views, temporaries and single elements.
#include <fmt/format.h>

#include "random_generator.h"

namespace chip_tests::random {

int32_t in_range(int64_t value, ElementType type) {
  if (is_float(type)) return static_cast<int32_t>(value % kFloatLimit);
  if (type == ElementType::kInt8) return static_cast<int8_t>(value);
  if (type == ElementType::kInt16) return static_cast<int16_t>(value);
  return static_cast<int32_t>(value);
}

Number Generator::scalar() {
  return scalars_[static_cast<size_t>(below(static_cast<int>(scalars_.size())))];
}

Number Generator::number() {
  const int plus = below(4);
  if (!elements_.empty() && chance(40)) {
    const Element& e = elements_[static_cast<size_t>(below(static_cast<int>(elements_.size())))];
    return {"pl.cast(" + e.name + ", pl.INDEX) + " + std::to_string(plus), [plus](Machine&) { return int64_t{plus}; },
            e.buffer};
  }
  if (chance(30)) return {std::to_string(plus), [plus](Machine&) { return int64_t{plus}; }};
  const Number s = scalar();
  return {s.text + " + " + std::to_string(plus), [s, plus](Machine& m) { return s.value(m) + plus; }};
}

std::vector<Name> Generator::names(bool (*fits)(const Name&), int not_buffer) const {
  std::vector<Name> out;
  for (const Name& name : names_) {
    if (fits(name) && name.buffer != not_buffer) out.push_back(name);
  }
  return out;
}

// A statement that binds the result to the name of what is written, or to none.
std::string Generator::result(const std::string& name, const std::string& call) {
  return chance(50) ? name + " = " + call : call;
}

// --- tasks

std::string Generator::task_text(const Name& from, const Name& to, bool mix, const Number& k, Actions& actions) {
  const ElementType elements = type();
  actions.push_back([=](Machine& m) {
    for (size_t r = 0; r < m.ranks.size(); ++r) {
      Machine::Buffer& f = m.at(r, from.buffer);
      Machine::Buffer& t = m.at(r, to.buffer);
      for (int i = 0; i < to.volume(); ++i) {
        int32_t& at = t[to.element(m, i)];
        const int32_t value = f[from.element(m, i)];
        at = mix ? in_range(3 * int64_t{at} + value + k.on(m, r), elements) : value;
      }
    }
  });
  const bool part = from.rows * from.columns != ranks() * kColumns;
  return std::string("self.") + (part ? "part_" : "") + (mix ? "mix_" : "copy_") + kind(from) + kind(to) + "|" +
         from.text + ", " + to.text + (mix ? ", " + k.text : "");
}

std::string as_call(std::string text, const std::string& width) {
  return text.replace(text.find('|'), 1, "(") + (width.empty() ? ")" : ", attrs={\"core_num\": " + width + "})");
}
std::string as_submit(std::string text, const std::string& deps, const std::string& width) {
  const std::string blocks = width.empty() ? "" : ", core_num=" + width;
  return (width.empty() ? "pl.submit(" : "pl.spmd_submit(") + text.replace(text.find('|'), 1, ", ") + blocks +
         ", deps=[" + deps + "])";
}

// How many blocks do what was done last: without any, it is not done. With `n` in it the width is never a constant,
// of which 0 is an error.
std::string Generator::launched(Actions& actions) {
  if (chance(60)) return "";
  if (chance(50)) return std::to_string(1 + below(5));
  const Number s = scalar();
  const int least = below(2);
  const auto done = actions.back();
  actions.back() = [=](Machine& m) {
    if ((m.scalars[0] + s.value(m)) % 3 + least > 0) done(m);
  };
  return "(n + " + s.text + ") % 3 + " + std::to_string(least);
}

void Generator::task(Block& out) {
  const bool parts = chance(35) && names(is_part).size() > 1;
  const std::vector<Name> to_names = names(parts ? is_part : is_whole);
  const Name to = any(to_names);
  std::vector<Name> from_names;
  for (const Name& n : names_) {
    if (n.buffer != to.buffer && n.rows == to.rows && n.columns == to.columns) from_names.push_back(n);
  }
  if (from_names.empty()) return;
  const std::string text = task_text(any(from_names), to, chance(60), number(), out.actions);
  const std::string width = launched(out.actions);
  const std::string call = as_call(text, width);
  if (chance(70)) return line(out, binds(to) ? result(to.text, call) : call);
  std::string deps;
  for (const std::string& id : ids_) {
    if (chance(30)) deps += (deps.empty() ? "" : ", ") + id;
  }
  const std::string id = fresh("id");
  line(out, (binds(to) ? to.text : "_") + ", " + id + " = " + as_submit(text, deps, width));
  ids_.push_back(id);
}

void Generator::read_element(Block& out) {
  const std::vector<Name> from = names(is_whole);
  const Name of = any(from);
  const int row = below(ranks());
  const int column = below(kColumns);
  const Element made = {fresh("el"), buffers_++};
  line(out, fmt::format("{} = pl.tensor.read({}, [{}, {}])", made.name, of.text, row, column));
  out.actions.push_back([=](Machine& m) {
    for (size_t r = 0; r < m.ranks.size(); ++r)
      m.at(r, made.buffer)[0] = m.at(r, of.buffer)[static_cast<size_t>(row * kColumns + column)];
  });
  elements_.push_back(made);
}

void Generator::write_element(Block& out) {
  const std::vector<Name> names_here = names(is_whole);
  const Name to = any(names_here);
  const int column = below(kColumns);
  const Number row = scalar();
  const int p = ranks();
  const int value = below(50);
  const Element* element = elements_.empty() || chance(30) ? nullptr : &elements_.back();
  const int buffer = element != nullptr ? element->buffer : -1;
  line(out, fmt::format("pl.tensor.write({}, [({}) % {}, {}], {})", to.text, row.text, p, column,
                        element != nullptr ? element->name : "pl.const(" + std::to_string(value) + ", pl.DATA)"));
  out.actions.push_back([=](Machine& m) {
    for (size_t r = 0; r < m.ranks.size(); ++r) {
      m.at(r, to.buffer)[static_cast<size_t>(row.value(m) % p * kColumns + column)] =
          buffer < 0 ? value : m.at(r, buffer)[0];
    }
  });
}

void Generator::create(Block& out, Name& made) {
  made.buffer = buffers_++;
  line(out, fmt::format("{} = pl.tensor.create([{}, {}], dtype=pl.DATA)", made.text, made.rows, kColumns));
  const auto buffer = static_cast<size_t>(made.buffer);
  out.actions.push_back([buffer](Machine& m) {
    for (auto& rank : m.ranks) rank[buffer].assign(m.ranks.size() * kColumns, 0);
  });
}

void Generator::temporary(Block& out) {
  const std::vector<Name> from = names(is_whole);
  Name made;
  made.text = fresh("tmp");
  made.rows = ranks();
  made.own = true;
  create(out, made);
  line(out, (!symbolic_ && chance(50) ? made.text + " = " : "") +
                as_call(task_text(any(from), made, false, number(), out.actions)));
  names_.push_back(made);
}

// A row, at a constant or a variable, or half of the columns.
void Generator::view(Block& out) {
  const std::vector<Name> from = names(is_whole);
  const Name of = any(from);
  Name made = of;
  made.text = fresh("part");
  made.window = false;
  made.whole = false;
  std::string row = "0";
  switch (below(3)) {
    case 0: {
      const int at = below(ranks());
      made.rows = 1;
      made.row = [at](Machine&) { return int64_t{at}; };
      row = std::to_string(at);
      break;
    }
    case 1: {
      const Number s = scalar();
      const int p = ranks();
      made.rows = 1;
      made.row = [s, p](Machine& m) { return s.value(m) % p; };
      made.fixed_row = false;
      row = "(" + s.text + ") % " + std::to_string(p);
      break;
    }
    default:
      made.columns = kColumns / 2;
      made.column = below(2) * made.columns;
  }
  line(out, fmt::format("{} = pl.tensor.slice({}, [{}, {}], [{}, {}])", made.text, of.text, made.rows, made.columns,
                        row, made.column));
  names_.push_back(made);
}

// Another name for a whole buffer.
void Generator::alias(Block& out) {
  const std::vector<Name> from = names(is_whole);
  const Name old = any(from);
  Name made = old;
  made.text = fresh("same");
  if (chance(50)) {
    const std::string flat = fresh("flat");
    line(out, fmt::format("{} = pl.tensor.reshape({}, [{}])", flat, old.text, ranks() * kColumns));
    line(out, fmt::format("{} = pl.tensor.reshape({}, [{}, {}])", made.text, flat, ranks(), kColumns));
    made.window = false;
  } else {
    const std::vector<Name> inputs = names(is_whole, made.buffer);
    made.known = !symbolic_;
    line(out, made.text + " = " + as_call(task_text(any(inputs), old, true, number(), out.actions)));
  }
  names_.push_back(made);
}

}  // namespace chip_tests::random
