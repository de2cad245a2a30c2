// SPDX-License-Identifier: Apache-2.0
#include "orchestration/kernels.h"

#include <cctype>
#include <cmath>

namespace pyptoc::orchestration {

namespace {

// --- Text

constexpr std::string_view kKernels = R"(
kernel use(x: F64, out: Out F64) -> out
kernel join(a: F64, b: InOut F64) -> b
kernel make(out: Out F64) -> out
kernel change(x: InOut F64) -> x
kernel sum(a: F64, b: F64, out: Out F64) -> out
kernel split(x: F64, lo: Out F64, hi: Out F64) -> lo, hi
kernel twist(x: F64, first: Out F64, second: Out F64) -> second, first
kernel scale(x: InOut F64, k: INT) -> x
kernel fill(out: Out F64, k: INT) -> out
kernel head(out: InOut F64) -> out
kernel begin(x: F64, out: Out F64) -> out
kernel blend(x: F64, out: InOut F64, k: FLOAT) -> out
kernel use_half(x: F32, out: Out F32) -> out
kernel change_half(x: InOut F32) -> x
kernel make_half(out: Out F32) -> out
kernel use_flag(f: I4, out: Out F64) -> out
kernel set_flag(f: InOut I4) -> f
kernel count_flag(x: F64, f: InOut I4) -> f
cube product(x: F64, out: Out F64) -> out
cube product_sum(x: F64, out: InOut F64) -> out
kernel lanes(x: F64, out: InOut F64) -> out
kernel touch(a: InOut F64, b: InOut F64, c: InOut F64, d: InOut F256, e: InOut F256, f: InOut I4) -> a, b, c, d, e, f
)";

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// `F4xM` -> pl.Tensor[[4, M], pl.FP32]; empty when the word is no type.
std::string type_of(std::string_view word) {
  if (word == "INT") return "pl.Scalar[pl.INDEX]";
  if (word == "INT32") return "pl.Scalar[pl.INT32]";
  if (word == "FLOAT") return "pl.Scalar[pl.FP32]";
  if (word.size() < 2 || (word[0] != 'F' && word[0] != 'I')) return "";
  std::string extents;
  size_t length = 0;
  for (char c : word.substr(1)) {
    if (c == 'x') {
      if (length == 0) return "";
      extents += ", ";
      length = 0;
      continue;
    }
    const bool symbol = (c == 'M' || c == 'N') && length == 0;
    if (!symbol && std::isdigit(static_cast<unsigned char>(c)) == 0) return "";
    extents += c;
    ++length;
  }
  return length == 0 ? "" : "pl.Tensor[[" + extents + "], pl." + (word[0] == 'F' ? "FP32]" : "INT32]");
}

std::string with_types(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    const std::string_view word = text.substr(i, end - i);
    const std::string type = i > 0 && text[i - 1] == '.' ? "" : type_of(word);
    out += type.empty() ? std::string(word) : type;
    i = end;
  }
  return out;
}

// `x: InOut T` -> `x: pl.InOut[T]`
std::string parameters_of(std::string_view list) {
  std::string out;
  for (size_t i = 0; i < list.size();) {
    const size_t end = std::min(list.find(", ", i), list.size());
    std::string one(list.substr(i, end - i));
    for (std::string_view direction : {"InOut ", "Out "}) {
      const size_t at = one.find(": " + std::string(direction));
      if (at == std::string::npos) continue;
      one = one.substr(0, at) + ": pl." + std::string(direction.substr(0, direction.size() - 1)) + "[" +
            type_of(one.substr(at + 2 + direction.size())) + "]";
      break;
    }
    out += (out.empty() ? "" : ", ") + one;
    i = std::min(end + 2, list.size());
  }
  return out;
}

std::string type_of_parameter(std::string_view list, std::string_view name) {
  for (size_t i = 0; i < list.size();) {
    const size_t end = std::min(list.find(", ", i), list.size());
    const std::string_view one = list.substr(i, end - i);
    if (one.substr(0, name.size() + 1) == std::string(name) + ":") return type_of(one.substr(one.rfind(' ') + 1));
    i = std::min(end + 2, list.size());
  }
  return "?";
}

