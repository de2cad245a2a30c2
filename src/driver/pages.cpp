// SPDX-License-Identifier: Apache-2.0
// Which page it is, and where the file for Make is.
#include "driver/pages.h"

#include "diag/codes_usage.h"
#include "support/file_tools.h"

namespace pyptoc::driver {
namespace {

constexpr std::string_view kMakeInclude = "share/pyptoc/pyptoc.mk";  // below the prefix; `bin` is beside `share`

std::string make_include(System& system, diag::Engine& diags) {
  const std::string prefix = support::parent_path(support::parent_path(system.executable));
  const std::string path = support::join_path(prefix, kMakeInclude);
  const auto stat = system.files.stat(path);
  if (!system.executable.empty() && stat.ok() && stat->has_value()) return path + "\n";
  diags.report(diag::codes::not_installed, diag::kNowhere, kMakeInclude);
  return {};
}

}  // namespace

std::string page_text(Page page, System& system, diag::Engine& diags) {
  switch (page) {
    case Page::kMakeInclude:
      return make_include(system, diags);
    case Page::kBash:
      return bash_completion();
    case Page::kZsh:
      return zsh_completion();
    case Page::kFish:
      return fish_completion();
    case Page::kManPage:
      return man_page();
    case Page::kMarkdown:
      break;
  }
  return markdown_reference();
}

}  // namespace pyptoc::driver
