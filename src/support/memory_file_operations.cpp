// SPDX-License-Identifier: Apache-2.0
// The operations of MemoryFileSystem.
#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "support/file_tools.h"
#include "support/memory_file_system.h"
#include "support/memory_node.h"

namespace pyptoc::support {

class MemoryFileSystem::Lock final : public FileLock {
 public:
  Lock(MemoryFileSystem& fs, uint64_t id, std::string remove)
      : fs_(fs), id_(id), life_(fs.lives_), remove_(std::move(remove)) {}
  ~Lock() override {
    if (fs_.crashed_ || fs_.lives_ != life_) return;
    // Not an operation: the real one cannot be seen to fail here either.
    if (auto slot = fs_.find(remove_, false); !remove_.empty() && slot.ok() && slot->parent)
      slot->parent->children.erase(slot->name);
    fs_.locked_.erase(id_);
  }

 private:
  MemoryFileSystem& fs_;
  uint64_t id_;
  uint64_t life_;
  std::string remove_;
};

// Half of it when the process is killed here; as much as fits when the disk is full.
Status MemoryFileSystem::fill(Node& file, std::string_view content) {
  if (std::exchange(crashing_, false)) {
    file.content = content.substr(0, content.size() / 2);
    return Error{"the process is gone", EIO};
  }
  touch(file);
  const uint64_t others = bytes_used() - file.content.size();
  const uint64_t room = capacity_ ? (*capacity_ > others ? *capacity_ - others : 0) : content.size();
  file.content = content.substr(0, room);
  if (room < content.size()) return memory_error(ENOSPC);
  return Done{};
}

#define PYPTOC_BEGIN_OPERATION()                                                   \
  PYPTOC_TRY(begin_operation());                                                   \
  do {                                                                             \
    if (std::exchange(crashing_, false)) return Error{"the process is gone", EIO}; \
  } while (false)

Result<std::string> MemoryFileSystem::read_file(const std::string& path) {
  if (crashed_) return memory_error(EIO);
  const auto slot = find_existing(path, true);
  if (!slot.ok()) return slot.error();
  if (slot->node->is_directory()) return memory_error(EISDIR);
  return slot->node->content;
}

Status MemoryFileSystem::create_file(const std::string& path, std::string_view content) {
  PYPTOC_TRY(begin_operation());
  const auto slot = find_for_change(path);
  if (!slot.ok()) return slot.error();
  if (slot->node) return memory_error(EEXIST);
  if (capacity_ && bytes_used() + slot->name.size() > *capacity_) return memory_error(ENOSPC);
  const NodePtr node = make_node(FileKind::kFile);
  node->device = slot->parent->device;
  slot->parent->children[slot->name] = node;
  return fill(*node, content);
}

Status MemoryFileSystem::write_file(const std::string& path, std::string_view content) {
  const auto slot = find(path, true);
  if (!slot.ok()) return slot.error();
  if (!slot->node) return create_file(join_path(slot->parent_name, slot->name), content);
  PYPTOC_TRY(begin_operation());
  if (slot->node->is_directory()) return memory_error(EISDIR);
  return fill(*slot->node, content);
}

Status MemoryFileSystem::flush(const std::string& path) {
  PYPTOC_BEGIN_OPERATION();
  const auto slot = find_existing(path, true);
  if (!slot.ok()) return slot.error();
  slot->node->durable_content = slot->node->content;
  slot->node->durable_children = slot->node->children;
  return Done{};
}

Status MemoryFileSystem::rename(const std::string& from, const std::string& to) {
  PYPTOC_BEGIN_OPERATION();
  const auto source = find_for_change(from);
  if (!source.ok()) return source.error();
  const auto target = find_for_change(to);
  if (!target.ok()) return target.error();
  if (!source->node) return memory_error(ENOENT);
  if (source->node->device != source->parent->device) return memory_error(EBUSY);
  if (source->node->device != target->parent->device) return memory_error(EXDEV);
  if (target->node) {
    if (target->node == source->node) return Done{};
    if (target->node->is_directory() != source->node->is_directory())
      return memory_error(target->node->is_directory() ? EISDIR : ENOTDIR);
    if (!target->node->children.empty()) return memory_error(ENOTEMPTY);
  }
  source->parent->children.erase(source->name);
  target->parent->children[target->name] = source->node;
  touch(*source->parent);
  touch(*target->parent);
  return Done{};
}

Status MemoryFileSystem::exchange(const std::string& a, const std::string& b) {
  PYPTOC_BEGIN_OPERATION();
  if (!exchange_) return memory_error(EINVAL);
  const auto first = find_for_change(a);
  if (!first.ok()) return first.error();
  const auto second = find_for_change(b);
  if (!second.ok()) return second.error();
  if (!first->node || !second->node) return memory_error(ENOENT);
  for (const auto* slot : {&*first, &*second})
    if (slot->node->device != slot->parent->device) return memory_error(EBUSY);
  if (first->node->device != second->node->device) return memory_error(EXDEV);
  first->parent->children[first->name] = second->node;
  second->parent->children[second->name] = first->node;
  touch(*first->parent);
  touch(*second->parent);
  return Done{};
}

Status MemoryFileSystem::link(const std::string& existing, const std::string& name) {
  PYPTOC_BEGIN_OPERATION();
  if (!links_) return memory_error(EPERM);
  const auto source = find_existing(existing, false);
  if (!source.ok()) return source.error();
  const auto target = find_for_change(name);
  if (!target.ok()) return target.error();
  if (source->node->is_directory()) return memory_error(EPERM);
  if (target->node) return memory_error(EEXIST);
  if (source->node->device != target->parent->device) return memory_error(EXDEV);
  if (capacity_ && bytes_used() + target->name.size() > *capacity_) return memory_error(ENOSPC);
  target->parent->children[target->name] = source->node;
  touch(*target->parent);
  return Done{};
}

Status MemoryFileSystem::remove_file(const std::string& path) {
  PYPTOC_BEGIN_OPERATION();
  const auto slot = find_for_change(path);
  if (!slot.ok()) return slot.error();
  if (!slot->node) return memory_error(ENOENT);
  if (slot->node->is_directory()) return memory_error(EISDIR);
  slot->parent->children.erase(slot->name);
  touch(*slot->parent);
  return Done{};
}

Status MemoryFileSystem::remove_directory(const std::string& path) {
  PYPTOC_BEGIN_OPERATION();
  const auto slot = find_for_change(path);
  if (!slot.ok()) return slot.error();
  if (!slot->node) return memory_error(ENOENT);
  if (!slot->node->is_directory()) return memory_error(ENOTDIR);
  if (!slot->node->children.empty()) return memory_error(ENOTEMPTY);
  if (slot->node->device != slot->parent->device) return memory_error(EBUSY);
  slot->parent->children.erase(slot->name);
  touch(*slot->parent);
  return Done{};
}

Status MemoryFileSystem::make_directory(const std::string& path) {
  PYPTOC_BEGIN_OPERATION();
  const auto slot = find(path, false);
  if (!slot.ok()) return slot.error();
  if (slot->node) return memory_error(EEXIST);
  if (denied_.contains(slot->parent_name)) return memory_error(EACCES);
  if (capacity_ && bytes_used() + slot->name.size() > *capacity_) return memory_error(ENOSPC);
  const NodePtr node = make_node(FileKind::kDirectory);
  node->device = slot->parent->device;
  slot->parent->children[slot->name] = node;
  touch(*slot->parent);
  return Done{};
}

Status MemoryFileSystem::set_mode(const std::string& path, uint32_t mode) {
  PYPTOC_BEGIN_OPERATION();
  const auto slot = find_existing(path, true);
  if (!slot.ok()) return slot.error();
  slot->node->mode = mode;
  return Done{};
}

Result<std::optional<FileStat>> MemoryFileSystem::stat(const std::string& path) {
  if (crashed_) return memory_error(EIO);
  const auto slot = find(path, false);
  if (!slot.ok() && slot.error().code != ENOENT && slot.error().code != ENOTDIR) return slot.error();
  if (!slot.ok() || !slot->node) return std::optional<FileStat>();
  const Node& node = *slot->node;
  return std::optional<FileStat>(
      {node.kind, node.content.size(), node.mtime, node.device, node.id, node.mode, node.owner, 0});
}

Result<std::vector<DirectoryEntry>> MemoryFileSystem::list(const std::string& directory) {
  if (crashed_) return memory_error(EIO);
  const auto slot = find_existing(directory, true);
  if (!slot.ok()) return slot.error();
  if (!slot->node->is_directory()) return memory_error(ENOTDIR);
  std::vector<DirectoryEntry> out;
  for (const auto& [name, child] : slot->node->children) out.push_back({name, child->kind});
  return out;
}

Result<std::string> MemoryFileSystem::real_path(const std::string& path) {
  if (crashed_) return memory_error(EIO);
  const auto slot = find_existing(path, true);
  if (!slot.ok()) return slot.error();
  return slot->parent ? join_path(slot->parent_name, slot->name) : std::string("/");
}

Result<std::string> MemoryFileSystem::current_directory() {
  return current_;
}

Result<std::unique_ptr<FileLock>> MemoryFileSystem::lock_node(const NodePtr& node, const std::string& remove) {
  if (!locks_) return memory_error(ENOTSUP);
  if (!locked_.insert(node->id).second) return std::unique_ptr<FileLock>();
  return std::unique_ptr<FileLock>(new Lock(*this, node->id, remove));
}

Result<std::unique_ptr<FileLock>> MemoryFileSystem::try_lock_directory(const std::string& path) {
  if (crashed_) return memory_error(EIO);
  const auto slot = find_existing(path, true);
  if (!slot.ok()) return slot.error();
  return lock_node(slot->node, "");
}

Result<std::unique_ptr<FileLock>> MemoryFileSystem::try_lock_file(const std::string& path) {
  if (!locks_) return memory_error(ENOTSUP);
  const auto there = stat(path);
  if (!there.ok()) return there.error();
  if (!there->has_value()) PYPTOC_TRY(create_file(path, ""));
  const auto slot = find_existing(path, false);
  if (!slot.ok()) return slot.error();
  return lock_node(slot->node, join_path(slot->parent_name, slot->name));
}

void MemoryFileSystem::pause(uint32_t milliseconds) {
  static_cast<void>(milliseconds);
  if (on_pause_) on_pause_();
}

std::string MemoryFileSystem::temporary_beside(const std::string& path) {
  return join_path(parent_path(path), fmt::format(".{}.pyptoc-{}", file_name(path), next_temporary_++));
}

}  // namespace pyptoc::support
