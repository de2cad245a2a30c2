// SPDX-License-Identifier: Apache-2.0
// The file system of the machine, by POSIX calls and Linux's renameat2.
#include "support/real_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

#include "support/file_tools.h"

namespace pyptoc::support {
namespace {

Error system_error(int code = errno) {
  return {std::generic_category().message(code), code};
}

Status status_of(int result) {
  if (result == 0) return Done{};
  return system_error();
}

// Calls again when a signal came first.
template <class Call>
auto uninterrupted(Call call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  bool ok() const { return number_ >= 0; }
  int get() const { return number_; }
  // Some file systems report a failed write only here.
  int close() { return ::close(std::exchange(number_, -1)); }

 private:
  int number_;
};

Descriptor open_file(const std::string& path, int flags) {
  return Descriptor(uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); }));
}

Status write_all(const Descriptor& file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = uninterrupted([&] { return ::write(file.get(), content.data(), content.size()); });
    if (written < 0) return system_error();
    content.remove_prefix(static_cast<size_t>(written));
  }
  return Done{};
}

Status close_written(Descriptor& file) {
  if (file.close() == 0 || errno == EINTR) return Done{};  // Linux has closed it in both cases
  return system_error();
}

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kFile;
  if (S_ISDIR(mode)) return FileKind::kDirectory;
  return S_ISLNK(mode) ? FileKind::kSymlink : FileKind::kOther;
}

class DescriptorLock final : public FileLock {
 public:
  DescriptorLock(Descriptor file, std::string remove) : file_(std::move(file)), remove_(std::move(remove)) {}
  // The name goes first: who opens it afterwards makes a new file, who opened it before sees that it is gone.
  ~DescriptorLock() override {
    if (!remove_.empty()) ::unlink(remove_.c_str());
  }

 private:
  Descriptor file_;
  std::string remove_;
};

enum class LockState : uint8_t { kHeld, kBusy, kReplaced, kFailed };

// kReplaced: while the lock was taken, somebody put another file, or none, at `path`.
LockState lock_descriptor(const Descriptor& file, const std::string& path) {
  if (uninterrupted([&] { return ::flock(file.get(), LOCK_EX | LOCK_NB); }) != 0)
    return errno == EWOULDBLOCK ? LockState::kBusy : LockState::kFailed;
  struct stat held {};
  struct stat named {};
  if (::fstat(file.get(), &held) != 0) return LockState::kFailed;
  if (::stat(path.c_str(), &named) != 0) return errno == ENOENT ? LockState::kReplaced : LockState::kFailed;
  return held.st_dev == named.st_dev && held.st_ino == named.st_ino ? LockState::kHeld : LockState::kReplaced;
}

// EBADF is what NFS says to a lock on a directory.
Error lock_error() {
  const int code = errno;
  const bool unsupported = code == ENOLCK || code == ENOSYS || code == EOPNOTSUPP || code == EBADF || code == EINVAL;
  return unsupported ? system_error(ENOTSUP) : system_error(code);
}

// `open` is asked again each time the file was replaced meanwhile.
template <class Open>
Result<std::unique_ptr<FileLock>> lock_named(const std::string& path, bool remove, Open open) {
  for (;;) {
    Descriptor file = open();
    if (!file.ok()) return system_error();
    switch (lock_descriptor(file, path)) {
      case LockState::kHeld:
        return std::unique_ptr<FileLock>(new DescriptorLock(std::move(file), remove ? path : std::string()));
      case LockState::kBusy:
        return std::unique_ptr<FileLock>();
      case LockState::kReplaced:
        continue;
      case LockState::kFailed: {
        const Error error = lock_error();
        if (remove) ::unlink(path.c_str());  // the file is good for nothing here
        return error;
      }
    }
  }
}

}  // namespace

Result<std::string> RealFileSystem::read_file(const std::string& path) {
  const Descriptor file = open_file(path, O_RDONLY);
  if (!file.ok()) return system_error();
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return system_error();
  // The size is a hint only: pipes have none, and a file can grow. One byte more saves the last, empty read.
  std::string out;
  size_t used = 0;
  size_t capacity = S_ISREG(info.st_mode) ? static_cast<size_t>(info.st_size) + 1 : 65536;
  for (;;) {
    if (used == out.size()) out.resize(std::max(capacity, 2 * used));
    const ssize_t got = uninterrupted([&] { return ::read(file.get(), out.data() + used, out.size() - used); });
    if (got < 0) return system_error();
    if (got == 0) break;
    used += static_cast<size_t>(got);
  }
  out.resize(used);
  return out;
}

Status RealFileSystem::create_file(const std::string& path, std::string_view content) {
  Descriptor file = open_file(path, O_WRONLY | O_CREAT | O_EXCL);
  if (!file.ok()) return system_error();
  PYPTOC_TRY(write_all(file, content));
#ifdef SYNC_FILE_RANGE_WRITE
  // Begins the way to the disk now. Otherwise each flush() of many new files waits for a journal commit of its own.
  static_cast<void>(::sync_file_range(file.get(), 0, 0, SYNC_FILE_RANGE_WRITE));
#endif
  return close_written(file);
}

