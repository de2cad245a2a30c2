// SPDX-License-Identifier: Apache-2.0
// Reading in two steps: bytes to a tree of values, tree to IR.
#include "serial/reader.h"

#include "serial/graph_builder.h"
#include "serial/syntax_fault.h"

namespace pyptoc::serial {

const ir::Program* read_program(ir::Context& context, std::string_view bytes, diag::Engine& diagnostics,
                                const ReadOptions& options) {
  std::size_t errors_before = diagnostics.error_count();
  std::uint64_t most = diag::Place::kNoOffset - 1;
  if (bytes.size() > most) {
    diagnostics.report(diag::codes::input_too_large, diag::kNowhere, most, std::uint64_t{bytes.size()});
    return nullptr;
  }
  Encoding encoding = encoding_of(bytes);
  if (encoding == Encoding::Unknown) {
    report_unknown_encoding(diagnostics, bytes);
    return nullptr;
  }
  ValueTree tree(bytes);
  std::vector<IdEntry> ids;
  if (!parse_values(encoding, {options.max_nesting, options.max_errors}, diagnostics, tree, ids)) return nullptr;
  GraphBuilder builder(context, tree, diagnostics, options);
  builder.index_ids(std::move(ids));
  const ir::Program* program = builder.build();
  return diagnostics.error_count() == errors_before ? program : nullptr;
}

}  // namespace pyptoc::serial
