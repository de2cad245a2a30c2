// SPDX-License-Identifier: Apache-2.0
// Every command and every option once, as data: parsing, help and the documentation all read these tables.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "driver/options.h"

namespace pyptoc::driver {

class CommandSet {
 public:
  constexpr CommandSet(std::initializer_list<Command> commands) {
    for (Command command : commands) bits_ |= uint32_t{1} << static_cast<int>(command);
  }
  constexpr bool has(Command command) const { return (bits_ >> static_cast<int>(command) & 1U) != 0; }

 private:
  uint32_t bits_ = 0;
};

struct CommandRow {
  Command command;
  std::string_view name;
  std::string_view summary;   // one line
  std::string_view argument;  // `PROG`; empty when the command takes none
  bool argument_required;
  std::string_view examples;  // lines
};

// Sections of the help, in its order.
enum class OptionGroup : uint8_t { kMain, kPasses, kInspection, kDiagnostics, kGeneral };

struct NumberStore {
  void (*set)(Options&, int64_t);
  int64_t least;
  int64_t most;
};
struct ChoiceStore {
  std::vector<std::string_view> values;
  void (*set)(Options&, size_t choice);  // the index in `values`
};
// Where the value goes. bool: a flag; int: a flag that counts; vector: may be repeated.
using OptionStore = std::variant<bool Options::*, int Options::*, std::string Options::*,
                                 std::vector<std::string> Options::*, NumberStore, ChoiceStore>;

struct OptionRow {
  std::string_view names;  // `-o,--output`
  std::string_view value;  // stands for the value in the help; empty for flags
  std::string_view help;
  CommandSet commands;  // kNone: may stand before the command
  OptionGroup group;
  OptionStore store;
  bool comma_separated = false;
  bool value_optional = false;  // only `--name=value` then, never `--name value`

  bool is_flag() const { return value.empty() || value_optional; }
};

std::span<const CommandRow> command_table();
const std::vector<OptionRow>& option_table();

// Null for Command::kNone.
const CommandRow* row_of(Command command);
// The last, long name of an option: `--output`.
std::string_view long_name(const OptionRow& row);
// Each of `-o,--output`.
std::vector<std::string_view> names_of(const OptionRow& row);

}  // namespace pyptoc::driver
