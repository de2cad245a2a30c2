// SPDX-License-Identifier: Apache-2.0
// A file system in memory that fails, fills up, crashes and loses power where a test tells it to.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/file_system.h"

namespace pyptoc::support {

// Directories, files with several names, links and locks behave as on Linux, for a single thread. Its clock advances by
// one at each change, and only then. The current directory is `/` at first.
class MemoryFileSystem final : public FileSystem {
 public:
  MemoryFileSystem();
  ~MemoryFileSystem() override;

  // --- What a test may ask for. An operation that changes or flushes something counts, from 0, also when it fails.
  uint64_t operations() const { return operations_; }
  // Operation number n (counted as above) fails with this errno and does nothing.
  void fail_at(uint64_t n, int code);
  // Operation number n is cut off: of what it writes, half arrives, and everything after it does nothing and fails, as
  // if the process had been killed. Until revive(), which also drops all locks.
  void crash_at(uint64_t n);
  bool crashed() const { return crashed_; }
  void revive();
  // No room for more than this many bytes of content and names; a write gets as far as it fits.
  void set_capacity(uint64_t bytes) { capacity_ = bytes; }
  uint64_t bytes_used() const;
  // What is left when the machine goes down: nothing that was not flushed, or all names but no unflushed content.
  enum class PowerCut : uint8_t { kOnlyFlushed, kUnflushedContentLost };
  void cut_power(PowerCut how);
  // Everything so far counts as flushed.
  void settle();

  // Names of this directory cannot be made, removed or renamed: EACCES.
  void deny_changes_in(const std::string& directory) { denied_.insert(directory); }
  // The directory is another file system's root: no links or renames across, and none of it itself.
  void make_mount_point(const std::string& directory);
  void set_supports_exchange(bool yes) { exchange_ = yes; }
  void set_supports_links(bool yes) { links_ = yes; }
  void set_supports_locks(bool yes) { locks_ = yes; }
  void set_current_directory(const std::string& path) { current_ = path; }
  void set_owner(const std::string& path, uint32_t owner);
  void make_symlink(const std::string& target, const std::string& path);
  void on_pause(std::function<void()> call) { on_pause_ = std::move(call); }
  void on_operation(std::function<void(uint64_t)> call) { on_operation_ = std::move(call); }
  // Every path below `directory` with its content; `PATH/` for directories, `PATH -> TARGET` for links.
  std::map<std::string, std::string> snapshot(const std::string& directory);

  Result<std::string> read_file(const std::string& path) override;
  Status create_file(const std::string& path, std::string_view content) override;
  Status write_file(const std::string& path, std::string_view content) override;
  Status flush(const std::string& path) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status exchange(const std::string& a, const std::string& b) override;
  Status link(const std::string& existing, const std::string& name) override;
  Status remove_file(const std::string& path) override;
  Status remove_directory(const std::string& path) override;
  Status make_directory(const std::string& path) override;
  Status set_mode(const std::string& path, uint32_t mode) override;
  Result<std::optional<FileStat>> stat(const std::string& path) override;
  Result<std::vector<DirectoryEntry>> list(const std::string& directory) override;
  Result<std::string> real_path(const std::string& path) override;
  Result<std::string> current_directory() override;
  Result<std::unique_ptr<FileLock>> try_lock_directory(const std::string& path) override;
  Result<std::unique_ptr<FileLock>> try_lock_file(const std::string& path) override;
  void pause(uint32_t milliseconds) override;
  std::string temporary_beside(const std::string& path) override;

 private:
  struct Node;
  struct Slot;  // a name in a directory, whether or not something is there
  class Lock;
  using NodePtr = std::shared_ptr<Node>;

  NodePtr make_node(FileKind kind);
  Result<Slot> find(const std::string& path, bool follow_last);
  Result<Slot> find_for_change(const std::string& path);
  Result<Slot> find_existing(const std::string& path, bool follow_last);
  Status begin_operation();
  Status fill(Node& file, std::string_view content);
  Result<std::unique_ptr<FileLock>> lock_node(const NodePtr& node, const std::string& remove);
  void touch(Node& node);
  template <class Visit>
  void visit_all(Visit visit) const;

  NodePtr root_;
  std::string current_ = "/";
  uint64_t operations_ = 0;
  int64_t clock_ = 0;
  uint64_t next_id_ = 1;
  uint64_t next_device_ = 2;
  uint64_t next_temporary_ = 0;
  std::optional<uint64_t> fail_at_;
  int fail_code_ = 0;
  std::optional<uint64_t> crash_at_;
  bool crashed_ = false;
  bool crashing_ = false;  // the operation under way is the one that is cut off
  std::optional<uint64_t> capacity_;
  bool exchange_ = true;
  bool links_ = true;
  bool locks_ = true;
  std::set<std::string> denied_;
  std::set<uint64_t> locked_;  // ids of nodes
  uint64_t lives_ = 0;         // locks of an earlier life are void
  std::function<void()> on_pause_;
  std::function<void(uint64_t)> on_operation_;
};

}  // namespace pyptoc::support
