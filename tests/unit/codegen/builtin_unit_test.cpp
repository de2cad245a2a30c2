// SPDX-License-Identifier: Apache-2.0
// Every variant of every collective, rendered: kernels for both rails, sub-builds for the HOST rail.
#include "codegen/builtin_unit.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>

#include "codegen/embedded_templates.h"
#include "codegen/kernel_config.h"
#include "ir/dtype_names.h"
#include "paths.h"
#include "publish/output_tree.h"
#include "support/memory_file_system.h"
#include "support/real_file_system.h"
#include "temporary_folder.h"

namespace pyptoc::codegen {
namespace {

using ir::Collective;
using ir::CollectiveInfo;
using ir::CollectiveVariant;
using ir::DType;
using ir::ReduceOp;

// Without `all`, of the collectives that the HOST rail has.
std::vector<CollectiveVariant> every_variant(bool all = false) {
  std::vector<CollectiveVariant> out;
  for (const CollectiveInfo& info : ir::all_collectives()) {
    if (!info.on_host && !all) continue;
    if (info.id == Collective::Barrier) out.push_back({info.id, DType::Fp32, ReduceOp::Sum, 0});
    for (DType dtype : ir::supported_dtypes(info.id)) {
      if (!info.reduces) out.push_back({info.id, dtype, ReduceOp::Sum, info.id == Collective::Broadcast ? 3 : 0});
      for (ReduceOp op : ir::supported_reduce_ops(info.id)) out.push_back({info.id, dtype, op, 0});
    }
  }
  return out;
}

BuiltinUnit unit_of(const CollectiveVariant& variant, const passes::Target& target = passes::kTargets[0]) {
  TemplateStore store;
  diag::Engine diags;
  auto unit = render_builtin_unit(variant, target, store, diags);
  REQUIRE(unit.has_value());
  CHECK(diags.empty());
  return std::move(*unit);
}

CollectiveVariant variant_named(std::string_view name) {
  const auto variant = ir::parse_variant_name(name);
  REQUIRE(variant.has_value());
  return *variant;
}

TEST_CASE("a sub-build has the files that its table names", "[builtin]") {
  const BuiltinUnit unit = unit_of(variant_named("allreduce__sum__fp32"));
  const std::string folder = "next_levels/builtin.tensor.allreduce__sum__fp32";
  REQUIRE(unit.files.size() == 3);
  CHECK(unit.files[0].path == folder + "/orchestration/builtin_tensor_allreduce__sum__fp32.cpp");
  CHECK(unit.files[1].path == folder + "/kernels/aiv/builtin_tensor_allreduce__sum__fp32_kernel.cpp");
  CHECK(unit.files[2].path == folder + "/kernel_config.py");
  CHECK(unit.facts.name == "builtin.tensor.allreduce__sum__fp32");
  CHECK(unit.facts.folder == folder);
  CHECK(unit.facts.entry == "aicpu_orchestration_entry");
  REQUIRE(unit.facts.kernels.size() == 1);
  CHECK(unit.facts.kernels[0].name == "builtin_tensor_allreduce__sum__fp32_kernel");
  CHECK(unit.facts.kernels[0].source == unit.files[1].path);
  CHECK(unit.facts.kernels[0].signature == std::vector<std::string>{"INOUT", "INOUT"});
  CHECK(unit.facts.kernels[0].core == "aiv");
  CHECK(unit.facts.kernels[0].body_emitted);
  publish::OutputTree tree;
  for (const BuiltinFile& file : unit.files) CHECK(tree.add(file.path, file.content, file.kind).ok());
}

TEST_CASE("kernel_config.py is what the emitter would write", "[builtin]") {
  for (const CollectiveVariant& variant : every_variant()) {
    const CollectiveInfo& info = ir::collective_info(variant.id);
    const std::string entry = builtin_entry_name(variant);
    KernelConfig config;
    KernelEntry kernel;
    for (size_t i = 0; i < info.operand_count; ++i)
      kernel.signature.push_back(info.directions[i] == ir::ArgDirection::Input ? Signature::In : Signature::InOut);
    kernel.name = entry + "_kernel";
    kernel.source = "kernels/aiv/" + kernel.name + ".cpp";
    config.orchestration_source = "orchestration/" + entry + ".cpp";
    config.orchestration_signature = kernel.signature;
    config.kernels.push_back(kernel);
    CHECK(unit_of(variant).files[2].content == render_kernel_config(config));
  }
}

TEST_CASE("both rails and both targets share one text of a kernel", "[builtin]") {
  std::map<std::string, std::string> by_text;
  for (const CollectiveVariant& variant : every_variant()) {
    TemplateStore store;
    diag::Engine diags;
    const auto kernel = render_collective_kernel(variant, store, diags);
    REQUIRE(kernel.has_value());
    for (const passes::Target& target : passes::kTargets) CHECK(unit_of(variant, target).files[1].content == *kernel);
    CHECK(kernel->find("{{") == std::string::npos);
    CHECK(kernel->starts_with("// "));
    const std::string name = ir::variant_name(variant);
    INFO(name << " and " << by_text[*kernel]);
    CHECK(by_text[*kernel].empty());
    by_text[*kernel] = name;
  }
}

TEST_CASE("a kernel differs by its element type, reduction and root only", "[builtin]") {
  const auto values = [](std::string_view name) {
    std::string text;
    for (const TemplateValue& value : kernel_values(variant_named(name)))
      text += std::string(value.name) + "=" + value.text + " ";
    return text;
  };
  CHECK(values("allreduce__prod__bfloat16") == "dtype_cpp=bfloat16_t reduce_instruction=TMUL ");
  CHECK(values("allreduce_ring__sum__fp16") == "dtype_cpp=half transfer_atomic=AtomicAdd ");
  CHECK(values("reduce_scatter__min__int32") == "dtype_cpp=int32_t reduce_instruction=TMIN ");
  CHECK(values("broadcast__root7__bool") == "dtype_cpp=bool root=7 ");
  CHECK(values("allgather__uint64") == "dtype_cpp=uint64_t ");
  CHECK(values("all_to_all_v__int8") == "dtype_cpp=int8_t ");
  CHECK(values("barrier__fp32").empty());
}

TEST_CASE("a launch gives its width in the words of the target", "[builtin]") {
  const auto has = [](const passes::Target& target, std::string_view name, std::string_view text) {
    return unit_of(variant_named(name), target).files[0].content.find(text) != std::string::npos;
  };
  for (const char* name : {"allreduce__max__fp16", "all_to_all_v__int32"}) {
    CHECK(has(passes::kTargets[0], name, "launch_spec.set_block_num("));
    CHECK(has(passes::kTargets[1], name, "launch_spec.set_core_num("));
    CHECK(has(passes::kTargets[1], name, "set_require_sync_start(true)"));
  }
  CHECK_FALSE(has(passes::kTargets[0], "barrier__fp32", "launch_spec"));
}

// Warnings are errors, as in the project's own code. `flags` may name a macro of the stand-in.
bool compiles(const TemporaryFolder& folder, const std::string& source, const std::string& flags) {
  folder.write("unit.cpp", source);
  const std::string command = "g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only " + flags + " -I" +
                              test_support::source_dir().string() + "/tests/runtime/include " +
                              folder.path("unit.cpp") + " 2> " + folder.path("log");
  const bool good = std::system(command.c_str()) == 0;
  if (!good) WARN(folder.read("log"));
  return good;
}

TEST_CASE("every entry compiles for both targets", "[builtin]") {
  TemporaryFolder folder;
  std::map<std::string, bool> seen;  // entries of one collective differ in their names only
  for (const CollectiveVariant& variant : every_variant()) {
    const std::string name(ir::collective_info(variant.id).name);
    if (!seen.emplace(name, true).second) continue;
    INFO(name);
    CHECK(compiles(folder, unit_of(variant, passes::kTargets[0]).files[0].content, ""));
    CHECK(compiles(folder, unit_of(variant, passes::kTargets[1]).files[0].content, "-DSTANDIN_A5"));
  }
}

// All kernels in one unit, each in a namespace, so that the headers are read once.
TEST_CASE("every kernel compiles", "[builtin]") {
  TemporaryFolder folder;
  std::string source;
  for (const char* header : {"cstdint", "pto/pto-inst.hpp", "intrinsic.h", "platform_comm/comm_context.h",
                             "pto/comm/comm_types.hpp", "pto/comm/pto_comm_inst.hpp", "tensor.h"})
    source += "#include <" + std::string(header) + ">\n";
  size_t count = 0;
  for (const CollectiveVariant& variant : every_variant(true)) {
    TemplateStore store;
    diag::Engine diags;
    const std::string name = builtin_entry_name(variant);
    source += "#define kernel_entry entry_of_" + name + "\n#line 1 \"" + name + "\"\nnamespace " + name + " {\n" +
              render_collective_kernel(variant, store, diags).value_or("") + "}\n#undef kernel_entry\n";
    ++count;
  }
  CHECK(count == 85 + 12);
  CHECK(compiles(folder, source, "-I" + test_support::source_dir().string() + "/tests/runtime/ranks/include"));
}

TEST_CASE("docs/collectives.md has the table of what is supported", "[builtin]") {
  const support::Result<std::string> page =
      support::RealFileSystem().read_file(test_support::source_dir().string() + "/docs/collectives.md");
  REQUIRE(page.ok());
  const auto upper = [](std::string_view name) {
    std::string text(name == "bfloat16" ? "bf16" : name);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
    return text;
  };
  for (const CollectiveInfo& info : ir::all_collectives()) {
    std::string types;
    std::string reductions;
    for (DType dtype : ir::supported_dtypes(info.id))
      types += (types.empty() ? "" : ", ") + upper(ir::lower_name_of(dtype));
    for (ReduceOp op : ir::supported_reduce_ops(info.id))
      reductions += (reductions.empty() ? "" : ", ") + std::string(ir::name_of(op));
    const auto cell = [](const std::string& text) { return text.empty() ? std::string(" |") : " " + text + " |"; };
    const std::string row = "\n| " + std::string(info.name) + " |" + cell(types) + cell(reductions) + "\n";
    INFO(row);
    CHECK(page->find(row) != std::string::npos);
  }
}

TEST_CASE("a folder's templates take the place of all built-in ones", "[builtin]") {
  support::MemoryFileSystem files;
  for (const char* folder : {"/t", "/t/collectives", "/t/collectives/barrier"})
    REQUIRE(files.make_directory(folder).ok());
  REQUIRE(files.write_file("/t/collectives/barrier/kernel.cpp.in", "// mine\n").ok());
  TemplateStore store(files, "/t");
  diag::Engine diags;
  CHECK(render_collective_kernel(variant_named("barrier__fp32"), store, diags) == "// mine\n");
  CHECK(diags.empty());
  CHECK_FALSE(render_builtin_unit(variant_named("barrier__fp32"), passes::kTargets[0], store, diags).has_value());
  CHECK(diags.error_count() == 2);
}

}  // namespace
}  // namespace pyptoc::codegen
