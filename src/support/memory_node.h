// SPDX-License-Identifier: Apache-2.0
// The parts of MemoryFileSystem that its source files share; for no one else.
#pragma once

#include <map>
#include <string>
#include <system_error>

#include "support/memory_file_system.h"

namespace pyptoc::support {

struct MemoryFileSystem::Node {
  using Children = std::map<std::string, NodePtr>;

  FileKind kind = FileKind::kFile;
  uint64_t id = 0;
  uint64_t device = 1;
  int64_t mtime = 0;
  uint32_t mode = 0644;
  uint32_t owner = 0;
  std::string content;  // of a link: its target
  Children children;
  std::string durable_content;
  Children durable_children;

  bool is_directory() const { return kind == FileKind::kDirectory; }
};

struct MemoryFileSystem::Slot {
  NodePtr parent;  // null for the root
  std::string parent_name;
  std::string name;
  NodePtr node;  // null when nothing is there
};

inline Error memory_error(int code) {
  return {std::generic_category().message(code), code};
}

}  // namespace pyptoc::support
