// SPDX-License-Identifier: Apache-2.0
// Stand-in for the communication instructions: moves between the memories of two ranks, and signals.
#pragma once

#include "pto/comm/comm_types.hpp"

namespace pto {
namespace comm {

template <AtomicType kAtomic = AtomicType::AtomicNone, typename To, typename From, typename Stage>
inline RecordEvent TPUT(To& to, From& from, Stage& stage) {
  static_assert(std::is_same_v<typename To::RawDType, typename From::RawDType> &&
                    std::is_same_v<typename To::RawDType, typename Stage::DType>,
                "one element type");
  const StandinGlobal t = to.standin();
  const StandinGlobal f = from.standin();
  const StandinTile s = stage.standin();
  standin_copy_through(&t, &f, &s, kAtomic == AtomicType::AtomicAdd);
  return {};
}

template <typename To, typename From, typename Stage>
inline RecordEvent TPUT(To& to, From& from, Stage& stage, AtomicType how) {
  return how == AtomicType::AtomicAdd ? TPUT<AtomicType::AtomicAdd>(to, from, stage) : TPUT(to, from, stage);
}

template <typename To, typename From, typename Stage>
inline RecordEvent TGET(To& to, From& from, Stage& stage) {
  return TPUT(to, from, stage);
}

template <typename SignalT>
inline void TNOTIFY(SignalT& signal, int32_t value, NotifyOp op) {
  static_assert(std::is_same_v<typename SignalT::RawDType, int32_t>, "signals are INT32");
  standin_notify(reinterpret_cast<uint64_t>(signal.data()), value, op == NotifyOp::Set);
}

template <typename SignalT>
inline void TWAIT(SignalT& signal, int32_t value, WaitCmp compare) {
  static_assert(std::is_same_v<typename SignalT::RawDType, int32_t>, "signals are INT32");
  const StandinGlobal g = signal.standin();
  standin_wait(&g, value, static_cast<int32_t>(compare));
}

template <typename SignalT>
inline bool TTEST(SignalT& signal, int32_t value, WaitCmp compare) {
  static_assert(std::is_same_v<typename SignalT::RawDType, int32_t>, "signals are INT32");
  const StandinGlobal g = signal.standin();
  return standin_test(&g, value, static_cast<int32_t>(compare)) != 0;
}

}  // namespace comm
}  // namespace pto
