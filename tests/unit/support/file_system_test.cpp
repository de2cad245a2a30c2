// SPDX-License-Identifier: Apache-2.0
// The two file systems must behave alike, so each case here runs on both; then the faults of the one in memory.
#include "support/file_system.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <functional>
#include <optional>

#include "support/file_tools.h"
#include "support/memory_file_system.h"
#include "support/real_file_system.h"
#include "temporary_folder.h"

using namespace pyptoc::support;

namespace {

void on_both(const std::function<void(FileSystem&, const std::string&)>& check) {
  SECTION("real") {
    const TemporaryFolder folder;
    RealFileSystem fs;
    check(fs, fs.real_path(folder.path()).value());
  }
  SECTION("memory") {
    MemoryFileSystem fs;
    REQUIRE(fs.make_directory("/top").ok());
    check(fs, "/top");
  }
}

int code_of(const Status& status) {
  return status.ok() ? 0 : status.error().code;
}
FileStat stat_of(FileSystem& fs, const std::string& path) {
  const auto stat = fs.stat(path);
  REQUIRE(stat.ok());
  REQUIRE(stat->has_value());
  return **stat;
}
bool exists(FileSystem& fs, const std::string& path) {
  return fs.stat(path)->has_value();
}

}  // namespace

TEST_CASE("files are made, read, replaced and removed") {
  on_both([](FileSystem& fs, const std::string& top) {
    const std::string a = top + "/a";
    REQUIRE(fs.create_file(a, std::string("x\0y", 3)).ok());
    CHECK(code_of(fs.create_file(a, "z")) == EEXIST);
    CHECK(fs.read_file(a).value() == std::string("x\0y", 3));
    REQUIRE(fs.write_file(a, std::string(200000, 'q')).ok());
    CHECK(stat_of(fs, a).size == 200000);
    CHECK(fs.read_file(a).value() == std::string(200000, 'q'));
    CHECK(fs.flush(a).ok());
    CHECK(fs.flush(top).ok());
    REQUIRE(fs.remove_file(a).ok());
    CHECK(code_of(fs.remove_file(a)) == ENOENT);
    CHECK(!exists(fs, a));
    CHECK(fs.read_file(a).error().code == ENOENT);
    CHECK(fs.read_file(a).error().message == "No such file or directory");
    CHECK(!exists(fs, top + "/no/such"));
    CHECK(code_of(fs.create_file(top + "/no/such", "")) == ENOENT);
    CHECK(fs.read_file(top).error().code == EISDIR);
  });
}

TEST_CASE("rename, exchange and link move files without changing them") {
  on_both([](FileSystem& fs, const std::string& top) {
    for (const std::string name : {"/d", "/e", "/e/inner"}) REQUIRE(fs.make_directory(top + name).ok());
    REQUIRE(create_durable_file(fs, top + "/d/f", "1").ok());
    const FileStat before = stat_of(fs, top + "/d/f");
    REQUIRE(fs.link(top + "/d/f", top + "/e/g").ok());
    CHECK(stat_of(fs, top + "/e/g").same_file(before));
    CHECK(code_of(fs.link(top + "/d/f", top + "/e/g")) == EEXIST);
    CHECK(!fs.link(top + "/d", top + "/h").ok());
    REQUIRE(fs.exchange(top + "/d", top + "/e").ok());
    CHECK(exists(fs, top + "/d/inner"));
    CHECK(stat_of(fs, top + "/e/f").mtime_ns == before.mtime_ns);
    CHECK(code_of(fs.exchange(top + "/d", top + "/missing")) == ENOENT);
    CHECK(code_of(fs.rename(top + "/e", top + "/d")) == ENOTEMPTY);
    REQUIRE(fs.make_directory(top + "/empty").ok());
    CHECK(fs.rename(top + "/e", top + "/empty").ok());
    CHECK(stat_of(fs, top + "/empty/f").same_file(before));
    CHECK(code_of(fs.rename(top + "/empty/f", top + "/d")) == EISDIR);
    CHECK(code_of(fs.remove_directory(top + "/d")) == ENOTEMPTY);
    CHECK(code_of(fs.make_directory(top + "/d")) == EEXIST);
  });
}

TEST_CASE("links are seen as links, and resolved where a path is asked for") {
  on_both([](FileSystem& fs, const std::string& top) {
    REQUIRE(fs.make_directory(top + "/d").ok());
    REQUIRE(fs.create_file(top + "/d/f", "1").ok());
    if (auto* memory = dynamic_cast<MemoryFileSystem*>(&fs)) {
      memory->make_symlink("d", top + "/l");
      memory->make_symlink("nowhere", top + "/dangling");
    } else {
      REQUIRE(::symlink("d", (top + "/l").c_str()) == 0);
      REQUIRE(::symlink("nowhere", (top + "/dangling").c_str()) == 0);
    }
    CHECK(stat_of(fs, top + "/l").kind == FileKind::kSymlink);
    CHECK(stat_of(fs, top + "/l/f").is_file());
    CHECK(fs.real_path(top + "/l/../l/./f").value() == top + "/d/f");
    CHECK(fs.real_path(top + "/dangling").error().code == ENOENT);
    CHECK(fs.read_file(top + "/l/f").value() == "1");
    REQUIRE(fs.link(top + "/l", top + "/m").ok());
    CHECK(stat_of(fs, top + "/m").kind == FileKind::kSymlink);
    std::vector<std::string> paths;
    const auto tree = list_tree(fs, top);
    REQUIRE(tree.ok());
    for (const auto& entry : *tree) paths.push_back(entry.path);
    CHECK(paths == std::vector<std::string>{"d", "d/f", "dangling", "l", "m"});
    CHECK(remove_tree(fs, top).ok());
    CHECK(!exists(fs, top));
  });
}

