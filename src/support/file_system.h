// SPDX-License-Identifier: Apache-2.0
// The file system as a parameter, so that every command runs inside a test and every failure can be tried.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace pyptoc::support {

enum class FileKind : uint8_t { kFile, kDirectory, kSymlink, kOther };

struct FileStat {
  FileKind kind = FileKind::kOther;
  uint64_t size = 0;
  int64_t mtime_ns = 0;
  uint64_t device = 0;
  uint64_t id = 0;    // with `device`: which file it is, whatever its name
  uint32_t mode = 0;  // permission bits only
  uint32_t owner = 0;
  uint32_t group = 0;

  bool is_file() const { return kind == FileKind::kFile; }
  bool is_directory() const { return kind == FileKind::kDirectory; }
  bool same_file(const FileStat& other) const { return device == other.device && id == other.id; }
};

struct DirectoryEntry {
  std::string path;  // relative to what was listed, with `/`
  FileKind kind = FileKind::kOther;
};

// Held while the object lives. A process that ends in any way holds nothing any more.
class FileLock {
 public:
  FileLock() = default;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  virtual ~FileLock() = default;
};

// Operations return the reason of a failure as a value: `message` is the system's text without a path, `code` its
// errno. Paths are those of the machine; none is followed through its last component when that is a symbolic link,
// unless an operation says so. Nothing is durable before flush().
class FileSystem {
 public:
  FileSystem() = default;
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;
  virtual ~FileSystem() = default;

  // The whole content; follows links.
  virtual Result<std::string> read_file(const std::string& path) = 0;
  // Creates the file, which must not exist yet.
  virtual Status create_file(const std::string& path, std::string_view content) = 0;
  // Replaces the content of what is there (a device, a pipe, a file) or creates it; follows links. Not atomic.
  virtual Status write_file(const std::string& path, std::string_view content) = 0;
  // Waits until a file's content, or a directory's list of names, has reached the disk.
  virtual Status flush(const std::string& path) = 0;

  // Puts `from` in the place of `to`, which may be missing, a file, or an empty directory if `from` is a directory.
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  // Swaps two names in one step that nobody can see half done. Where the system cannot, an error and no change.
  virtual Status exchange(const std::string& a, const std::string& b) = 0;
  // A second name for a file that is not a directory.
  virtual Status link(const std::string& existing, const std::string& name) = 0;
  virtual Status remove_file(const std::string& path) = 0;
  virtual Status remove_directory(const std::string& path) = 0;  // an empty one
  virtual Status make_directory(const std::string& path) = 0;
  virtual Status set_mode(const std::string& path, uint32_t mode) = 0;

  // Nothing when there is no such file.
  virtual Result<std::optional<FileStat>> stat(const std::string& path) = 0;
  virtual Result<std::vector<DirectoryEntry>> list(const std::string& directory) = 0;  // one level, sorted by bytes
  // The path without links, `.` and `..`; everything on it must exist.
  virtual Result<std::string> real_path(const std::string& path) = 0;
  virtual Result<std::string> current_directory() = 0;

  // An advisory lock against other processes and other calls in this one. Nothing when somebody else has it; error code
  // ENOTSUP when this file system knows no locks. The lock is on what is at `path` when the call returns.
  virtual Result<std::unique_ptr<FileLock>> try_lock_directory(const std::string& path) = 0;
  // The same on a file made for the purpose, removed when the lock is released; a file left by a killed process is no
  // obstacle.
  virtual Result<std::unique_ptr<FileLock>> try_lock_file(const std::string& path) = 0;
  // Lets others go on for a while.
  virtual void pause(uint32_t milliseconds) = 0;

  // A name beside `path` that nothing else uses: `.NAME.pyptoc-` and something that differs between processes.
  virtual std::string temporary_beside(const std::string& path) = 0;
};

}  // namespace pyptoc::support
