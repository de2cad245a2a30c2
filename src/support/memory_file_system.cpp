// SPDX-License-Identifier: Apache-2.0
// A file system in memory that fails, fills up, crashes and loses power where a test tells it to.
#include "support/memory_file_system.h"

#include <cerrno>
#include <utility>

#include "support/file_tools.h"
#include "support/memory_node.h"

namespace pyptoc::support {
namespace {

constexpr int kMostLinks = 40;  // symbolic links followed on the way to one file, as in Linux

}  // namespace

MemoryFileSystem::MemoryFileSystem() : root_(make_node(FileKind::kDirectory)) {}

// Directories may own each other's nodes in `durable_children`, also in a circle after a move.
MemoryFileSystem::~MemoryFileSystem() {
  std::vector<NodePtr> all{root_};
  std::set<const Node*> seen{root_.get()};
  for (size_t i = 0; i < all.size(); ++i) {
    for (const auto* children : {&all[i]->children, &all[i]->durable_children})
      for (const auto& [name, child] : *children)
        if (seen.insert(child.get()).second) all.push_back(child);
  }
  for (const NodePtr& node : all) {
    node->children.clear();
    node->durable_children.clear();
  }
}

void MemoryFileSystem::touch(Node& node) {
  node.mtime = ++clock_;
}

MemoryFileSystem::NodePtr MemoryFileSystem::make_node(FileKind kind) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->id = next_id_++;
  node->mode = kind == FileKind::kDirectory ? 0755 : 0644;
  touch(*node);
  return node;
}

template <class Visit>
void MemoryFileSystem::visit_all(Visit visit) const {
  std::vector<Node*> pending{root_.get()};
  std::set<const Node*> seen{root_.get()};
  while (!pending.empty()) {
    Node* node = pending.back();
    pending.pop_back();
    visit(*node);
    for (const auto& [name, child] : node->children)
      if (seen.insert(child.get()).second) pending.push_back(child.get());
  }
}

// --- Faults.

void MemoryFileSystem::fail_at(uint64_t n, int code) {
  fail_at_ = n;
  fail_code_ = code;
}

void MemoryFileSystem::crash_at(uint64_t n) {
  crash_at_ = n;
}

void MemoryFileSystem::revive() {
  crashed_ = crashing_ = false;
  crash_at_.reset();
  fail_at_.reset();
  capacity_.reset();
  locked_.clear();
  ++lives_;
}

uint64_t MemoryFileSystem::bytes_used() const {
  uint64_t used = 0;
  visit_all([&](const Node& node) {
    used += node.content.size();
    for (const auto& [name, child] : node.children) used += name.size();
  });
  return used;
}

void MemoryFileSystem::cut_power(PowerCut how) {
  visit_all([&](Node& node) {
    if (how == PowerCut::kOnlyFlushed) node.children = node.durable_children;
  });
  visit_all([&](Node& node) {
    if (node.kind == FileKind::kFile) node.content = node.durable_content;
  });
  revive();
  settle();
}

void MemoryFileSystem::settle() {
  visit_all([](Node& node) {
    node.durable_content = node.content;
    node.durable_children = node.children;
  });
}

Status MemoryFileSystem::begin_operation() {
  if (crashed_) return Error{"the process is gone", EIO};
  const uint64_t number = operations_++;
  if (on_operation_) on_operation_(number);
  if (crash_at_ == number) {
    crashed_ = crashing_ = true;
    return Done{};
  }
  if (fail_at_ == number) return memory_error(fail_code_);
  return Done{};
}

// --- Setting up.

void MemoryFileSystem::make_mount_point(const std::string& directory) {
  const auto slot = find_existing(directory, true);
  PYPTOC_ASSERT(slot.ok() && slot->node->is_directory(), "not a directory");
  const uint64_t device = next_device_++;
  std::vector<Node*> pending{slot->node.get()};
  while (!pending.empty()) {
    Node* node = pending.back();
    pending.pop_back();
    node->device = device;
    for (const auto& [name, child] : node->children) pending.push_back(child.get());
  }
}

