// SPDX-License-Identifier: Apache-2.0
// Optimal string alignment distance in three rolling rows, with an early way out.
#include "support/edit_distance.h"

#include <algorithm>
#include <string>
#include <vector>

namespace pyptoc::support {
namespace {

// Nobody misreads names longer than this, and the work per candidate grows with the square of the length.
constexpr std::size_t kLongestName = 128;

std::string folded(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    } else if (c == '-') {
      c = '_';
    }
  }
  return out;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t bound) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > bound) {
    return bound + 1;
  }
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    last[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t smallest = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
      smallest = std::min(smallest, row[j]);
    }
    // A swap reaches two rows back and adds one, so a row above the bound cannot be undercut later.
    if (smallest > bound) {
      return bound + 1;
    }
    before_last.swap(last);
    last.swap(row);
  }
  return std::min(last[b.size()], bound + 1);
}

std::optional<std::string_view> closest(std::string_view name, std::span<const std::string_view> candidates) {
  if (name.empty() || name.size() > kLongestName) {
    return std::nullopt;
  }
  const std::string wanted = folded(name);
  std::optional<std::string_view> best;
  // Twice the folded distance, plus one when only folding made the names alike: an exact match wins over that.
  std::size_t best_score = 0;
  for (const std::string_view candidate : candidates) {
    if (candidate == name) {
      return candidate;
    }
    if (candidate.size() > kLongestName) {
      continue;
    }
    std::size_t bound = std::max<std::size_t>(1, std::max(name.size(), candidate.size()) / 3);
    // One letter in place of another is no likeness.
    if (std::min(name.size(), candidate.size()) == 1) {
      bound = 0;
    }
    if (best) {
      bound = std::min(bound, best_score);
    }
    const std::size_t score = edit_distance(wanted, folded(candidate), bound);
    if (score <= bound && (!best || score < best_score)) {
      best = candidate;
      best_score = score;
    }
  }
  return best;
}

}  // namespace pyptoc::support
