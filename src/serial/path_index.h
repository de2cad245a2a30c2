// SPDX-License-Identifier: Apache-2.0
// From an offset in the input to the path of the value there.
#pragma once

#include <string>
#include <vector>

#include "serial/value_tree.h"

namespace pyptoc::serial {

// Made in one go over the tree; a query takes logarithmic time, because a program may get as many warnings as it has
// statements.
class PathIndex {
 public:
  explicit PathIndex(ValueTree tree);

  // Of the last value that begins at or before the byte: `$.functions[2].value.body.stmts[0]`. Maps of fields are not
  // named. Empty when there is no value at all.
  std::string path_at(uint32_t offset) const;

 private:
  struct Entry {
    uint32_t value;
    uint32_t around;    // the entry of the list or map that it is in; of the root itself
    uint32_t position;  // in there
  };

  ValueTree tree_;
  std::vector<Entry> entries_;  // in the order of offsets
};

}  // namespace pyptoc::serial
