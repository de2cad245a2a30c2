// SPDX-License-Identifier: Apache-2.0
// The file system of the machine, by POSIX calls and Linux's renameat2.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/file_system.h"

namespace pyptoc::support {

class RealFileSystem final : public FileSystem {
 public:
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
  std::atomic<uint32_t> temporaries_{0};
};

}  // namespace pyptoc::support