// One line `kernel f(...) -> a, b`, `cube ...` or `orchestration f(...)`.
std::string declaration(std::string_view line) {
  const size_t space = line.find(' ');
  const size_t open = line.find('(');
  const size_t close = line.rfind(')');
  const std::string_view kind = line.substr(0, space);
  const std::string_view list = line.substr(open + 1, close - open - 1);
  const char* type = kind == "orchestration" ? "Orchestration" : kind == "cube" ? "AIC" : "AIV";
  std::string out = "\n@pl.function(type=pl.FunctionType." + std::string(type) + ")\ndef " +
                    std::string(line.substr(space + 1, open - space - 1)) + "(" + parameters_of(list) + ")";
  if (kind == "orchestration") return out + ":\n";
  const size_t arrow = line.find("-> ");
  if (arrow == std::string_view::npos) return out + ":\n    return\n";
  const std::string_view names = line.substr(arrow + 3);
  std::string types;
  size_t count = 0;
  for (size_t i = 0; i < names.size(); ++count) {
    const size_t end = std::min(names.find(", ", i), names.size());
    types += (count > 0 ? ", " : "") + type_of_parameter(list, names.substr(i, end - i));
    i = std::min(end + 2, names.size());
  }
  out += " -> " + (count > 1 ? "tuple[" + types + "]" : types) + ":\n    return " + std::string(names) + "\n";
  return out;
}

