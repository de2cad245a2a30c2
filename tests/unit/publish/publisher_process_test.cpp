// SPDX-License-Identifier: Apache-2.0
// Real processes on a real disk: killed at random moments, interrupted, many at once.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <random>
#include <set>
#include <thread>

#include "fixture.h"
#include "support/real_file_system.h"
#include "temporary_folder.h"

namespace pyptoc::publish {
namespace {

using namespace fixture;
using support::RealFileSystem;

// Builds number 0, 1, 2, ... of a program: two in three files differ between any two of them.
OutputTree numbered_tree(int number) {
  OutputTree tree;
  for (int i = 0; i < 24; ++i) {
    const std::string content = i % 3 == 0 ? "same\n" : std::to_string(number) + std::string(3000, 'x') + "\n";
    REQUIRE(tree.add("next_levels/c" + std::to_string(i % 4) + "/k" + std::to_string(i) + ".cpp", content, "").ok());
  }
  REQUIRE(tree.add("only/in" + std::to_string(number) + ".cpp", "", "").ok());
  return tree;
}
ManifestFields numbered_fields(int number) {
  return fields_of(std::to_string(number));
}
Listing numbered_listing(int number) {
  return listing_of(numbered_tree(number), numbered_fields(number));
}

Listing read_listing(const std::string& directory) {
  RealFileSystem fs;
  Listing out;
  const auto entries = support::list_tree(fs, directory);
  if (!entries.ok()) return out;
  for (const auto& entry : *entries) {
    const bool folder = entry.kind == support::FileKind::kDirectory;
    out[folder ? entry.path + "/" : entry.path] =
        folder ? "" : fs.read_file(support::join_path(directory, entry.path)).value();
  }
  return out;
}

// The number of the build that the folder is complete with, -1 for none.
int which(const std::string& directory, int builds) {
  const Listing now = read_listing(directory);
  for (int number = 0; number < builds; ++number)
    if (now == numbered_listing(number)) return number;
  return -1;
}

pid_t start(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  REQUIRE(child > 0);
  return child;
}

int build(const std::string& dir, int number) {
  RealFileSystem fs;
  Interruption interruption;
  install_signal_handlers(interruption);
  diag::Engine engine;
  const PublishReport report = publish(fs, dir, numbered_tree(number), numbered_fields(number), interruption, engine);
  if (interruption.pending()) return interruption.exit_status();
  return report.ok() ? 0 : 3;
}

int wait_for(pid_t child) {
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::vector<std::string> names_in(const std::string& directory) {
  RealFileSystem fs;
  std::vector<std::string> out;
  for (const auto& entry : fs.list(directory).value()) out.push_back(entry.path);
  return out;
}

// Longer than one build takes, so that some end before their kill.
std::chrono::microseconds longest_build(const std::string& dir) {
  std::chrono::microseconds longest{0};
  for (int number : {0, 1, 0}) {
    const auto begin = std::chrono::steady_clock::now();
    REQUIRE(wait_for(start([&] { return build(dir, number); })) == 0);
    const auto took = std::chrono::steady_clock::now() - begin;
    longest = std::max(longest, std::chrono::duration_cast<std::chrono::microseconds>(took));
  }
  return longest;
}

TEST_CASE("200 builds killed at random moments leave the old folder or the new one") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  std::mt19937 random(3);
  const auto longest = static_cast<uint64_t>(longest_build(out).count());
  int previous = 0;
  int killed = 0;
  int changed = 0;
  for (int i = 0; i < 200; ++i) {
    const int next = (previous + 1) % 3;
    const pid_t child = start([&] { return build(out, next); });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (longest + longest / 4 + 1)));
    ::kill(child, SIGKILL);
    const int status = wait_for(child);
    REQUIRE((status == 0 || status == -SIGKILL));
    killed += status == 0 ? 0 : 1;
    const int now = which(out, 3);
    CAPTURE(i, previous, next, status);
    REQUIRE((now == previous || now == next));
    if (status == 0) REQUIRE(now == next);
    changed += now == next ? 1 : 0;
    previous = now;
  }
  INFO("killed " << killed << ", changed " << changed);
  CHECK(killed > 50);
  REQUIRE(wait_for(start([&] { return build(out, 2); })) == 0);
  CHECK(which(out, 3) == 2);
  CHECK(names_in(folder.path()) == std::vector<std::string>{"out"});
}

