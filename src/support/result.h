// SPDX-License-Identifier: Apache-2.0
// A value or the reason why there is none, for operations that the machine may refuse.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "support/internal_error.h"

namespace pyptoc::support {

struct Error {
  std::string message;  // a sentence part that fits after `cannot ...:`
  int code = 0;         // errno, or 0 where no system call failed
};

// Asking for the half that is not there is a bug of ours.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    PYPTOC_ASSERT(ok(), "value of a failed result: " + std::get<1>(state_).message);
    return std::get<0>(state_);
  }
  const T& value() const& {
    PYPTOC_ASSERT(ok(), "value of a failed result: " + std::get<1>(state_).message);
    return std::get<0>(state_);
  }
  T value() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }

  const Error& error() const {
    PYPTOC_ASSERT(!ok(), "error of a result that holds a value");
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

struct Done {};
using Status = Result<Done>;

}  // namespace pyptoc::support

// Leaves the function with the error when `expression`, a Result, holds one.
#define PYPTOC_TRY(expression)                                                                            \
  do {                                                                                                    \
    if (auto pyptoc_try_result = (expression); !pyptoc_try_result.ok()) return pyptoc_try_result.error(); \
  } while (false)
