// SPDX-License-Identifier: Apache-2.0
// Texts with one thing wrong: never a crash, and a fault at the line where it is.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "ir/verifier.h"
#include "text/lexer.h"
#include "text_testing.h"

namespace pyptoc::text::testing {
namespace {

const char* const kProgram = R"(import pypto.language as pl
import pypto.language.distributed as pld

M = pl.dynamic("M")


@pl.program
class Sample:
    @pl.function(type=pl.FunctionType.InCore)
    def add(
        self,
        x: pl.Tensor[[64, 64], pl.FP32],
        y: pl.Tensor[[64, 64], pl.FP32],
        out: pl.Out[pl.Tensor[[64, 64], pl.FP32]],
    ) -> pl.Tensor[[64, 64], pl.FP32]:
        tx = pl.load(x, [0, 0], [64, 64])
        ty: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = pl.load(y, [0, 0], [64, 64])
        total = pl.add(tx, ty)
        out = pl.store(total, [0, 0], out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[64, 64], pl.FP32], y: pl.Tensor[[M, 64], pl.FP32], n: pl.Scalar[pl.INDEX]) -> pl.Tensor[[64, 64], pl.FP32]:
        part = y[0:64]
        # the sum so far
        acc = pl.create_tensor([64, 64], dtype=pl.FP32)
        for i, (carry,) in pl.range(0, n, 2, init_values=(acc,)):
            fresh = pl.create_tensor([64, 64], dtype=pl.FP32)
            summed = self.add(carry, part, fresh)
            last = pl.yield_(summed)
        limit: pl.Scalar[pl.INDEX] = min(n, 8) * 2 - 1
        if limit > 4 and n != 3:
            limit = limit // 2
        else:
            limit = 0
        with pl.manual_scope():
            first, t1 = pl.submit(self.add, x, part, last)
            second, t2 = pl.submit(self.add, first, part, last, deps=[t1])
        return second
)";

enum class Mutation { Delete, Double, Swap, Indent, Rename };

// The text with one token or line changed, and the line of the change.
struct Mutated {
  std::string text;
  int line;
  Mutation how;
};

int line_of(std::string_view text, size_t offset) {
  return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n')) + 1;
}

Mutated mutate(const std::string& text, std::mt19937& random) {
  Names names;
  TokenList list = tokenize(text, names);
  std::vector<Token> tokens;
  for (const Token& token : list.tokens)
    if (token.kind != Tok::Newline && token.kind != Tok::Indent && token.kind != Tok::Dedent && token.kind != Tok::End)
      tokens.push_back(token);
  const Token& token = tokens[20 + random() % (tokens.size() - 22)];
  const Token& other = *(&token + 1);
  std::string word = text.substr(token.begin, token.end - token.begin);
  std::string second = text.substr(other.begin, other.end - other.begin);
  Mutated out{text, line_of(text, token.begin), static_cast<Mutation>(random() % 5)};
  switch (out.how) {
    case Mutation::Delete:
      out.text.erase(token.begin, word.size());
      break;
    case Mutation::Double:
      out.text.insert(token.end, " " + word);
      break;
    case Mutation::Swap:
      out.text.replace(token.begin, other.end - token.begin,
                       second + text.substr(token.end, other.begin - token.end) + word);
      break;
    case Mutation::Indent: {
      size_t begin = text.rfind('\n', token.begin) + 1;
      if (random() % 2 == 0 || text[begin] != ' ')
        out.text.insert(begin, "  ");
      else
        out.text.erase(begin, 1 + random() % 3);
      break;
    }
    case Mutation::Rename:
      out.text.replace(token.begin, word.size(), token.kind == Tok::Name ? word + "_zz" : "zz");
      break;
  }
  return out;
}

struct Tally {
  int rejected = 0;
  int harmless = 0;
  int at_the_line = 0;  // a fault at the line, or the next one, which a swap reaches
  std::string misplaced;
};

void try_one(const Mutated& mutated, Tally& tally) {
  Parsed parsed = parse(mutated.text);
  if (parsed.program != nullptr) ir::verify(parsed.program, *parsed.engine);
  REQUIRE((parsed.program != nullptr || parsed.engine->has_errors()));
  if (!parsed.engine->has_errors()) {
    ++tally.harmless;
    check_round_trip(parsed.program);
    return;
  }
  ++tally.rejected;
  parsed.engine->set_error_limit(0);
  for (const diag::Diagnostic& one : parsed.engine->sorted()) {
    REQUIRE(one.place.begin_line >= 1);
    if (one.place.begin_line == mutated.line || one.place.begin_line == mutated.line + 1) {
      ++tally.at_the_line;
      return;
    }
  }
  tally.misplaced +=
      fmt::format("line {} mutation {}: {}", mutated.line, static_cast<int>(mutated.how), parsed.faults());
}

TEST_CASE("600 mutated texts: a fault at the right line, never a crash") {
  REQUIRE(parse(kProgram).program != nullptr);
  std::mt19937 random(20240817);
  Tally tally;
  for (int i = 0; i < 600; ++i) try_one(mutate(kProgram, random), tally);
  INFO(tally.misplaced);
  // A renamed definition shows at its uses, and a forgotten `if` at its `else`; nearly all others at the line itself.
  CHECK(tally.at_the_line >= tally.rejected * 97 / 100);
  CHECK(tally.harmless < 600 / 5);
  WARN(tally.rejected << " rejected, " << tally.at_the_line << " of them at the line, " << tally.harmless
                      << " harmless");
}

TEST_CASE("a text cut off at every byte, and every byte replaced") {
  std::string text = kProgram;
  for (size_t size = 0; size < text.size(); ++size) (void)parse(std::string_view(text).substr(0, size));
  std::mt19937 random(7);
  for (size_t at = 0; at < text.size(); ++at) {
    std::string changed = text;
    changed[at] = static_cast<char>(random() % 256);
    Parsed parsed = parse(changed);
    CHECK((parsed.program != nullptr || parsed.engine->has_errors()));
  }
}

}  // namespace
}  // namespace pyptoc::text::testing