TEST_CASE("whole paths are made, and what was made is told") {
  on_both([](FileSystem& fs, const std::string& top) {
    std::vector<std::string> made;
    REQUIRE(make_directories(fs, top + "/a/b/c", &made).ok());
    CHECK(made == std::vector<std::string>{top + "/a", top + "/a/b", top + "/a/b/c"});
    made.clear();
    REQUIRE(make_directories(fs, top + "/a/b", &made).ok());
    CHECK(made.empty());
    REQUIRE(fs.create_file(top + "/f", "").ok());
    CHECK(code_of(make_directories(fs, top + "/f/g")) == ENOTDIR);
  });
}

TEST_CASE("a lock keeps the others out until it is released") {
  on_both([](FileSystem& fs, const std::string& top) {
    for (const bool directory : {true, false}) {
      const auto take = [&] { return directory ? fs.try_lock_directory(top) : fs.try_lock_file(top + "/lock"); };
      auto first = take();
      REQUIRE(first.ok());
      REQUIRE(*first != nullptr);
      auto second = take();
      REQUIRE(second.ok());
      CHECK(*second == nullptr);
      first.value().reset();
      CHECK(!exists(fs, top + "/lock"));
      CHECK(take().value() != nullptr);
    }
  });
}

TEST_CASE("a lock ends with the process that held it, and its file is no obstacle") {
  const TemporaryFolder folder;
  const std::string path = folder.path("lock");
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    RealFileSystem fs;
    const auto lock = fs.try_lock_file(path);
    const char state = lock.ok() && *lock ? 'y' : 'n';
    static_cast<void>(!::write(ready[1], &state, 1));
    ::pause();
    ::_exit(0);
  }
  char state = 0;
  REQUIRE(::read(ready[0], &state, 1) == 1);
  REQUIRE(state == 'y');
  RealFileSystem fs;
  CHECK(fs.try_lock_file(path).value() == nullptr);
  REQUIRE(::kill(child, SIGKILL) == 0);
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK(exists(fs, path));
  CHECK(fs.try_lock_file(path).value() != nullptr);
  CHECK(!exists(fs, path));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("temporary names differ and stay beside their file") {
  on_both([](FileSystem& fs, const std::string& top) {
    const std::string one = fs.temporary_beside(top + "/out.d");
    CHECK(one != fs.temporary_beside(top + "/out.d"));
    CHECK(one.starts_with(top + "/.out.d.pyptoc-"));
    CHECK(fs.temporary_beside("x").starts_with("./.x.pyptoc-"));
  });
}

TEST_CASE("faults of the file system in memory") {
  MemoryFileSystem fs;
  REQUIRE(fs.make_directory("/d").ok());

  SECTION("one operation fails") {
    fs.fail_at(fs.operations() + 1, EIO);
    CHECK(fs.create_file("/d/a", "1").ok());
    CHECK(code_of(fs.create_file("/d/b", "2")) == EIO);
    CHECK(!exists(fs, "/d/b"));
    CHECK(fs.create_file("/d/b", "2").ok());
  }
  SECTION("the disk fills up in the middle of a file") {
    fs.set_capacity(fs.bytes_used() + 5);
    CHECK(code_of(fs.create_file("/d/a", "123456")) == ENOSPC);
    CHECK(fs.read_file("/d/a").value() == "1234");
    CHECK(code_of(fs.make_directory("/d/b")) == ENOSPC);
    CHECK(fs.remove_file("/d/a").ok());
    CHECK(fs.make_directory("/d/b").ok());
  }
  SECTION("a killed process does nothing more and holds nothing more") {
    const auto lock = fs.try_lock_directory("/d");
    fs.crash_at(fs.operations());
    CHECK(!fs.create_file("/d/a", "1234").ok());
    CHECK(!fs.remove_directory("/d").ok());
    CHECK(!fs.read_file("/d/a").ok());
    fs.revive();
    CHECK(fs.read_file("/d/a").value() == "12");
    CHECK(fs.try_lock_directory("/d").value() != nullptr);
  }
  SECTION("without power only what was flushed remains") {
    REQUIRE(fs.flush("/").ok());
    REQUIRE(create_durable_file(fs, "/d/named", "1").ok());
    REQUIRE(fs.flush("/d").ok());
    REQUIRE(create_durable_file(fs, "/d/unnamed", "2").ok());
    REQUIRE(fs.write_file("/d/named", "other").ok());
    SECTION("strictly") {
      fs.cut_power(MemoryFileSystem::PowerCut::kOnlyFlushed);
      CHECK(fs.snapshot("/d") == std::map<std::string, std::string>{{"named", "1"}});
    }
    SECTION("names first") {
      REQUIRE(fs.create_file("/d/late", "3").ok());
      fs.cut_power(MemoryFileSystem::PowerCut::kUnflushedContentLost);
      CHECK(fs.snapshot("/d") == std::map<std::string, std::string>{{"late", ""}, {"named", "1"}, {"unnamed", "2"}});
    }
  }
  SECTION("limits of the place") {
    REQUIRE(fs.make_directory("/d/m").ok());
    REQUIRE(fs.create_file("/d/a", "").ok());
    fs.make_mount_point("/d/m");
    CHECK(code_of(fs.rename("/d/m", "/d/n")) == EBUSY);
    CHECK(code_of(fs.link("/d/a", "/d/m/a")) == EXDEV);
    fs.deny_changes_in("/d");
    CHECK(code_of(fs.remove_file("/d/a")) == EACCES);
    CHECK(fs.create_file("/d/m/x", "").ok());
    fs.set_supports_locks(false);
    CHECK(fs.try_lock_directory("/d").error().code == ENOTSUP);
  }
}
