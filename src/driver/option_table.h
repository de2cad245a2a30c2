// SPDX-License-Identifier: Apache-2.0
// Every command and every option once, as data: parsing, help, completions and the documentation all read these tables.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
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
  std::string_view examples;                  // lines
  std::vector<std::string_view> topics = {};  // the words that the argument can be; empty when it is a file or free
};

// Sections of the help, in its order.
enum class OptionGroup : uint8_t { kMain, kPasses, kInspection, kDiagnostics, kGeneral };

struct NumberStore {
  void (*set)(Options&, int64_t);
  int64_t least;
  int64_t most;
};
struct FlagStore {
  void (*set)(Options&);
};
struct ChoiceStore {
  std::vector<std::string_view> values;
  void (*set)(Options&, size_t choice);  // the index in `values`
};
// Where the value goes. bool: a flag; int: a flag that counts; vector: may be repeated.
using OptionStore = std::variant<bool Options::*, int Options::*, std::string Options::*,
                                 std::vector<std::string> Options::*, NumberStore, FlagStore, ChoiceStore>;

enum class ValueKind : uint8_t { kWord, kFile, kFolder };

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

const std::vector<CommandRow>& command_table();
const std::vector<OptionRow>& option_table();

// Null for Command::kNone.
const CommandRow* row_of(Command command);
// The last, long name of an option: `--output`.
std::string_view long_name(const OptionRow& row);
// Each of `-o,--output`.
std::vector<std::string_view> names_of(const OptionRow& row);
// The words that the value can be; empty when it is free.
std::vector<std::string_view> choices_of(const OptionRow& row);
// By what the table calls the value: FILE, DIR.
ValueKind value_kind(const OptionRow& row);
// `-o, --output DIR`, `--version[=FORMAT]`.
std::string spelled(const OptionRow& row);
// The title of a section of the help.
std::string_view title(OptionGroup group);
inline constexpr std::array kOptionGroups = {OptionGroup::kMain, OptionGroup::kPasses, OptionGroup::kInspection,
                                             OptionGroup::kDiagnostics, OptionGroup::kGeneral};
// What the exit statuses mean, for all commands.
struct ExitStatusRow {
  std::string_view status;
  std::string_view meaning;
};
std::span<const ExitStatusRow> exit_status_table();

}  // namespace pyptoc::driver
