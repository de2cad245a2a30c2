// SPDX-License-Identifier: Apache-2.0
// Which tensors of a function share storage, and which items wrote a storage last.
#pragma once

#include <string>
#include <vector>

namespace pyptoc::graph {

using NumberSet = std::vector<int>;  // sorted, each once

NumberSet joined(NumberSet a, const NumberSet& b);

// The groups of a function, in the order in which its statements open them.
class Groups {
 public:
  // `item` is larger than that of every group before. Arms of one if have the same `branch`, other groups -1.
  void open(int item, int parent, int branch) { all_.push_back({item, parent, branch}); }
  // Whether `inner` is `outer` or lies in it. -1 is the whole function.
  bool is_inside(int inner, int outer) const;
  // Whether the two lie in different arms of one if.
  bool exclude_each_other(int a, int b) const;

 private:
  struct Group {
    int item;
    int parent;
    int branch;
  };
  const Group* find(int item) const;
  int parent_of(int item) const;

  std::vector<Group> all_;
};

struct Storage {
  std::string name;
  int param = -1;   // the index of the parameter that it belongs to
  int window = -1;  // the item that allocates it as a window
  struct Write {
    int item;
    int group;  // the innermost group around the item, -1 outside of all
  };
  std::vector<Write> writes;  // those that a later reader may still see, in program order
};

class Storages {
 public:
  int add(std::string name, int param = -1, int window = -1);
  int size() const { return static_cast<int>(all_.size()); }
  const Storage& operator[](int number) const { return all_[static_cast<size_t>(number)]; }

  void write(int storage, int item, int group, const Groups& groups);
  // Items whose writes a reader in `group` may see.
  NumberSet writers(int storage, int group, const Groups& groups) const;

 private:
  std::vector<Storage> all_;
};

}  // namespace pyptoc::graph