TEST_CASE("builds in place that are killed are finished or taken back by the next") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  std::mt19937 random(5);
  const auto longest = static_cast<uint64_t>(longest_build(out).count());
  // In its own current folder.
  const auto build_here = [&](int number) { return ::chdir(out.c_str()) == 0 ? build(".", number) : 9; };
  int previous = 0;
  int killed = 0;
  for (int i = 0; i < 60; ++i) {
    const int next = (previous + 1) % 3;
    const pid_t child = start([&] { return build_here(next); });
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (longest + 1)));
    ::kill(child, SIGKILL);
    killed += wait_for(child) == 0 ? 0 : 1;
    RealFileSystem fs;
    Interruption interruption;
    diag::Engine engine;
    REQUIRE(recover(fs, out, interruption, engine));
    const int now = which(out, 3);
    CAPTURE(i, previous, next);
    REQUIRE((now == previous || now == next));
    previous = now;
  }
  CHECK(killed > 10);
  CHECK(names_in(folder.path()) == std::vector<std::string>{"out"});
}

TEST_CASE("interrupted builds clean up after themselves and say which signal it was") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  std::mt19937 random(9);
  const auto longest = static_cast<uint64_t>(longest_build(out).count());
  int previous = 0;
  int interrupted = 0;
  for (int i = 0; i < 60; ++i) {
    const int next = (previous + 1) % 3;
    const int signal = i % 2 == 0 ? SIGINT : SIGTERM;
    int ready[2];
    REQUIRE(::pipe(ready) == 0);
    const pid_t child = start([&] {
      Interruption interruption;
      install_signal_handlers(interruption);
      static_cast<void>(!::write(ready[1], "x", 1));
      return build(out, next);
    });
    char byte = 0;
    REQUIRE(::read(ready[0], &byte, 1) == 1);
    ::close(ready[0]);
    ::close(ready[1]);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (longest + 1)));
    ::kill(child, signal);
    const int status = wait_for(child);
    CAPTURE(i, status);
    REQUIRE((status == 0 || status == 128 + signal));
    interrupted += status == 0 ? 0 : 1;
    const int now = which(out, 3);
    REQUIRE((now == previous || now == next));
    REQUIRE(names_in(folder.path()) == std::vector<std::string>{"out"});
    previous = now;
  }
  CHECK(interrupted > 0);  // on a busy machine most builds are over before the signal arrives
}

TEST_CASE("many builds into one folder at once are each whole") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  constexpr int kBuilds = 12;
  std::vector<pid_t> children;
  for (int number = 0; number < kBuilds; ++number) {
    children.push_back(start([&] {
      for (int i = 0; i < 4; ++i)
        if (const int status = build(out, number); status != 0) return status;
      return 0;
    }));
  }
  for (const pid_t child : children) CHECK(wait_for(child) == 0);
  CHECK(which(out, kBuilds) >= 0);
  CHECK(names_in(folder.path()) == std::vector<std::string>{"out"});
}

TEST_CASE("many builds into few folders, half of them killed") {
  const TemporaryFolder folder;
  std::mt19937 random(13);
  constexpr int kFolders = 5;
  for (int round = 0; round < 10; ++round) {
    std::vector<pid_t> children;
    for (int i = 0; i < 20; ++i)
      children.push_back(start([&] { return build(folder.path("o" + std::to_string(i % kFolders)), i / kFolders); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 60));
    for (size_t i = 0; i < children.size(); i += 2) ::kill(children[i], SIGKILL);
    for (const pid_t child : children) {
      const int status = wait_for(child);
      CHECK((status == 0 || status == -SIGKILL));
    }
  }
  for (int i = 0; i < kFolders; ++i) CHECK(which(folder.path("o" + std::to_string(i)), 4) >= 0);
}

TEST_CASE("on the real disk times stay, links stay, and a mode stays") {
  const TemporaryFolder folder;
  const std::string out = folder.path("out");
  REQUIRE(build(out, 0) == 0);
  REQUIRE(::chmod(out.c_str(), 0711) == 0);
  REQUIRE(::symlink("out", folder.path("link").c_str()) == 0);
  RealFileSystem fs;
  const std::string same = out + "/next_levels/c0/k0.cpp";
  const std::string differs = out + "/next_levels/c1/k1.cpp";
  const auto same_before = *fs.stat(same).value();
  const auto differs_before = *fs.stat(differs).value();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  REQUIRE(build(folder.path("link"), 1) == 0);
  CHECK(which(out, 2) == 1);
  CHECK(fs.stat(same).value()->mtime_ns == same_before.mtime_ns);
  CHECK(fs.stat(same).value()->same_file(same_before));
  CHECK(fs.stat(differs).value()->mtime_ns > differs_before.mtime_ns);
  CHECK(fs.stat(out).value()->mode == 0711);
  CHECK(names_in(folder.path()) == std::vector<std::string>{"link", "out"});
}

}  // namespace
}  // namespace pyptoc::publish
