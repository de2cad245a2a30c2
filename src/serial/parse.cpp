// SPDX-License-Identifier: Apache-2.0
// Events of the JSON library, and of msgpack_events.h, into the tree. The only file that knows the library.
//
// The library tells no positions, but it reads through iterators and calls back right after each token: an iterator
// that publishes how far it has come gives the end of the token, and the beginning follows from the end of the one
// before. After a number of JSON one byte more has been read, which is a space or punctuation and so begins no value.
#include "serial/parse.h"

#include <fmt/format.h>

#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "diag/codes_serial.h"
#include "serial/msgpack_events.h"
#include "serial/syntax_fault.h"

namespace pyptoc::serial {
namespace {

namespace codes = diag::codes;

// `seen` follows the live copy only; the end iterator has none.
class CountingIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** seen) : at_(at), seen_(seen) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    *seen_ = at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** seen_;
};

// Receives the events. A handler that returns false ends the parse.
template <bool kJson>
class TreeFiller {
 public:
  TreeFiller(ValueTree& tree, const ParseOptions& options, diag::Engine& diagnostics, std::vector<IdEntry>& ids)
      : tree_(tree),
        options_(options),
        diagnostics_(diagnostics),
        ids_(ids),
        errors_before_(diagnostics.error_count()),
        base_(tree.input().data()),
        seen_(base_) {}

  const char** seen() { return &seen_; }
  std::size_t position() const { return static_cast<std::size_t>(seen_ - base_); }

  bool null() {
    append(ValueKind::Null);
    return done();
  }
  bool boolean(bool value) {
    append(ValueKind::Bool).boolean = value;
    return done();
  }
  bool number_integer(std::int64_t value) {
    append(ValueKind::Int).integer = value;
    return done();
  }
  bool number_unsigned(std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      append(ValueKind::BigInt).big_integer = value;
    else
      append(ValueKind::Int).integer = static_cast<std::int64_t>(value);
    return done();
  }
  bool number_float(double value, std::string_view spelling) {
    Value& made = append(ValueKind::Float);
    made.real = value;
    // The library turns integers beyond 64 bits into doubles without a word.
    if (kJson && spelling.find_first_of(".eE") == std::string_view::npos) {
      made.kind = ValueKind::Faulty;
      diagnostics_.report(codes::integer_out_of_range, fault_at(made.offset), "-9223372036854775808",
                          "18446744073709551615", shortened(spelling));
    }
    return done();
  }

  bool string(std::string_view value) {
    Value& made = append(ValueKind::Text);
    std::size_t end = position();
    if (!kJson) {
      std::size_t begin = end - value.size();
      if (!check_utf8(begin, value)) return false;
      made.text = {static_cast<uint32_t>(begin), static_cast<uint32_t>(value.size())};
    } else if (end - made.offset - 2 == value.size()) {  // escapes are longer than what they stand for
      made.text = {made.offset + 1, static_cast<uint32_t>(value.size())};
    } else {
      made.kind = ValueKind::DecodedText;
      made.text = tree_.keep_decoded(value);
    }
    return done();
  }
  bool binary(std::vector<std::uint8_t>&) { return binary(); }
  bool binary() {
    report_msgpack_fault(diagnostics_, tree_.input(), end_, false);
    return false;
  }

  bool start_object(std::size_t) { return open(ValueKind::Map, Progress::MapBegin); }
  bool start_array(std::size_t) { return open(ValueKind::List, Progress::ListBegin); }

  bool key(std::string_view text) {
    std::size_t end = position();
    std::size_t begin = end - text.size();
    bool stands_there = true;
    if (kJson) {
      begin = next_token() + 1;
      stands_there = end - begin - 1 == text.size();  // escapes are longer than what they stand for
    }
    const std::size_t known = tree_.keys().size();
    key_ = tree_.keys().intern(stands_there ? tree_.input().substr(begin, text.size()) : text, stands_there);
    if (!kJson && tree_.keys().size() > known && !check_utf8(begin, text)) return false;
    end_ = end;
    last_is_number_ = false;
    progress_ = Progress::Key;
    return true;
  }