Status RealFileSystem::write_file(const std::string& path, std::string_view content) {
  Descriptor file = open_file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.ok()) return system_error();
  PYPTOC_TRY(write_all(file, content));
  return close_written(file);
}

Status RealFileSystem::flush(const std::string& path) {
  const Descriptor file = open_file(path, O_RDONLY);
  if (!file.ok()) return system_error();
  if (uninterrupted([&] { return ::fsync(file.get()); }) == 0) return Done{};
  // Some file systems have no notion of it, for directories or at all.
  if (errno == EINVAL || errno == EROFS || errno == ENOSYS) return Done{};
  return system_error();
}

Status RealFileSystem::rename(const std::string& from, const std::string& to) {
  return status_of(::rename(from.c_str(), to.c_str()));
}

Status RealFileSystem::exchange(const std::string& a, const std::string& b) {
#ifdef RENAME_EXCHANGE
  return status_of(::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE));
#else
  static_cast<void>(a);
  static_cast<void>(b);
  return system_error(ENOSYS);
#endif
}

Status RealFileSystem::link(const std::string& existing, const std::string& name) {
  return status_of(::linkat(AT_FDCWD, existing.c_str(), AT_FDCWD, name.c_str(), 0));
}

Status RealFileSystem::remove_file(const std::string& path) {
  return status_of(::unlink(path.c_str()));
}
Status RealFileSystem::remove_directory(const std::string& path) {
  return status_of(::rmdir(path.c_str()));
}
Status RealFileSystem::make_directory(const std::string& path) {
  return status_of(::mkdir(path.c_str(), 0777));
}
Status RealFileSystem::set_mode(const std::string& path, uint32_t mode) {
  return status_of(::chmod(path.c_str(), static_cast<mode_t>(mode)));
}

Result<std::optional<FileStat>> RealFileSystem::stat(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<FileStat>();
    return system_error();
  }
  FileStat out;
  out.kind = kind_of(info.st_mode);
  out.size = static_cast<uint64_t>(info.st_size);
  out.mtime_ns = int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  out.device = info.st_dev;
  out.id = info.st_ino;
  out.mode = info.st_mode & 07777U;
  out.owner = info.st_uid;
  out.group = info.st_gid;
  return std::optional<FileStat>(out);
}

Result<std::vector<DirectoryEntry>> RealFileSystem::list(const std::string& directory) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(directory.c_str()), ::closedir);
  if (!open) return system_error();
  std::vector<DirectoryEntry> out;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(open.get());
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (entry->d_type != DT_UNKNOWN) {
      out.push_back({name, kind_of(DTTOIF(static_cast<mode_t>(entry->d_type)))});
      continue;
    }
    const auto info = stat(join_path(directory, name));
    if (!info.ok()) return info.error();
    if (info->has_value()) out.push_back({name, (*info)->kind});  // else it was removed meanwhile
    errno = 0;
  }
  if (errno != 0) return system_error();
  std::ranges::sort(out, {}, &DirectoryEntry::path);
  return out;
}

Result<std::string> RealFileSystem::real_path(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> resolved(::realpath(path.c_str(), nullptr), std::free);
  if (!resolved) {
    // A link of /proc to an open pipe names nothing, and still leads somewhere.
    const int reason = errno;
    struct stat there = {};
    if (reason == ENOENT && ::stat(path.c_str(), &there) == 0) return path;
    errno = reason;
    return system_error();
  }
  return std::string(resolved.get());
}

Result<std::string> RealFileSystem::current_directory() {
  return real_path(".");
}

Result<std::unique_ptr<FileLock>> RealFileSystem::try_lock_directory(const std::string& path) {
  return lock_named(path, false, [&] { return open_file(path, O_RDONLY | O_DIRECTORY); });
}

Result<std::unique_ptr<FileLock>> RealFileSystem::try_lock_file(const std::string& path) {
  return lock_named(path, true, [&] {
    // NFS locks only what is open for writing; a file left by another user can perhaps only be read.
    Descriptor file = open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW);
    if (file.ok() || errno != EACCES) return file;
    Descriptor readable = open_file(path, O_RDONLY | O_NOFOLLOW);
    if (!readable.ok()) errno = EACCES;
    return readable;
  });
}

void RealFileSystem::pause(uint32_t milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

std::string RealFileSystem::temporary_beside(const std::string& path) {
  return join_path(parent_path(path), fmt::format(".{}.pyptoc-{}-{}", file_name(path).substr(0, 200), ::getpid(),
                                                  temporaries_.fetch_add(1, std::memory_order_relaxed)));
}

}  // namespace pyptoc::support
