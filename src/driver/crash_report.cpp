// SPDX-License-Identifier: Apache-2.0
// Writing the crash folder. Nothing here may fail on top of the failure that it reports.
#include "driver/crash_report.h"

#include <fmt/format.h>

#include <exception>

#include "diag/codes_usage.h"
#include "driver/source_digest.h"
#include "driver/version.h"
#include "serial/writer.h"
#include "support/file_tools.h"
#include "support/sha256.h"
#include "text/printer.h"

namespace pyptoc::driver {
namespace {

struct SavedProgram {
  std::string file;  // its name in the folder
  std::string content;
};

// The IR may be what is broken, and then writing it can fail like the pass did.
SavedProgram save_program(const Session& session, const Crash& crash) {
  if (crash.before != nullptr) {
    try {
      return {"program.json", serial::write_json(crash.before)};
    } catch (const std::exception&) {
      try {
        return {"program.py", text::print_program(crash.before)};
      } catch (const std::exception&) {
      }
    }
  }
  if (!session.input || session.input->bytes.empty()) return {};
  if (session.input->is_text) return {"program.py", session.input->bytes};
  return {session.input->bytes.front() < 0 ? "program.msgpack" : "program.json", session.input->bytes};
}

std::string quoted(const std::vector<std::string>& words) {
  std::string line = "pyptoc";
  for (const std::string& word : words) line += " " + shell_word(word);
  return line;
}

// For a bug in a pass that pass alone; else the command as it was, with the saved program.
std::string repeating_command(const Session& session, const Crash& crash, const std::vector<std::string>& arguments,
                              const std::string& program) {
  if (crash.before != nullptr && !program.empty()) {
    std::vector<std::string> words = {"opt",      program,    "--passes",
                                      crash.pass, "--target", std::string(session.options.target.name)};
    if (session.options.aiv_cores) {
      words.push_back("--aiv-cores");
      words.push_back(std::to_string(*session.options.aiv_cores));
    }
    if (session.options.analyze_deps) words.push_back("--analyze-deps");
    if (session.options.verify == Verify::kNone) words.insert(words.end(), {"--verify", "none"});
    if (session.options.verify == Verify::kText) words.insert(words.end(), {"--verify", "text"});
    words.insert(words.end(), {"-o", "-"});
    return quoted(words);
  }
  std::vector<std::string> words = arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool is_output = i > 0 && (words[i - 1] == "-o" || words[i - 1] == "--output");
    if (!program.empty() && !is_output && words[i] == session.options.program) words[i] = program;
  }
  return quoted(words);
}

std::string report_text(const Crash& crash, const std::vector<std::string>& arguments, const std::string& repeat) {
  return fmt::format("pyptoc {} (sources {})\nbug {}: {}\n\nThe command line was\n    {}\nThis repeats it:\n    {}\n",
                     version(), source_digest(), crash.where, crash.what, quoted(arguments), repeat);
}

support::Status write_folder(support::FileSystem& files, const std::string& folder, const SavedProgram& program,
                             const std::string& report, const std::string& repeat) {
  PYPTOC_TRY(support::make_directories(files, folder));
  if (!program.file.empty()) PYPTOC_TRY(files.write_file(support::join_path(folder, program.file), program.content));
  PYPTOC_TRY(files.write_file(support::join_path(folder, "repeat.sh"), "#!/bin/sh\n" + repeat + "\n"));
  return files.write_file(support::join_path(folder, "report.txt"), report);
}

}  // namespace

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

void report_crash(Session& session, const Crash& crash, const std::vector<std::string>& arguments) {
  auto report = session.diags.report(diag::codes::internal_error, diag::kNowhere, crash.where, crash.what);
  const SavedProgram program = save_program(session, crash);
  const std::string hash = support::sha256(program.content + '\n' + crash.where + '\n' + crash.what).substr(0, 12);
  const std::string folder = "pyptoc-crash-" + hash;
  const std::string saved = program.file.empty() ? "" : support::join_path(folder, program.file);
  const std::string repeat = repeating_command(session, crash, arguments, saved);
  const auto status =
      write_folder(session.system.files, folder, program, report_text(crash, arguments, repeat), repeat);
  if (status.ok()) {
    report.note(fmt::format("`{}` holds the program as it was and what is known of the fault", folder));
    report.note(fmt::format("this repeats it: {}", repeat));
  } else {
    report.note(fmt::format("cannot write `{}`: {}", folder, status.error().message));
    report.note(fmt::format("this repeats it: {}", quoted(arguments)));
  }
  report.help("please report it with that folder");
}

}  // namespace pyptoc::driver