  bool end_object() {
    uint32_t map = close();
    check_entries(map);
    if (tree_[map].key == key_id("span")) tree_.shorten_span(map);
    return done();
  }
  bool end_array() {
    close();
    return done();
  }

  // Reports in words of our own; the library's are about its own inner workings.
  template <class Exception>
  bool parse_error(std::size_t, const std::string&, const Exception&) {
    report_json_fault(diagnostics_, tree_.input(), resume(), progress_);
    return false;
  }
  bool fault(std::size_t at) {
    report_msgpack_fault(diagnostics_, tree_.input(), at,
                         progress_ == Progress::MapBegin || progress_ == Progress::ValueInMap);
    return false;
  }

  // What was open when the parse ended goes to the end of the input.
  void close_all() {
    while (!open_.empty()) close();
  }
  void report_rest() {
    if (kJson) return report_json_fault(diagnostics_, tree_.input(), resume(), progress_);
    std::size_t rest = tree_.input().size() - position();
    diagnostics_.report(codes::trailing_data, fault_at(position()),
                        fmt::format("{} more byte{}", rest, rest == 1 ? "" : "s"));
  }
  // Where the next token may begin.
  std::size_t resume() const { return last_is_number_ ? number_end() : end_; }

 private:
  bool gave_up() const { return diagnostics_.error_count() - errors_before_ >= options_.max_errors; }

  static std::string shortened(std::string_view spelling) {
    return spelling.size() > 40 ? std::string(spelling.substr(0, 37)) + "..." : std::string(spelling);
  }

  // Of the number read last: the parser has looked one byte beyond it, unless the input ended there.
  std::size_t number_end() const {
    std::string_view input = tree_.input();
    std::size_t at = last_begin_ + (input[last_begin_] == '-' ? 1 : 0);
    auto digits = [&] {
      while (at < input.size() && input[at] >= '0' && input[at] <= '9') ++at;
    };
    auto next_is_one_of = [&](std::string_view characters) {
      return at < input.size() && characters.find(input[at]) != std::string_view::npos;
    };
    if (next_is_one_of("0")) {
      ++at;
    } else {
      digits();
    }
    if (next_is_one_of(".")) {
      ++at;
      digits();
    }
    if (next_is_one_of("eE")) {
      ++at;
      if (next_is_one_of("+-")) ++at;
      digits();
    }
    return at;
  }
  // Where the token just read begins.
  std::size_t next_token() const {
    std::size_t begin = end_;
    while (base_[begin] == ' ' || base_[begin] == '\n' || base_[begin] == ',' || base_[begin] == ':' ||
           base_[begin] == '\r' || base_[begin] == '\t')
      ++begin;
    return begin;
  }
  Value& append(ValueKind kind) {
    std::size_t begin = kJson ? next_token() : end_;
    last_begin_ = begin;
    last_is_number_ = kind == ValueKind::Int || kind == ValueKind::BigInt || kind == ValueKind::Float;
    if (!open_.empty()) ++tree_[open_.back()].count;
    return tree_[tree_.append(kind, static_cast<uint32_t>(begin), key_)];
  }
  bool done() {
    end_ = position();
    if (open_.empty())
      progress_ = Progress::Complete;
    else
      progress_ = in_map_ ? Progress::ValueInMap : Progress::ValueInList;
    return !gave_up();
  }
  bool open(ValueKind kind, Progress progress) {
    append(kind);
    end_ = position();
    if (open_.size() == options_.max_nesting) {
      diagnostics_.report(codes::input_nested_too_deep, fault_at(last_begin_), std::uint64_t{options_.max_nesting});
      return false;
    }
    open_.push_back(tree_.size() - 1);
    in_map_ = kind == ValueKind::Map;
    progress_ = progress;
    return true;
  }
  uint32_t close() {
    uint32_t index = open_.back();
    open_.pop_back();
    tree_[index].next = tree_.size();
    in_map_ = !open_.empty() && tree_[open_.back()].kind == ValueKind::Map;
    last_is_number_ = false;
    return index;
  }