void MemoryFileSystem::set_owner(const std::string& path, uint32_t owner) {
  const auto slot = find_existing(path, true);
  PYPTOC_ASSERT(slot.ok(), "no such file");
  slot->node->owner = owner;
}

void MemoryFileSystem::make_symlink(const std::string& target, const std::string& path) {
  const auto slot = find(path, false);
  PYPTOC_ASSERT(slot.ok() && slot->parent && !slot->node, "a link cannot be made there");
  const NodePtr node = make_node(FileKind::kSymlink);
  node->content = target;
  slot->parent->children[slot->name] = node;
}

std::map<std::string, std::string> MemoryFileSystem::snapshot(const std::string& directory) {
  std::map<std::string, std::string> out;
  const auto entries = list_tree(*this, directory);
  if (!entries.ok()) return out;
  for (const DirectoryEntry& entry : *entries) {
    const auto slot = find_existing(join_path(directory, entry.path), false);
    const Node& node = *slot->node;
    if (node.is_directory()) {
      out[entry.path + "/"] = "";
    } else if (node.kind == FileKind::kSymlink) {
      out[entry.path + " -> " + node.content] = "";
    } else {
      out[entry.path] = node.content;
    }
  }
  return out;
}

// --- Finding.

Result<MemoryFileSystem::Slot> MemoryFileSystem::find(const std::string& path, bool follow_last) {
  struct Step {
    NodePtr node;
    std::string name;
  };
  std::vector<Step> at{{root_, "/"}};
  std::vector<std::string> rest;  // the next component last
  const auto push = [&](std::string_view text) {
    if (text.starts_with('/')) at.resize(1);
    std::vector<std::string> parts;
    while (!text.empty()) {
      const size_t slash = std::min(text.find('/'), text.size());
      if (slash > 0) parts.emplace_back(text.substr(0, slash));
      text.remove_prefix(std::min(slash + 1, text.size()));
    }
    rest.insert(rest.end(), parts.rbegin(), parts.rend());
  };
  push(path.starts_with('/') ? path : join_path(current_, path));
  for (int links = 0; !rest.empty();) {
    const std::string name = std::move(rest.back());
    rest.pop_back();
    if (!at.back().node->is_directory()) return memory_error(ENOTDIR);
    if (name == ".") continue;
    if (name == "..") {
      if (at.size() > 1) at.pop_back();
      continue;
    }
    const auto child = at.back().node->children.find(name);
    if (child == at.back().node->children.end()) {
      if (!rest.empty()) return memory_error(ENOENT);
      return Slot{at.back().node, at.back().name, name, nullptr};
    }
    if (child->second->kind == FileKind::kSymlink && (follow_last || !rest.empty())) {
      if (++links > kMostLinks) return memory_error(ELOOP);
      push(child->second->content);
      continue;
    }
    at.push_back({child->second, join_path(at.back().name, name)});
  }
  if (at.size() == 1) return Slot{nullptr, "", "/", root_};
  const Step& parent = at[at.size() - 2];
  return Slot{parent.node, parent.name, std::string(file_name(at.back().name)), at.back().node};
}

Result<MemoryFileSystem::Slot> MemoryFileSystem::find_existing(const std::string& path, bool follow_last) {
  auto slot = find(path, follow_last);
  if (slot.ok() && !slot->node) return memory_error(ENOENT);
  return slot;
}

Result<MemoryFileSystem::Slot> MemoryFileSystem::find_for_change(const std::string& path) {
  auto slot = find(path, false);
  if (!slot.ok()) return slot;
  if (!slot->parent) return memory_error(EBUSY);
  if (denied_.contains(slot->parent_name)) return memory_error(EACCES);
  return slot;
}

}  // namespace pyptoc::support
