// SPDX-License-Identifier: Apache-2.0
#include "codegen/build_tree.h"

#include <fmt/format.h>

#include <deque>
#include <set>

#include "codegen/builtin_unit.h"
#include "codegen/chip_unit.h"
#include "codegen/external_kernel.h"
#include "codegen/host_tree.h"
#include "codegen/kernel_config.h"
#include "codegen/meta_json.h"
#include "codegen/template_store.h"
#include "diag/codes_emit.h"
#include "diag/codes_io.h"
#include "ir/node_map.h"
#include "passes/collective_kernels.h"
#include "support/parallel.h"
#include "support/safe_name.h"
#include "support/sha256.h"

namespace pyptoc::codegen {

using namespace ir;

namespace {

class TreeBuilder {
 public:
  TreeBuilder(const Program* program, const BuildOptions& options, support::FileSystem& files, diag::Engine& diags)
      : program_(program), options_(options), files_(files), diags_(diags) {
    folders_.reserve_prefix("builtin.");  // sub-builds of collectives
  }

  std::optional<BuildResult> run() {
    std::vector<const Function*> chips;
    for (const Function* f : program_->functions) {
      if (f->func_type == FunctionType::Graph) diags_.report(diag::codes::graph_without_emission, place_of(f), f->name);
      if (is_chip_orchestration(f)) chips.push_back(f);
    }
    if (chips.empty() && !diags_.has_errors())
      diags_.report(diag::codes::nothing_to_emit, place_of(program_), program_->name);
    const Function* host = find_host_orchestrator(program_, diags_);
    host_program_ = host != nullptr;
    bool alone = chips.size() == 1 && !host_program_;
    emit_chips(chips);
    for (const Function* chip : chips) sub_build(chip, alone ? "" : "next_levels/" + folder_name(chip->name) + "/");
    if (host != nullptr) host_files(host);
    list_templates_read();
    list_obligations();
    if (diags_.has_errors()) return std::nullopt;
    result_.manifest.entry = host != nullptr ? host->name : alone ? chips.front()->name : program_->name;
    return std::move(result_);
  }

 private:
  void list_templates_read() {
    auto inputs = templates_.inputs(options_.program_folder);
    if (!inputs.ok())
      diags_.report(diag::codes::cannot_read_file, diag::kNowhere, options_.template_dir, inputs.error().message);
    else
      for (publish::ManifestInput& input : *inputs) result_.manifest.inputs.push_back(std::move(input));
  }

  // Each with diagnostics of its own, which come together in the order of the program.
  void emit_chips(const std::vector<const Function*>& chips) {
    std::vector<ChipUnit> units(chips.size());
    std::deque<diag::Engine> reports;
    while (reports.size() < chips.size()) reports.emplace_back(options_.warnings);
    support::for_each_parallel(chips.size(), options_.jobs, [&](size_t i) {
      units[i] = emit_chip_unit(program_, chips[i], options_.target, reports[i]);
    });
    for (size_t i = 0; i < chips.size(); ++i) {
      diags_.absorb(std::move(reports[i]));
      units_[chips[i]] = std::move(units[i]);
    }
  }

  std::string folder_name(std::string_view name) { return folders_.name_for(name); }

  void add(const std::string& path, std::string content, std::string_view kind) {
    support::Status status = result_.tree.add(path, std::move(content), kind);
    if (!status.ok()) support::internal_error("output `" + path + "`: " + status.error().message, __FILE__, __LINE__);
  }

  void host_files(const Function* host) {
    HostTree tree = render_host_tree(
        program_, host, options_.target, [this](const Function* chip) { return folder_name(chip->name); }, diags_);
    for (HostFile& file : tree.files) add(file.path, std::move(file.content), file.kind);
    result_.manifest.domains = std::move(tree.domains);
    for (const CollectiveVariant& variant : tree.builtins) builtin_unit(variant);
  }

  void builtin_unit(const CollectiveVariant& variant) {
    std::optional<BuiltinUnit> unit = render_builtin_unit(variant, options_.target, templates_, diags_);
    if (!unit) return;
    for (BuiltinFile& file : unit->files) add(file.path, std::move(file.content), file.kind);
    result_.manifest.chips.push_back(std::move(unit->facts));
  }

