// SPDX-License-Identifier: Apache-2.0
#include "driver/text_round_trip.h"

#include <fmt/format.h>

#include "diag/engine.h"
#include "ir/context.h"
#include "ir/equal.h"
#include "support/internal_error.h"
#include "text/parser.h"
#include "text/printer.h"

namespace pyptoc::driver {

void require_text_round_trip(const ir::Program* program, std::string_view after_pass) {
  ir::Context context;
  diag::Engine diags;
  const std::string text = text::print_program(program);
  const ir::Program* again = text::parse_program(context, text, "program", diags);
  std::string fault;
  if (again == nullptr) {
    for (const diag::Diagnostic& d : diags.sorted())
      fault += fmt::format("\n  line {}: {} {}", d.place.begin_line, d.code->id, d.message);
    support::internal_error(fmt::format("the program after {} cannot be read as text:{}", after_pass, fault), __FILE__,
                            __LINE__);
  }
  if (const auto difference = ir::first_difference(program, again))
    support::internal_error(fmt::format("the program after {} does not survive as text: {}: {}", after_pass,
                                        difference->path, difference->text),
                            __FILE__, __LINE__);
}

}  // namespace pyptoc::driver
