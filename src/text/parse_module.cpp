// SPDX-License-Identifier: Apache-2.0
// Parsing: the module, and the entry point of the parser.
#include <fmt/format.h>

#include "ir/verifier.h"
#include "support/utf8.h"
#include "text/parse_support.h"

namespace pyptoc::text {

using ir::NodeKind;

void Parser::module() {
  while (!is(Tok::End)) {
    uint32_t first = pos_;
    try {
      if (is_word(words::kw_import) || is_word(words::kw_from)) {
        skip_line();
      } else if (is(Tok::At) && is_word_at(1, words::w_pl) && is_word_at(3, words::w_program)) {
        program_class();
      } else if (is(Tok::At) || is_word(words::kw_def)) {
        function(false);
      } else if (is(Tok::String)) {
        skip_line();
      } else if (is_plain_name() && (tok(1).kind == Tok::Assign || tok(1).kind == Tok::Colon)) {
        module_binding();
      } else if (is(Tok::Indent)) {
        report(diag::codes::unexpected_indent, pos_ + 1, pos_ + 1);
        throw Fault{};
      } else if (is(Tok::Dedent)) {
        next();
      } else {
        if (is(Tok::Fault)) fail_lexical(tok());
        report(diag::codes::not_in_dsl, pos_, pos_, fmt::format("{} at the level of the module", found(tok())));
        throw Fault{};
      }
    } catch (const Fault&) {
      function_ = 0;
      skip_statement();
    }
    if (pos_ == first) next();
  }
}

// `@pl.program class Name:` with its methods.
void Parser::program_class() {
  uint32_t at = pos_;
  pos_ += 4;
  std::string_view name;
  if (take(Tok::LParen)) {
    if (text(tok()) != "name") fail_expected("`name=`");
    next();
    expect(Tok::Assign);
    name = context_.intern(string_value());
    expect(Tok::RParen);
  }
  expect(Tok::Newline);
  expect_word(words::kw_class);
  if (!is_plain_name()) fail_expected("the name of the program");
  if (name.empty()) name = context_.intern(text(tok()));
  if (has_program_) {
    report(diag::codes::repeated_name, pos_, pos_, "program", name);
    throw Fault{};
  }
  has_program_ = true;
  program_name_ = name;
  program_at_ = at;
  next();
  if (take(Tok::LParen)) expect(Tok::RParen);
  expect(Tok::Colon);
  expect(Tok::Newline);
  if (!is(Tok::Indent)) {
    report(diag::codes::missing_block, pos_ - 2, pos_ - 2, "the class");
    return;
  }
  next();
  while (!is(Tok::Dedent) && !is(Tok::End)) class_member();
  take(Tok::Dedent);
}

void Parser::class_member() {
  uint32_t first = pos_;
  try {
    if (is(Tok::At) || is_word(words::kw_def)) {
      function(true);
    } else if (take_word(words::kw_pass) || is(Tok::String) || take(Tok::Ellipsis)) {
      skip_line();
    } else if (is(Tok::Indent)) {
      report(diag::codes::unexpected_indent, pos_ + 1, pos_ + 1);
      skip_block();
    } else {
      if (is(Tok::Fault)) fail_lexical(tok());
      report(diag::codes::not_in_dsl, pos_, pos_, fmt::format("{} in the class of the program", found(tok())))
          .help("a program consists of functions under `@pl.function`");
      throw Fault{};
    }
  } catch (const Fault&) {
    function_ = 0;
    skip_statement();
  }
  if (pos_ == first) next();
}

// The stem of the file's name, for a program without a class.
std::string_view Parser::default_name() const {
  std::string_view name = filename_.substr(filename_.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

const ir::Program* Parser::assemble() {
  uint32_t number = 0;
  for (FunctionRecord& record : functions_) complete_record(record);
  for (FunctionRecord& record : functions_) signature(record, ++number);
  number = 0;
  next_comment_ = 0;
  std::vector<const ir::Function*> made;
  for (FunctionRecord& record : functions_) made.push_back(function_body(record, ++number));
  std::vector<const ir::Function*> distinct;
  for (size_t i = 0; i < made.size(); ++i)
    if (function_numbers_.at(functions_[i].name) == i + 1) distinct.push_back(made[i]);
  const ir::Program* program = context_.program(has_program_ ? program_name_ : default_name(), std::move(distinct),
                                                span(program_at_, program_at_));
  if (!engine_.has_errors()) return program;
  verify_the_rest(program, made);
  return nullptr;
}

// Faults of the functions that could be read, so that they show although others could not.
void Parser::verify_the_rest(const ir::Program* program, const std::vector<const ir::Function*>& functions) {
  ir::NodeSet faulty;
  for (size_t i = 0; i < functions.size(); ++i)
    if (functions_[i].faulty) faulty.insert(functions[i]);
  ir::VerifyOptions options;
  options.skip = &faulty;
  options.allow_builtin = true;
  ir::verify(program, engine_, options);
}

bool Parser::check_encoding() {
  std::string_view rest = source_;
  while (!rest.empty()) {
    size_t plain = 0;
    while (plain < rest.size() && static_cast<unsigned char>(rest[plain]) - 1u < 0x7Fu) ++plain;
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    support::DecodedCharacter c = support::decode_utf8(rest);
    if (!c.valid || rest.front() == '\0') {
      uint32_t offset = static_cast<uint32_t>(source_.size() - rest.size());
      LineColumn at = map_.at(offset);
      diag::Place place;
      place.filename = filename_;
      place.begin_line = at.line;
      place.begin_column = at.column;
      engine_.report(diag::codes::text_encoding, place,
                     fmt::format("0x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(rest.front()))));
      return false;
    }
    rest.remove_prefix(c.length);
  }
  return true;
}

const ir::Program* Parser::run() {
  size_t before = engine_.error_count();
  if (!check_encoding()) return nullptr;
  module();
  if (functions_.empty() && !has_program_ && engine_.error_count() == before) {
    report(diag::codes::no_program, 0, 0);
    return nullptr;
  }
  return assemble();
}

const ir::Program* parse_program(ir::Context& context, std::string_view source, std::string_view filename,
                                 diag::Engine& engine) {
  constexpr uint64_t kLargest = 0xFFFFFFF0u;
  if (source.size() > kLargest) {
    diag::Place place;
    place.filename = filename;
    engine.report(diag::codes::text_too_large, place, kLargest, source.size());
    return nullptr;
  }
  return Parser(context, source, filename, engine).run();
}

}  // namespace pyptoc::text