  void sub_build(const Function* chip, const std::string& folder) {
    ChipUnit unit = std::move(units_[chip]);
    support::NameAllocator stems(support::NameRules{.cpp = false, .python = false, .file = true});
    KernelConfig config;
    config.orchestration_source = fmt::format("orchestration/{}.cpp", stems.name_for(chip->name));
    config.orchestration_signature = unit.signature;
    publish::ManifestChip facts;
    facts.name = chip->name;
    facts.folder = folder.empty() ? "" : folder.substr(0, folder.size() - 1);
    facts.entry = "aicpu_orchestration_entry";
    for (const Kernel& kernel : unit.kernels) add_kernel(kernel, folder, stems, config, facts);
    add(folder + config.orchestration_source, std::move(unit.source), "orchestration");
    add(folder + "kernel_config.py", render_kernel_config(config), "kernel_config");
    if (!host_program_) add(folder + "compiled_meta.json", render_compiled_meta(chip, options_.target), "meta");
    result_.manifest.chips.push_back(std::move(facts));
  }

  void add_kernel(const Kernel& kernel, const std::string& folder, support::NameAllocator& stems, KernelConfig& config,
                  publish::ManifestChip& facts) {
    const Function* f = kernel.function;
    KernelEntry entry;
    entry.name = f->name;
    entry.is_cube = kernel.is_cube;
    entry.signature = kernel.signature;
    entry.is_external = find_attr(f->attrs, "external_source") != nullptr;
    std::string stem = stems.name_for(f->name);
    std::string core = kernel.is_cube ? "aic" : "aiv";
    entry.source = fmt::format("kernels/{}/{}.cpp", core, stem);
    const std::optional<CollectiveVariant> variant = passes::collective_variant(f);
    const bool emitted = variant ? add_collective(*variant, folder + entry.source)
                                 : entry.is_external && add_external(f, folder, core, stem, entry);
    if (!variant && !entry.is_external && !options_.orchestration_only)
      diags_.report(diag::codes::kernel_body_without_emission, place_of(f), f->name)
          .help("`--emit orchestration` leaves out the bodies of kernels");
    publish::ManifestKernel row;
    row.func_id = static_cast<int64_t>(config.kernels.size());
    row.name = f->name;
    row.core = core;
    for (Signature s : kernel.signature) row.signature.emplace_back(name_of(s));
    row.source = folder + entry.source;
    row.external = entry.is_external;
    row.body_emitted = emitted;
    facts.kernels.push_back(std::move(row));
    config.kernels.push_back(std::move(entry));
  }

  // Both rails use the same text.
  bool add_collective(const CollectiveVariant& variant, const std::string& path) {
    std::optional<std::string> text = render_collective_kernel(variant, templates_, diags_);
    if (text) add(path, std::move(*text), "builtin_kernel");
    return text.has_value();
  }

  // What passes found that only the user can guarantee; one line each.
  void list_obligations() {
    for (const Function* f : program_->functions) {
      const AttrValue* lines = find_attr(f->attrs, "obligations");
      if (lines == nullptr || lines->kind() != AttrKind::String) continue;
      for (std::string_view rest = lines->as_string(); !rest.empty();) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        result_.manifest.obligations.push_back({std::string(f->name), std::string(rest.substr(0, end))});
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
  }

  // One file goes where a kernel of the program would; with includes the files keep their places below a folder.
  bool add_external(const Function* f, const std::string& folder, const std::string& core, const std::string& stem,
                    KernelEntry& entry) {
    std::optional<ExternalKernel> kernel =
        read_external_kernel(f, options_.program_folder, files_, diags_, options_.orchestration_only);
    if (!kernel) return false;
    bool alone = kernel->files.size() == 1;
    std::string base = fmt::format("kernels/{}/{}.d/", core, stem);
    for (CopiedFile& file : kernel->files) {
      if (inputs_.insert(file.from).second)
        result_.manifest.inputs.push_back({file.from, support::sha256(file.content)});
      // The only names in the output that the program did not give: they come from its files.
      support::Status status = result_.tree.add(folder + (alone ? entry.source : base + file.path),
                                                std::move(file.content), "external_kernel");
      if (!status.ok()) diags_.report(diag::codes::bad_output_path, place_of(f), status.error().message);
    }
    if (!alone) {
      entry.source = base + kernel->source;
      for (const std::string& dir : kernel->include_dirs) entry.include_dirs.push_back(base + dir);
    }
    return true;
  }

  const Program* program_;
  const BuildOptions& options_;
  support::FileSystem& files_;
  diag::Engine& diags_;
  NodeMap<ChipUnit> units_;  // of the chip orchestrations
  support::NameAllocator folders_{support::NameRules{.cpp = false, .python = false, .file = true}};
  bool host_program_ = false;
  TemplateStore templates_ =
      options_.template_dir.empty() ? TemplateStore() : TemplateStore(files_, options_.template_dir);
  std::set<std::string> inputs_;  // kernels share headers
  BuildResult result_;
};

}  // namespace

std::optional<BuildResult> build_tree(const Program* program, const BuildOptions& options, support::FileSystem& files,
                                      diag::Engine& diags) {
  return TreeBuilder(program, options, files, diags).run();
}

}  // namespace pyptoc::codegen
