// SPDX-License-Identifier: Apache-2.0
// Storing option values, with the closest known name where one is wrong.
#include "driver/option_values.h"

#include <fmt/format.h>

#include <charconv>

#include "diag/codes_usage.h"
#include "support/edit_distance.h"

namespace pyptoc::driver {
namespace {

// `-o`, or `--emit` where there is no short name.
std::string_view shown_name(const OptionRow& row) {
  return names_of(row).front();
}

void report_value(const OptionRow& row, std::string_view expected, std::string_view found, diag::Engine& diags,
                  const std::vector<std::string_view>& known = {}) {
  auto report = diags.report(diag::codes::bad_option_value, diag::kNowhere, shown_name(row), expected, found);
  if (auto name = support::closest(found, known)) report.help(fmt::format("did you mean `{}`?", *name));
}

std::vector<std::string> split_at_commas(const std::vector<std::string>& values) {
  std::vector<std::string> parts;
  for (const std::string& value : values) {
    size_t begin = 0;
    for (size_t comma = value.find(','); comma != std::string::npos; comma = value.find(',', begin)) {
      parts.push_back(value.substr(begin, comma - begin));
      begin = comma + 1;
    }
    parts.push_back(value.substr(begin));
  }
  return parts;
}

class Storing {
 public:
  Storing(const OptionRow& row, const std::vector<std::string>& values, Options& options, diag::Engine& diags)
      : row_(row), values_(values), options_(options), diags_(diags) {}

  void operator()(bool Options::*member) const {
    if (is_plain_flag()) options_.*member = true;
  }
  void operator()(int Options::*member) const {
    if (is_plain_flag()) options_.*member += static_cast<int>(values_.size());
  }
  void operator()(std::string Options::*member) const {
    options_.*member = values_.back();
    if (values_.back().empty()) report_value(row_, row_.value, "", diags_);
  }
  void operator()(std::vector<std::string> Options::*member) const {
    std::vector<std::string>& list = options_.*member;
    const std::vector<std::string> values = row_.comma_separated ? split_at_commas(values_) : values_;
    list.insert(list.end(), values.begin(), values.end());
    for (const std::string& value : values)
      if (value.empty()) report_value(row_, row_.value, "", diags_);
  }
  void operator()(const NumberStore& store) const {
    const std::optional<int64_t> number = parse_integer(values_.back());
    if (number && *number >= store.least && *number <= store.most) {
      store.set(options_, *number);
      return;
    }
    report_value(row_,
                 store.most == std::numeric_limits<int64_t>::max()
                     ? fmt::format("a number of at least {}", store.least)
                     : fmt::format("a number from {} to {}", store.least, store.most),
                 values_.back(), diags_);
  }
  void operator()(const FlagStore& store) const {
    if (is_plain_flag()) store.set(options_);
  }
  void operator()(const ChoiceStore& store) const {
    // A flag without a value means the first choice.
    const std::string& value = values_.back();
    if (row_.value_optional && value == "true") return store.set(options_, 0);
    for (size_t i = 0; i < store.values.size(); ++i)
      if (store.values[i] == value) return store.set(options_, i);
    report_value(row_, alternatives(store.values), value, diags_, store.values);
  }

 private:
  // CLI11 gives `true` for each plain occurrence of a flag and the text of `--flag=text`.
  bool is_plain_flag() const {
    for (const std::string& value : values_) {
      if (value == "true") continue;
      diags_.report(diag::codes::option_takes_no_value, diag::kNowhere, long_name(row_), value);
      return false;
    }
    return true;
  }

  const OptionRow& row_;
  const std::vector<std::string>& values_;
  Options& options_;
  diag::Engine& diags_;
};

// Which of the row's topics the argument is.
std::optional<size_t> topic_number(const CommandRow& row, std::string_view argument,
                                   const diag::Code<std::string_view, std::string_view>& unknown, diag::Engine& diags) {
  for (size_t i = 0; i < row.topics.size(); ++i)
    if (row.topics[i] == argument) return i;
  auto report = diags.report(unknown, diag::kNowhere, alternatives(row.topics), argument);
  if (auto name = support::closest(argument, row.topics)) report.help(fmt::format("did you mean `{}`?", *name));
  return std::nullopt;
}

}  // namespace

std::optional<int64_t> parse_integer(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string alternatives(const std::vector<std::string_view>& values) {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += i + 1 == values.size() ? " or " : ", ";
    text += fmt::format("`{}`", values[i]);
  }
  return text;
}

void store_values(const OptionRow& row, const std::vector<std::string>& values, Options& options, diag::Engine& diags) {
  if (!values.empty()) std::visit(Storing(row, values, options, diags), row.store);
}

void store_arguments(const CommandRow& row, const std::vector<std::string>& arguments, Options& options,
                     diag::Engine& diags) {
  if (arguments.empty()) {
    if (row.argument_required) diags.report(diag::codes::missing_argument, diag::kNowhere, row.name, row.argument);
    return;
  }
  // Beside a misspelt option its value would look like one more argument.
  for (size_t i = 1; i < arguments.size() && !diags.has_errors(); ++i)
    diags.report(diag::codes::unexpected_argument, diag::kNowhere, row.name, row.argument, arguments[i]);
  const std::string& argument = arguments.front();
  switch (row.command) {
    case Command::kExplain:
      options.code = argument;
      return;
    case Command::kList:
      if (const auto number = topic_number(row, argument, diag::codes::unknown_list, diags))
        options.topic = static_cast<ListTopic>(*number);
      return;
    case Command::kSchema:
      if (const auto number = topic_number(row, argument, diag::codes::unknown_schema, diags))
        options.schema = static_cast<SchemaTopic>(*number);
      return;
    default:
      options.program = argument;
      if (argument.empty()) diags.report(diag::codes::missing_argument, diag::kNowhere, row.name, row.argument);
  }
}

}  // namespace pyptoc::driver
