// SPDX-License-Identifier: Apache-2.0
// The functions of fmt, compiled into pyptoc: Debian has them as a shared library only, and an installed pyptoc needs
// nothing but the C library.
#include <fmt/format-inl.h>

namespace fmt::detail {

template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template locale_ref::locale_ref(const std::locale&);
template auto locale_ref::get<std::locale>() const -> std::locale;

}  // namespace fmt::detail