  // Each key at most once, in one go over the entries however many they are; and the id.
  void check_entries(uint32_t map) {
    ++map_number_;
    if (seen_in_.size() < tree_.keys().size()) seen_in_.resize(tree_.keys().size() + 64, 0);
    uint32_t end = tree_.size();
    for (uint32_t entry = map + 1; entry < end; entry = tree_[entry].next) {
      const Value& value = tree_[entry];
      if (value.key == key_id("id") && value.kind == ValueKind::Int) ids_.push_back({value.integer, map});
      if (seen_in_[value.key] == map_number_ && !gave_up())
        diagnostics_.report(codes::duplicate_key, fault_at(value.offset), tree_.key_text(entry));
      seen_in_[value.key] = map_number_;
    }
  }

  bool check_utf8(std::size_t begin, std::string_view text) {
    std::size_t bad = find_bad_utf8(text);
    if (bad == std::string_view::npos) return true;
    diagnostics_.report(codes::bad_utf8, fault_at(begin + bad), static_cast<unsigned char>(text[bad]));
    return false;
  }

  ValueTree& tree_;
  const ParseOptions& options_;
  diag::Engine& diagnostics_;
  std::vector<IdEntry>& ids_;
  std::size_t errors_before_;
  const char* base_;
  const char* seen_;             // one past the last byte read
  std::size_t end_ = 0;          // of the last token
  std::size_t last_begin_ = 0;   // of the last value
  bool last_is_number_ = false;  // it is a number, and `end_` may be one too far
  bool in_map_ = false;
  Progress progress_ = Progress::Nothing;
  KeyId key_ = 0;
  std::vector<uint32_t> open_;     // lists and maps around the next value
  std::vector<uint32_t> seen_in_;  // by key: the last map that had it
  uint32_t map_number_ = 0;
};

template <bool kJson>
bool parse(const ParseOptions& options, diag::Engine& diagnostics, ValueTree& tree, std::vector<IdEntry>& ids) {
  std::string_view input = tree.input();
  TreeFiller<kJson> filler(tree, options, diagnostics, ids);
  [[maybe_unused]] const char* end = input.data() + input.size();
  bool parsed = false;
  if constexpr (kJson)
    parsed = nlohmann::json::sax_parse(CountingIterator(input.data(), filler.seen()), CountingIterator(end, nullptr),
                                       &filler, nlohmann::json::input_format_t::json, false);
  else
    parsed = MsgpackEvents(input, filler, filler.seen()).value();
  filler.close_all();
  if (!parsed) return false;
  std::size_t rest = filler.position();
  if (kJson) rest = std::min(input.find_first_not_of(" \t\r\n", filler.resume()), input.size());
  if (rest == input.size()) return true;
  filler.report_rest();
  return false;
}

}  // namespace

Encoding encoding_of(std::string_view bytes) {
  std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return Encoding::Unknown;
  auto byte = static_cast<unsigned char>(bytes[first]);
  // Spaces are whole numbers in MessagePack, which no program begins with.
  if (first == 0 && ((byte >= 0x80 && byte <= 0x9F) || (byte >= 0xDC && byte <= 0xDF))) return Encoding::MessagePack;
  return std::string_view("{[\"-0123456789").find(bytes[first]) != std::string_view::npos ? Encoding::Json
                                                                                          : Encoding::Unknown;
}

bool parse_values(Encoding encoding, const ParseOptions& options, diag::Engine& diagnostics, ValueTree& tree,
                  std::vector<IdEntry>& ids) {
  return encoding == Encoding::Json ? parse<true>(options, diagnostics, tree, ids)
                                    : parse<false>(options, diagnostics, tree, ids);
}

}  // namespace pyptoc::serial
