// SPDX-License-Identifier: Apache-2.0
// Expansion of response files.
#include "driver/response_file.h"

#include "diag/codes_io.h"
#include "diag/codes_usage.h"

namespace pyptoc::driver {
namespace {

constexpr int kDeepest = 10;           // files in files; more can only be a circle
constexpr size_t kMostWords = 100000;  // files that name each other several times grow without end below that depth

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

class WordSplitter {
 public:
  explicit WordSplitter(std::string_view text) : text_(text) {}

  std::optional<std::vector<std::string>> run() {
    while (skip_to_word()) {
      if (!word()) return std::nullopt;
    }
    return std::move(words_);
  }

 private:
  bool skip_to_word() {
    while (at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == '#')) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        ++at_;
      }
    }
    return at_ < text_.size();
  }

  bool word() {
    std::string& out = words_.emplace_back();
    char quote = '\0';
    for (; at_ < text_.size() && (quote != '\0' || !is_space(text_[at_])); ++at_) {
      const char c = text_[at_];
      if (c == '\\' && quote != '\'' && at_ + 1 < text_.size()) {
        out += text_[++at_];
      } else if (c == quote) {
        quote = '\0';
      } else if (quote == '\0' && (c == '"' || c == '\'')) {
        quote = c;
      } else {
        out += c;
      }
    }
    return quote == '\0';
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<std::string> words_;
};

class Expansion {
 public:
  Expansion(support::FileSystem& files, diag::Engine& diags) : files_(files), diags_(diags) {}

  void add(const std::vector<std::string>& arguments, int depth) {
    for (const std::string& argument : arguments) {
      if (words_.size() > kMostWords) return;
      all_literal_ = all_literal_ || argument == "--";
      if (all_literal_ || argument.size() < 2 || argument[0] != '@') {
        words_.push_back(argument);
      } else {
        add_file(argument.substr(1), depth + 1);
      }
    }
  }
  std::vector<std::string> take() { return std::move(words_); }

 private:
  void add_file(const std::string& path, int depth) {
    if (depth > kDeepest) {
      diags_.report(diag::codes::bad_response_file, diag::kNowhere, path, "response files include each other");
      return;
    }
    const auto text = files_.read_file(path);
    if (!text.ok()) {
      diags_.report(diag::codes::cannot_read_file, diag::kNowhere, path, text.error().message);
      return;
    }
    const auto words = split_words(*text);
    if (!words) {
      diags_.report(diag::codes::bad_response_file, diag::kNowhere, path, "a quote has no end");
      return;
    }
    add(*words, depth);
  }

  support::FileSystem& files_;
  diag::Engine& diags_;
  std::vector<std::string> words_;
  bool all_literal_ = false;
};

}  // namespace

std::optional<std::vector<std::string>> split_words(std::string_view text) {
  return WordSplitter(text).run();
}

std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments, support::FileSystem& files,
                                               diag::Engine& diags) {
  Expansion expansion(files, diags);
  expansion.add(arguments, 0);
  return expansion.take();
}

}  // namespace pyptoc::driver
