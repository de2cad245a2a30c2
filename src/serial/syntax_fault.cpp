// SPDX-License-Identifier: Apache-2.0
// A second, slow look at the token that the parser refused, to name what is wrong with it.
#include "serial/syntax_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "diag/codes_serial.h"
#include "support/utf8.h"

namespace pyptoc::serial {
namespace {

namespace codes = diag::codes;

constexpr std::size_t kShownToken = 24;  // bytes of a bad token that a message shows

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
         c == '+' || c == '-';
}
bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

class JsonFault {
 public:
  JsonFault(diag::Engine& diagnostics, std::string_view text, std::size_t at)
      : diagnostics_(diagnostics), text_(text), at_(at) {}

  void report(Progress progress) {
    if (step_back_into_number()) return token("a number");
    skip_spaces();
    switch (progress) {
      case Progress::Nothing:
        return value("a value");
      case Progress::MapBegin:
        return key("a key in double quotes or `}`");
      case Progress::Key:
        if (!take(':')) return token("`:` after a key");
        return value("a value");
      case Progress::ValueInMap:
        if (!take(',')) return token("`,` or `}`");
        return key("a key in double quotes");
      case Progress::ListBegin:
        return value("a value or `]`");
      case Progress::ValueInList:
        if (!take(',')) return token("`,` or `]`");
        return value("a value");
      case Progress::Complete:
        diagnostics_.report(codes::trailing_data, fault_at(at_), found());
    }
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  void skip_spaces() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  // The parser takes the `0` of `01` for a number that something follows; people see one word.
  bool step_back_into_number() {
    std::size_t begin = at_;
    while (begin > 0 && is_word(text_[begin - 1])) --begin;
    bool number = begin < at_ && !at_end() && is_word(text_[at_]) &&
                  (text_[begin] == '-' || (text_[begin] >= '0' && text_[begin] <= '9'));
    if (number) at_ = begin;
    return number;
  }
  bool take(char punctuation) {
    if (at_end() || text_[at_] != punctuation) return false;
    ++at_;
    skip_spaces();
    return true;
  }

  std::string_view word() const {
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  std::string found() const {
    if (at_end()) return "the end of the input";
    std::string_view run = word();
    if (run.size() > kShownToken) return fmt::format("`{}…`", run.substr(0, kShownToken));
    if (!run.empty()) return fmt::format("`{}`", run);
    support::DecodedCharacter next = support::decode_utf8(text_.substr(at_));
    if (!next.valid || next.code_point < 0x20)
      return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(text_[at_]));
    if (text_[at_] == '`') return "a backquote";
    return fmt::format("`{}`", text_.substr(at_, next.length));
  }

  // The token here is not `what`.
  void token(std::string_view what) {
    if (at_end()) {
      diagnostics_.report(codes::truncated_input, fault_at(text_.size()), what);
      return;
    }
    char c = text_[at_];
    diag::Engine::Builder report = diagnostics_.report(codes::json_syntax, fault_at(at_), what, found());
    std::string_view run = word();
    if (c == '\'') report.help("JSON strings stand in double quotes");
    if (c == '/' || c == '#') report.help("JSON has no comments");
    if ((c == '}' || c == ']') && at_ > 0 &&
        text_.substr(0, at_).find_last_not_of(" \t\r\n") != std::string_view::npos &&
        text_[text_.substr(0, at_).find_last_not_of(" \t\r\n")] == ',')
      report.help("the last entry of a list or map has no comma after it");
    if (run == "None") report.help("JSON writes `null`");
    if (run == "True" || run == "False") report.help(fmt::format("JSON writes `{}`", run == "True" ? "true" : "false"));
    for (std::string_view name : {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"})
      if (run == name)
        report.help(
            "a float that is no finite number is written `{\"type\": \"Float\", \"value\": \"nan\"}`, "
            "or with `inf` or `-inf`");
  }

  void key(std::string_view what) {
    if (!at_end() && text_[at_] == '"') return string();
    token(what);
  }

  void value(std::string_view what) {
    if (at_end()) return token(what);
    char c = text_[at_];
    if (c == '"') return string();
    std::string_view run = word();
    bool cut_short = at_ + run.size() == text_.size();
    if (c == '-' || (c >= '0' && c <= '9')) return number(run, cut_short);
    for (std::string_view literal : {"true", "false", "null"}) {
      if (!run.empty() && cut_short && literal.substr(0, run.size()) == run) {
        diagnostics_.report(codes::truncated_input, fault_at(text_.size()), fmt::format("the rest of `{}`", literal));
        return;
      }
    }
    token(what);
  }

  void number(std::string_view run, bool cut_short) {
    std::size_t digits = run.find_first_of("0123456789");
    bool unfinished = digits == std::string_view::npos || run.find_last_not_of("0123456789") == run.size() - 1;
    if (cut_short && unfinished) {
      diagnostics_.report(codes::truncated_input, fault_at(text_.size()), "the rest of a number");
      return;
    }
    // The parser refuses a well-formed number only when no double can hold it.
    bool malformed =
        unfinished || run.find_first_not_of("0123456789+-.eE") != std::string_view::npos ||
        (run.size() > digits + 1 && run[digits] == '0' && run[digits + 1] >= '0' && run[digits + 1] <= '9') ||
        run.find_first_of("eE") == std::string_view::npos;
    if (malformed)
      token("a number");
    else
      diagnostics_.report(codes::number_too_large, fault_at(at_), found());
  }

  // Finds the fault of the string that begins here.
  void string() {
    for (std::size_t i = at_ + 1; i < text_.size();) {
      auto c = static_cast<unsigned char>(text_[i]);
      if (c == '\\') {
        if (!escape(i)) return;
        continue;
      }
      if (c == '"') return token("a value");  // a good string, so the fault was elsewhere; never reached
      if (c < 0x20) {
        diagnostics_.report(codes::json_syntax, fault_at(i), "an escape such as `\\n` for a control character",
                            fmt::format("byte 0x{:02x}", c));
        return;
      }
      support::DecodedCharacter next = support::decode_utf8(text_.substr(i));
      if (!next.valid) {
        if (i + next.length < text_.size() || c >= 0xF5 || c < 0xC2) {
          diagnostics_.report(codes::bad_utf8, fault_at(i), c);
          return;
        }
        break;  // the beginning of a character, and then the end
      }
      i += next.length;
    }
    diagnostics_.report(codes::truncated_input, fault_at(text_.size()), "the closing quote of a string");
  }

  // Steps over the escape at `i`; false when it was reported, or is cut short.
  bool escape(std::size_t& i) {
    char c = i + 1 < text_.size() ? text_[i + 1] : '\0';
    if (i + 1 >= text_.size()) {
      diagnostics_.report(codes::truncated_input, fault_at(text_.size()), "the rest of an escape");
      return false;
    }
    if (c != 'u') {
      if (std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos) {
        at_ = i + 1;
        diagnostics_.report(codes::json_syntax, fault_at(i), "one of `\"\\/bfnrtu` after a backslash", found());
        return false;
      }
      i += 2;
      return true;
    }
    unsigned unit = 0;
    if (!code_unit(i, unit)) return false;
    if (unit < 0xD800 || unit > 0xDFFF) return true;
    unsigned second = 0;
    std::size_t first = i - 6;
    if (unit < 0xDC00 && text_.substr(i, 2) == "\\u") {
      if (!code_unit(i, second)) return false;
      if (second >= 0xDC00 && second <= 0xDFFF) return true;
    } else if (unit < 0xDC00 && i + 1 >= text_.size()) {
      diagnostics_.report(codes::truncated_input, fault_at(text_.size()), "the second half of a surrogate pair");
      return false;
    }
    diagnostics_.report(codes::json_syntax, fault_at(first), "a pair of surrogates",
                        fmt::format("`{}` alone", text_.substr(first, 6)));
    return false;
  }

  bool code_unit(std::size_t& i, unsigned& unit) {
    for (std::size_t k = i + 2; k < i + 6; ++k) {
      if (k >= text_.size()) {
        diagnostics_.report(codes::truncated_input, fault_at(text_.size()), "the rest of an escape");
        return false;
      }
      if (!is_hex(text_[k])) {
        at_ = k;
        diagnostics_.report(codes::json_syntax, fault_at(k), "four hexadecimal digits after `\\u`", found());
        return false;
      }
    }
    unit = static_cast<unsigned>(std::stoul(std::string(text_.substr(i + 2, 4)), nullptr, 16));
    i += 6;
    return true;
  }

  diag::Engine& diagnostics_;
  std::string_view text_;
  std::size_t at_;
};

std::string_view msgpack_kind(unsigned char byte) {
  if (byte <= 0x7F || (byte >= 0xCC && byte <= 0xD3) || byte >= 0xE0) return "an integer";
  if (byte <= 0x8F || byte == 0xDE || byte == 0xDF) return "a map";
  if (byte <= 0x9F || byte == 0xDC || byte == 0xDD) return "a list";
  if (byte == 0xC0) return "null";
  if (byte == 0xC2 || byte == 0xC3) return "a bool";
  if (byte == 0xCA || byte == 0xCB) return "a float";
  if (byte >= 0xC4 && byte <= 0xC6) return "binary data";
  if ((byte >= 0xC7 && byte <= 0xC9) || (byte >= 0xD4 && byte <= 0xD8)) return "an extension type";
  return "the unused byte 0xc1";
}

}  // namespace

diag::Place fault_at(std::size_t offset) {
  diag::Place place;
  place.offset = static_cast<uint32_t>(offset);
  place.syntax = true;
  return place;
}

std::size_t find_bad_utf8(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  for (std::size_t i = 0; i < text.size();) {
    std::uint64_t eight = 0;
    if (text.size() - i >= sizeof eight) {
      std::memcpy(&eight, text.data() + i, sizeof eight);
      if ((eight & kHighBits) == 0) {
        i += sizeof eight;
        continue;
      }
    }
    if (static_cast<unsigned char>(text[i]) < 0x80) {
      ++i;
      continue;
    }
    support::DecodedCharacter next = support::decode_utf8(text.substr(i));
    if (!next.valid) return i;
    i += next.length;
  }
  return std::string_view::npos;
}

void report_json_fault(diag::Engine& diagnostics, std::string_view text, std::size_t resume, Progress progress) {
  JsonFault(diagnostics, text, resume).report(progress);
}

void report_msgpack_fault(diag::Engine& diagnostics, std::string_view bytes, std::size_t offset, bool key_is_due) {
  std::string_view due = key_is_due ? "a string as the key of a map" : "a value";
  if (offset >= bytes.size()) {
    diagnostics.report(codes::truncated_input, fault_at(bytes.size()), due);
    return;
  }
  std::string_view what = key_is_due ? due : "a value of a kind that JSON has";
  diagnostics.report(codes::bad_msgpack, fault_at(offset), what,
                     msgpack_kind(static_cast<unsigned char>(bytes[offset])));
}

void report_unknown_encoding(diag::Engine& diagnostics, std::string_view bytes) {
  std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (bytes.empty()) {
    diagnostics.report(codes::not_a_program, fault_at(0), "an empty input");
  } else if (first == std::string_view::npos) {
    diagnostics.report(codes::not_a_program, fault_at(0), "nothing but spaces");
  } else if (bytes.substr(0, 3) == "\xEF\xBB\xBF") {
    diagnostics.report(codes::not_a_program, fault_at(0), "a byte order mark")
        .help("write the file in UTF-8 without a byte order mark");
  } else if (bytes.substr(0, 2) == "\xFF\xFE" || bytes.substr(0, 2) == "\xFE\xFF") {
    diagnostics.report(codes::not_a_program, fault_at(0), "UTF-16 text").help("write the file in UTF-8");
  } else {
    std::string_view rest = bytes.substr(first);
    support::DecodedCharacter next = support::decode_utf8(rest);
    bool shown = next.valid && next.code_point >= 0x20 && rest[0] != '`';
    diagnostics.report(codes::not_a_program, fault_at(first),
                       shown ? fmt::format("`{}`", rest.substr(0, next.length))
                             : fmt::format("byte 0x{:02x}", static_cast<unsigned char>(rest[0])));
  }
}

}  // namespace pyptoc::serial
