// SPDX-License-Identifier: Apache-2.0
// The program of the CHIP rail's seed for every collective: stage, exchange, consume, as text in pyptoc's DSL, with
// kernels, arguments and what must come out. The same with its collective on the HOST rail, to compare.
#pragma once

#include <string>
#include <vector>

#include "ranks/host.h"
#include "scenario.h"
#include "standin/compile.h"

namespace chip_tests {

struct Pipeline {
  collectives::Step step;  // without kernel; its counts are kept within [-100, 100]
  int ranks = 2;
  int rounds = 1;          // 1: straight as the seed has it; more: a loop of so many
  bool on_host = false;    // three dispatches for each rank and round instead of one for all
  std::string width = "";  // text in place of the constant core_num
  int64_t cells = 0;       // columns of the signal, where not as many as blocks
  std::string target = "a2a3";
  bool analyze = false;  // --analyze-deps

  std::string name() const;
};

std::string program_text(const Pipeline& p);
// The text of a kernel file: its definitions and what it includes.
std::string kernel_text(const Pipeline& p, const std::string& kernel);  // `stage` or `consume`

std::vector<standin::ranks::HostArgument> arguments_of(const Pipeline& p);
// Says what is wrong with `outputs`, or nothing.
std::string check_outputs(const Pipeline& p, const standin::ranks::HostResult& result);

// A build of a program in a folder of its own.
class Tree {
 public:
  explicit Tree(const Pipeline& p);
  // Any text with files beside it; `options` are words of the command line.
  Tree(const std::string& program, const std::vector<std::pair<std::string, std::string>>& files,
       const std::vector<std::string>& options = {});
  // A program file in any form, copied beside the files.
  Tree(const std::filesystem::path& program, const std::vector<std::pair<std::string, std::string>>& files,
       const std::vector<std::string>& options);

  bool ok() const { return status_ == 0; }
  const std::string& messages() const { return messages_; }
  std::filesystem::path out() const { return folder_.path() / "out"; }
  std::string read(const std::filesystem::path& file) const;  // within out()
  void replace(const std::filesystem::path& file, const std::string& text) const;
  std::vector<std::string> sub_builds() const;  // sorted

 private:
  void build(const std::filesystem::path& program, const std::vector<std::string>& options);

  standin::TempFolder folder_;
  int status_ = -1;
  std::string messages_;
};

}  // namespace chip_tests
