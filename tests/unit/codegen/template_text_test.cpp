// SPDX-License-Identifier: Apache-2.0
// The template language and where templates come from.
#include "codegen/template_text.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "codegen/embedded_templates.h"
#include "diag/codes_host.h"
#include "diag/codes_io.h"
#include "support/internal_error.h"
#include "support/memory_file_system.h"
#include "support/sha256.h"

namespace pyptoc::codegen {
namespace {

using Kind = TemplateFault::Kind;

struct Folder {
  support::MemoryFileSystem files;
  TemplateStore store{files, "/t"};

  Folder() { REQUIRE(files.make_directory("/t").ok()); }
  void write(const std::string& name, const std::string& text) { REQUIRE(files.write_file("/t/" + name, text).ok()); }
  RenderedTemplate render(const std::string& text, std::vector<TemplateValue> values = {}) {
    write("a", text);
    return render_template("a", values, store);
  }
};

std::string rendered(const std::string& text, std::vector<TemplateValue> values = {}) {
  RenderedTemplate result = Folder().render(text, std::move(values));
  CHECK(result.faults.empty());
  return result.text;
}

TEST_CASE("Names are replaced wherever they stand", "[template]") {
  CHECK(rendered("x {{entry}} y\n{{entry}}{{kernel}}", {{"entry", "E"}, {"kernel", "K"}}) == "x E y\nEK");
  CHECK(rendered("", {}).empty());
  CHECK(rendered("no directive } { }} here\n") == "no directive } { }} here\n");
}

TEST_CASE("What a value holds is text", "[template]") {
  CHECK(rendered("{{entry}}\n", {{"entry", "{{kernel}} {{! no remark }}"}}) == "{{kernel}} {{! no remark }}\n");
}

TEST_CASE("Remarks vanish, with their line where they have one", "[template]") {
  CHECK(rendered("{{! one }}\n  {{! two }}  \na {{! three }}b\n") == "a b\n");
}

TEST_CASE("An include stands for its text", "[template]") {
  Folder folder;
  REQUIRE(folder.files.make_directory("/t/c").ok());
  folder.write("c/inner", "inner {{entry}}\n");
  folder.write("c/outer", "outer\n{{include c/inner}}\n");
  const RenderedTemplate result = folder.render("1\n  {{include c/outer}}\n2\n", {{"entry", "E"}});
  CHECK(result.faults.empty());
  CHECK(result.text == "1\nouter\ninner E\n2\n");
}

TEST_CASE("Every fault is found, with its place", "[template]") {
  Folder folder;
  folder.write("b", "\n{{rooot}}\n");
  const RenderedTemplate result = folder.render(
      "{{root}}\n{{include b}}\n{{ entry }}\nx {{kernel\n{{include b}} y\n{{include z}}\n", {{"entry", "E"}});
  REQUIRE(result.faults.size() == 6);
  const auto is = [&](size_t i, Kind kind, const std::string& path, int line, const std::string& name) {
    const TemplateFault& fault = result.faults[i];
    CHECK(fault.kind == kind);
    CHECK(fault.path == path);
    CHECK(fault.line == line);
    if (kind != Kind::kUnreadable) CHECK(fault.name == name);
  };
  is(0, Kind::kNoValue, "a", 1, "root");
  is(1, Kind::kUnknownName, "b", 2, "rooot");
  is(2, Kind::kSyntax, "a", 3, "{{ entry }}");
  is(3, Kind::kSyntax, "a", 4, "x {{kernel");
  is(4, Kind::kSyntax, "a", 5, "{{include b}}");
  is(5, Kind::kUnreadable, "z", -1, "");
}

TEST_CASE("A value must be used, by the template or by what it includes", "[template]") {
  Folder folder;
  folder.write("b", "{{entry}}\n");
  CHECK(folder.render("{{include b}}\n", {{"entry", "E"}}).faults.empty());
  const RenderedTemplate result = folder.render("{{include b}}\n", {{"entry", "E"}, {"kernel", "K"}});
  (void)result;
  Folder other;
  const RenderedTemplate unused = other.render("{{entry}}\n", {{"entry", "E"}, {"kernel", "K"}});
  REQUIRE(unused.faults.size() == 1);
  CHECK(unused.faults[0].kind == Kind::kUnusedValue);
  CHECK(unused.faults[0].name == "kernel");
}

TEST_CASE("A template that includes itself is found", "[template]") {
  Folder folder;
  folder.write("b", "{{include a}}\n");
  const RenderedTemplate result = folder.render("{{include b}}\n");
  REQUIRE(result.faults.size() == 1);
  CHECK(result.faults[0].kind == Kind::kTooDeep);
}

// The messages, in the order of the reports.
std::vector<const diag::CodeInfo*> codes_of(const diag::Engine& diags) {
  std::vector<const diag::CodeInfo*> codes;
  for (const diag::Diagnostic& d : diags.sorted()) codes.push_back(d.code);
  return codes;
}

TEST_CASE("Faults of a folder's templates are diagnostics that point into them", "[template]") {
  Folder folder;
  diag::Engine diags;
  folder.write("b", "{{include a}}\n");
  const RenderedTemplate result =
      folder.render("{{include b}}\n{{include gone}}\n{{entri}}\n{{root}}\n{{x\n", {{"entry", "E"}});
  report_template_faults(result.faults, folder.store, diags);
  Folder unused;
  report_template_faults(unused.render("\n", {{"kernel", "K"}}).faults, unused.store, diags);
  const auto codes = codes_of(diags);
  const auto has = [&](const diag::CodeInfo& code) { return std::count(codes.begin(), codes.end(), &code) > 0; };
  CHECK(has(diag::codes::template_too_deep));
  CHECK(has(diag::codes::cannot_read_file));
  CHECK(has(diag::codes::template_unknown_name));
  CHECK(has(diag::codes::template_no_value));
  CHECK(has(diag::codes::template_syntax));
  CHECK(has(diag::codes::template_unused_value));
  for (const diag::Diagnostic& d : diags.sorted()) {
    if (d.code != &diag::codes::template_unknown_name) continue;
    CHECK(d.place.filename == "/t/a");
    CHECK(d.message == "template uses `entri`, which stands for nothing");
    REQUIRE(d.helps.size() == 1);
    CHECK(d.helps[0] == "did you mean `entry`?");
  }
}

TEST_CASE("A fault of a built-in template is a bug of ours", "[template]") {
  TemplateStore store;
  const RenderedTemplate result = render_template("collectives/nothing/kernel.cpp.in", {}, store);
  diag::Engine diags;
  CHECK_THROWS_AS(report_template_faults(result.faults, store, diags), support::InternalError);
}

TEST_CASE("The store tells the manifest what it read", "[template]") {
  support::MemoryFileSystem files;
  for (const char* folder : {"/work", "/work/prog", "/work/tpl", "/work/tpl/x"})
    REQUIRE(files.make_directory(folder).ok());
  REQUIRE(files.write_file("/work/tpl/x/one", "1").ok());
  REQUIRE(files.write_file("/work/tpl/two", "2").ok());
  REQUIRE(files.write_file("/work/tpl/three", "3").ok());
  files.set_current_directory("/work");
  TemplateStore store(files, "tpl");
  CHECK(store.shown("x/one") == "tpl/x/one");
  REQUIRE(store.read("x/one").ok());
  REQUIRE(store.read("two").ok());
  REQUIRE(store.read("two").ok());
  CHECK_FALSE(store.read("four").ok());
  const auto inputs = store.inputs("prog");
  REQUIRE(inputs.ok());
  REQUIRE(inputs->size() == 2);
  CHECK(inputs->at(0).path == "../tpl/two");
  CHECK(inputs->at(0).sha256 == support::sha256("2"));
  CHECK(inputs->at(1).path == "../tpl/x/one");
  TemplateStore built_in;
  REQUIRE(built_in.read("collectives/barrier/kernel.cpp.in").ok());
  CHECK(built_in.inputs("prog")->empty());
}

TEST_CASE("Relative paths", "[template]") {
  CHECK(relative_path("/a/b", "/a/c/d") == "../c/d");
  CHECK(relative_path("/a", "/a/c") == "c");
  CHECK(relative_path("/a/b", "/a") == "..");
  CHECK(relative_path("/a", "/a") == ".");
  CHECK(relative_path("/", "/a") == "a");
  CHECK(relative_path("/ab", "/a") == "../a");
}

TEST_CASE("The table of templates is sorted and every name of the language is used", "[template]") {
  const auto files = embedded_templates();
  REQUIRE_FALSE(files.empty());
  TemplateStore store;
  std::vector<std::string_view> used;
  for (size_t i = 0; i < files.size(); ++i) {
    if (i > 0) CHECK(files[i - 1].path < files[i].path);
    CHECK(files[i].text.starts_with("{{! SPDX-License-Identifier: Apache-2.0 }}\n"));
    for (std::string_view name : names_used_by(std::string(files[i].path), store)) used.push_back(name);
  }
  for (const TemplateName& name : template_names()) {
    INFO(name.name);
    CHECK(std::find(used.begin(), used.end(), name.name) != used.end());
  }
}

}  // namespace
}  // namespace pyptoc::codegen
