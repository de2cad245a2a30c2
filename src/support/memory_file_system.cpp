// SPDX-License-Identifier: Apache-2.0
// A file system in memory that fails, fills up, crashes and loses power where a test tells it to.
#include "support/memory_file_system.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "support/file_tools.h"

namespace pyptoc::support {
namespace {

constexpr int kMostLinks = 40;  // symbolic links followed on the way to one file, as in Linux

Error error_of(int code) {
  return {std::generic_category().message(code), code};
}

}  // namespace

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

void MemoryFileSystem::touch_time(Node& node, int64_t time) {
  node.mtime = time;
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
  if (fail_at_ == number) return error_of(fail_code_);
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
    if (!at.back().node->is_directory()) return error_of(ENOTDIR);
    if (name == ".") continue;
    if (name == "..") {
      if (at.size() > 1) at.pop_back();
      continue;
    }
    const auto child = at.back().node->children.find(name);
    if (child == at.back().node->children.end()) {
      if (!rest.empty()) return error_of(ENOENT);
      return Slot{at.back().node, at.back().name, name, nullptr};
    }
    if (child->second->kind == FileKind::kSymlink && (follow_last || !rest.empty())) {
      if (++links > kMostLinks) return error_of(ELOOP);
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
  if (slot.ok() && !slot->node) return error_of(ENOENT);
  return slot;
}

Result<MemoryFileSystem::Slot> MemoryFileSystem::find_for_change(const std::string& path) {
  auto slot = find(path, false);
  if (!slot.ok()) return slot;
  if (!slot->parent) return error_of(EBUSY);
  if (denied_.contains(slot->parent_name)) return error_of(EACCES);
  return slot;
}

// --- Operations.

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
  if (room < content.size()) return error_of(ENOSPC);
  return Done{};
}

#define PYPTOC_BEGIN_OPERATION()                                                   \
  PYPTOC_TRY(begin_operation());                                                   \
  do {                                                                             \
    if (std::exchange(crashing_, false)) return Error{"the process is gone", EIO}; \
  } while (false)

Result<std::string> MemoryFileSystem::read_file(const std::string& path) {
  if (crashed_) return error_of(EIO);
  const auto slot = find_existing(path, true);
  if (!slot.ok()) return slot.error();
  if (slot->node->is_directory()) return error_of(EISDIR);
  return slot->node->content;
}

Status MemoryFileSystem::create_file(const std::string& path, std::string_view content) {
  PYPTOC_TRY(begin_operation());
  const auto slot = find_for_change(path);
  if (!slot.ok()) return slot.error();
  if (slot->node) return error_of(EEXIST);
  if (capacity_ && bytes_used() + slot->name.size() > *capacity_) return error_of(ENOSPC);
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
  if (slot->node->is_directory()) return error_of(EISDIR);
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
  if (!source->node) return error_of(ENOENT);
  if (source->node->device != source->parent->device) return error_of(EBUSY);
  if (source->node->device != target->parent->device) return error_of(EXDEV);
  if (target->node) {
    if (target->node == source->node) return Done{};
    if (target->node->is_directory() != source->node->is_directory())
      return error_of(target->node->is_directory() ? EISDIR : ENOTDIR);
    if (!target->node->children.empty()) return error_of(ENOTEMPTY);
  }
  source->parent->children.erase(source->name);
  target->parent->children[target->name] = source->node;
  touch(*source->parent);
  touch(*target->parent);
  return Done{};
}

Status MemoryFileSystem::exchange(const std::string& a, const std::string& b) {
  PYPTOC_BEGIN_OPERATION();
  if (!exchange_) return error_of(EINVAL);
  const auto first = find_for_change(a);
  if (!first.ok()) return first.error();
  const auto second = find_for_change(b);
  if (!second.ok()) return second.error();
  if (!first->node || !second->node) return error_of(ENOENT);
  for (const auto* slot : {&*first, &*second})
    if (slot->node->device != slot->parent->device) return error_of(EBUSY);
  if (first->node->device != second->node->device) return error_of(EXDEV);
  first->parent->children[first->name] = second->node;
  second->parent->children[second->name] = first->node;
  touch(*first->parent);
  touch(*second->parent);
  return Done{};
}

Status MemoryFileSystem::link(const std::string& existing, const std::string& name) {
  PYPTOC_BEGIN_OPERATION();
  if (!links_) return error_of(EPERM);
  const auto source = find_existing(existing, false);
  if (!source.ok()) return source.error();
  const auto target = find_for_change(name);
  if (!target.ok()) return target.error();
  if (source->node->is_directory()) return error_of(EPERM);
  if (target->node) return error_of(EEXIST);
  if (source->node->device != target->parent->device) return error_of(EXDEV);
  if (capacity_ && bytes_used() + target->name.size() > *capacity_) return error_of(ENOSPC);
  target->parent->children[target->name] = source->node;
  touch(*target->parent);
  return Done{};
}

Status MemoryFileSystem::remove_file(const std::string& path) {
  PYPTOC_BEGIN_OPERATION();
  const auto slot = find_for_change(path);
  if (!slot.ok()) return slot.error();
  if (!slot->node) return error_of(ENOENT);
  if (slot->node->is_directory()) return error_of(EISDIR);
  slot->parent->children.erase(slot->name);
  touch(*slot->parent);
  return Done{};
}

Status MemoryFileSystem::remove_directory(const std::string& path) {
  PYPTOC_BEGIN_OPERATION();
  const auto slot = find_for_change(path);
  if (!slot.ok()) return slot.error();
  if (!slot->node) return error_of(ENOENT);
  if (!slot->node->is_directory()) return error_of(ENOTDIR);
  if (!slot->node->children.empty()) return error_of(ENOTEMPTY);
  if (slot->node->device != slot->parent->device) return error_of(EBUSY);
  slot->parent->children.erase(slot->name);
  touch(*slot->parent);
  return Done{};
}

Status MemoryFileSystem::make_directory(const std::string& path) {
  PYPTOC_BEGIN_OPERATION();
  const auto slot = find(path, false);
  if (!slot.ok()) return slot.error();
  if (slot->node) return error_of(EEXIST);
  if (denied_.contains(slot->parent_name)) return error_of(EACCES);
  if (capacity_ && bytes_used() + slot->name.size() > *capacity_) return error_of(ENOSPC);
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
  if (crashed_) return error_of(EIO);
  const auto slot = find(path, false);
  if (!slot.ok() && slot.error().code != ENOENT && slot.error().code != ENOTDIR) return slot.error();
  if (!slot.ok() || !slot->node) return std::optional<FileStat>();
  const Node& node = *slot->node;
  return std::optional<FileStat>(
      {node.kind, node.content.size(), node.mtime, node.device, node.id, node.mode, node.owner, 0});
}

Result<std::vector<DirectoryEntry>> MemoryFileSystem::list(const std::string& directory) {
  if (crashed_) return error_of(EIO);
  const auto slot = find_existing(directory, true);
  if (!slot.ok()) return slot.error();
  if (!slot->node->is_directory()) return error_of(ENOTDIR);
  std::vector<DirectoryEntry> out;
  for (const auto& [name, child] : slot->node->children) out.push_back({name, child->kind});
  return out;
}

Result<std::string> MemoryFileSystem::real_path(const std::string& path) {
  if (crashed_) return error_of(EIO);
  const auto slot = find_existing(path, true);
  if (!slot.ok()) return slot.error();
  return slot->parent ? join_path(slot->parent_name, slot->name) : std::string("/");
}

Result<std::string> MemoryFileSystem::current_directory() {
  return current_;
}

Result<std::unique_ptr<FileLock>> MemoryFileSystem::lock_node(const NodePtr& node, const std::string& remove) {
  if (!locks_) return error_of(ENOTSUP);
  if (!locked_.insert(node->id).second) return std::unique_ptr<FileLock>();
  return std::unique_ptr<FileLock>(new Lock(*this, node->id, remove));
}

Result<std::unique_ptr<FileLock>> MemoryFileSystem::try_lock_directory(const std::string& path) {
  if (crashed_) return error_of(EIO);
  const auto slot = find_existing(path, true);
  if (!slot.ok()) return slot.error();
  return lock_node(slot->node, "");
}

Result<std::unique_ptr<FileLock>> MemoryFileSystem::try_lock_file(const std::string& path) {
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