bool begins(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

std::string expanded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (begins(line, "kernel ") || begins(line, "cube ") || begins(line, "orchestration "))
      out += declaration(line);
    else
      out += std::string(line) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// --- Meaning. Elements are whole numbers below kPrime in both types.

constexpr int64_t kPrime = 4093;

int64_t get(standin::KernelCall& call, size_t i, uint64_t e) {
  if (call.tensor(i).dtype == DataType::INT32) return call.load<int32_t>(i, e);
  const float value = call.load<float>(i, e);
  return std::isfinite(value) && std::fabs(value) < 1e6F ? static_cast<int64_t>(value) : 77;
}

void put(standin::KernelCall& call, size_t i, uint64_t e, int64_t value) {
  const int64_t reduced = (value % kPrime + kPrime) % kPrime;
  if (call.tensor(i).dtype == DataType::INT32)
    call.store<int32_t>(i, e, static_cast<int32_t>(reduced));
  else
    call.store<float>(i, e, static_cast<float>(reduced));
}

// Each block of a launch does its share of the elements of tensor `i`.
template <class F>
void for_share(standin::KernelCall& call, size_t i, F f) {
  const uint64_t n = call.count(i);
  const auto blocks = static_cast<uint64_t>(call.blocks());
  const auto block = static_cast<uint64_t>(call.block());
  for (uint64_t e = n * block / blocks; e < n * (block + 1) / blocks; ++e) f(e);
}

// Element `e` of one tensor meets another one of the tensor that is read, so that mixed-up parts show.
int64_t other(standin::KernelCall& call, size_t i, uint64_t e) {
  const uint64_t n = call.count(i);
  return n == 0 ? 1 : get(call, i, (e * 7 + 3) % n);
}

using Call = standin::KernelCall;

void use(Call& c) {
  for_share(c, 1, [&](uint64_t e) { put(c, 1, e, 5 * other(c, 0, e) + static_cast<int64_t>(e) + 3); });
}
void join(Call& c) {
  for_share(c, 1, [&](uint64_t e) { put(c, 1, e, 7 * get(c, 1, e) + 11 * other(c, 0, e) + 1); });
}
void make(Call& c) {
  for_share(c, 0, [&](uint64_t e) { put(c, 0, e, 13 * static_cast<int64_t>(e) + 5); });
}
void change(Call& c) {
  for_share(c, 0, [&](uint64_t e) { put(c, 0, e, 3 * get(c, 0, e) + 1); });
}
void sum(Call& c) {
  for_share(c, 2, [&](uint64_t e) { put(c, 2, e, 2 * other(c, 0, e) + 3 * other(c, 1, e) + 1); });
}
void split(Call& c) {
  for_share(c, 1, [&](uint64_t e) {
    const int64_t value = other(c, 0, e);
    put(c, 1, e, 2 * value + 1);
    put(c, 2, e, 3 * value + 2);
  });
}
void scale(Call& c) {
  const auto k = static_cast<int64_t>(c.scalar(0));
  for_share(c, 0, [&](uint64_t e) { put(c, 0, e, (k % 50 + 51) * get(c, 0, e) + k); });
}
void fill(Call& c) {
  const auto k = static_cast<int64_t>(c.scalar(0));
  for_share(c, 0, [&](uint64_t e) { put(c, 0, e, k * 17 + static_cast<int64_t>(e)); });
}
// Writes half of its output.
void head(Call& c) {
  for (uint64_t e = 0; e < c.count(0) / 2; ++e) put(c, 0, e, static_cast<int64_t>(e) * 19 + 2);
}
void begin(Call& c) {
  for (uint64_t e = 0; e < c.count(1) / 2; ++e) put(c, 1, e, 23 * other(c, 0, e) + 4);
}
void blend(Call& c) {
  const float k = from_u64<float>(c.scalar(0));
  for_share(c, 1, [&](uint64_t e) {
    put(c, 1, e, get(c, 1, e) + static_cast<int64_t>(k * static_cast<float>(other(c, 0, e))));
  });
}
// Takes a tensor of flags and one of numbers, in either order; flags stay small.
void count(Call& c) {
  int64_t total = 0;
  for (uint64_t e = 0; e < c.count(0); ++e) total += get(c, 0, e);
  for_share(c, 1, [&](uint64_t e) { put(c, 1, e, (get(c, 1, e) + total) % 5); });
}
void set(Call& c) {
  for_share(c, 0, [&](uint64_t e) { put(c, 0, e, (get(c, 0, e) + 2) % 5); });
}
// Element by element, so that blocks of the two cores of a mixed task meet their own share only.
void product(Call& c) {
  for_share(c, 1, [&](uint64_t e) { put(c, 1, e, 29 * get(c, 0, e) + 6); });
}
void add(Call& c) {
  for_share(c, 2, [&](uint64_t e) { put(c, 2, e, 3 * get(c, 2, e) + 31 * get(c, 1, e) + get(c, 0, e)); });
}
// The two lanes of a vector core do half of a block's share each.
void lanes(Call& c) {
  for_share(c, 1, [&](uint64_t e) {
    if (e % 2 == static_cast<uint64_t>(c.sub_block()))
      put(c, 1, e, 3 * get(c, 1, e) + 37 * get(c, 0, e) + c.sub_block());
  });
}
// Reads and writes all that it gets.
void touch(Call& c) {
  for (size_t i = 0; i < c.tensor_count(); ++i)
    for_share(c, i, [&](uint64_t e) {
      put(c, i, e, c.tensor(i).dtype == DataType::INT32 ? (get(c, i, e) + 1) % 5 : 3 * get(c, i, e) + 1);
    });
}

struct Named {
  std::string_view name;
  void (*body)(Call&);
};
constexpr Named kLibrary[] = {
    {"use", use},     {"join", join},   {"make", make},       {"change", change}, {"sum", sum},     {"split", split},
    {"twist", split}, {"scale", scale}, {"fill", fill},       {"head", head},     {"begin", begin}, {"blend", blend},
    {"count", count}, {"set", set},     {"product", product}, {"add", add},       {"lanes", lanes}, {"touch", touch}};

}  // namespace

std::string full_text(std::string_view text) {
  std::string source = "import pypto.language as pl\n\nM = pl.dynamic(\"M\")\nN = pl.dynamic(\"N\")\n";
  source += expanded(kKernels);
  if (text.find("orchestration ") == std::string_view::npos)
    source += declaration("orchestration main(" + std::string(kDefaultParameters) + ")");
  source += expanded(text);
  return with_types(source);
}

KernelBody reference_kernel(std::string_view name) {
  const std::string_view base = name.substr(0, name.find('_'));
  for (const Named& one : kLibrary)
    if (one.name == base) return one.body;
  return {};
}

}  // namespace pyptoc::orchestration
