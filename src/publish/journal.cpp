// SPDX-License-Identifier: Apache-2.0
// The steps of an update in place. One step a line, each path to the end of its line: safe paths hold no line end.
#include "publish/journal.h"

#include <fmt/format.h>

#include <iterator>

#include "support/safe_name.h"

namespace pyptoc::publish {
namespace {

constexpr std::string_view kHeader = "pyptoc journal 1\n";
constexpr std::string_view kEnd = "end\n";

using support::Error;
using support::Status;

Status parse_step(std::string_view line, Journal& journal) {
  const size_t space = line.find(' ');
  const std::string_view verb = line.substr(0, space);
  std::string_view rest = space == std::string_view::npos ? std::string_view() : line.substr(space + 1);
  Journal::Install install;
  if (verb == "install") {
    const size_t next = std::min(rest.find(' '), rest.size());
    install.staged = rest.substr(0, next);
    if (install.staged.find_first_not_of("0123456789") != std::string::npos || install.staged.empty())
      return Error{"a step names no staged file"};
    rest.remove_prefix(std::min(next + 1, rest.size()));
  } else if (verb != "remove") {
    return Error{"a step is not known"};
  }
  auto path = support::safe_relative_path(rest);
  if (!path.ok()) return path.error();
  if (verb == "remove") {
    journal.removals.push_back(std::move(path.value()));
  } else {
    install.path = std::move(path.value());
    journal.installs.push_back(std::move(install));
  }
  return support::Done{};
}

}  // namespace

std::string render_journal(const Journal& journal) {
  std::string out(kHeader);
  for (const std::string& path : journal.removals) fmt::format_to(std::back_inserter(out), "remove {}\n", path);
  for (const Journal::Install& install : journal.installs)
    fmt::format_to(std::back_inserter(out), "install {} {}\n", install.staged, install.path);
  return out.append(kEnd);
}

support::Result<Journal> parse_journal(std::string_view text) {
  if (!text.starts_with(kHeader) || !text.ends_with(kEnd)) return Error{"the journal is damaged"};
  text.remove_prefix(kHeader.size());
  text.remove_suffix(std::min(kEnd.size(), text.size()));
  Journal journal;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    PYPTOC_TRY(parse_step(text.substr(0, end), journal));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return journal;
}

}  // namespace pyptoc::publish
