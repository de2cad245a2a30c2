// SPDX-License-Identifier: Apache-2.0
// The log on top of spdlog, whose default logger would write to standard output.
#include "driver/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/ostream_sink.h>

#include <ostream>

namespace pyptoc::driver {

Log::Log(std::ostream& err, int verbosity, bool color) : err_(err), verbosity_(verbosity), color_(color) {}

Log::~Log() = default;

void Log::step(const std::string& text) {
  if (wants_steps()) logger().info(text);
}

void Log::detail(const std::string& text) {
  if (wants_details()) logger().debug(text);
}

spdlog::logger& Log::logger() {
  if (logger_ == nullptr) {
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_st>(err_, true);
    logger_ = std::make_unique<spdlog::logger>("pyptoc", std::move(sink));
    logger_->set_level(spdlog::level::debug);
    logger_->set_pattern(color_ ? "\033[2m%n: %v\033[0m" : "%n: %v", spdlog::pattern_time_type::utc);
  }
  return *logger_;
}

}  // namespace pyptoc::driver
