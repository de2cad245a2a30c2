// SPDX-License-Identifier: Apache-2.0
#include "text/rebindings.h"

#include <algorithm>

#include "text/type_match.h"

namespace pyptoc::text {

namespace {
constexpr size_t kMostFormer = 16;
}

void Rebindings::begin_function() {
  blocks_.clear();
  log_.clear();
  former_.clear();
}

// A loop that has the use already told the loops around it.
void Rebindings::use(const ir::Var* var, uint32_t at) {
  for (size_t i = blocks_.size(); i > 0; --i) {
    Block& block = blocks_[i - 1];
    if (block.assigned.contains(var)) return;
    if (block.loop && !block.exposed.insert(var, at)) return;
  }
}

void Rebindings::assign(const ir::Var* var) {
  if (!blocks_.empty() && blocks_.back().assigned.insert(var)) blocks_.back().list.push_back(var);
}

void Rebindings::change(const Change& change) {
  if (!blocks_.empty()) log_.push_back(change);
  std::vector<const ir::Var*>& former = former_[change.name];
  if (std::find(former.begin(), former.end(), change.before) != former.end()) return;
  if (former.size() == kMostFormer) former.erase(former.begin());
  former.push_back(change.before);
}

const ir::Var* Rebindings::former(NameId name, const ir::Type* type) const {
  auto known = former_.find(name);
  if (known == former_.end()) return nullptr;
  for (const ir::Var* var : known->second)
    if (same_type(var->type, type)) return var;
  return nullptr;
}

void Rebindings::begin_block(bool loop) {
  Block block;
  block.loop = loop;
  block.mark = log_.size();
  blocks_.push_back(std::move(block));
}

void Rebindings::end_block() {
  blocks_.pop_back();
  if (blocks_.empty()) log_.clear();
}

std::vector<Rebindings::Change> Rebindings::changes() const {
  std::vector<Change> out;
  std::unordered_map<NameId, size_t> at;
  for (size_t i = blocks_.back().mark; i < log_.size(); ++i) {
    auto [known, fresh] = at.try_emplace(log_[i].name, out.size());
    if (fresh) {
      out.push_back(log_[i]);
    } else {
      out[known->second].after = log_[i].after;
      out[known->second].at = log_[i].at;
    }
  }
  return out;
}

std::vector<Rebindings::Conflict> Rebindings::conflicts() const {
  std::vector<Conflict> out;
  for (const Change& change : changes())
    if (const uint32_t* used = blocks_.back().exposed.find(change.before);
        used != nullptr && change.before != change.after)
      out.push_back({change, *used});
  return out;
}

void Rebindings::join(const std::vector<const ir::Var*>& in_then, const std::vector<const ir::Var*>& in_else) {
  ir::NodeSet both;
  for (const ir::Var* var : in_then) both.insert(var);
  for (const ir::Var* var : in_else)
    if (both.contains(var)) assign(var);
}

}  // namespace pyptoc::text
