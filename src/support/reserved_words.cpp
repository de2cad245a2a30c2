// SPDX-License-Identifier: Apache-2.0
// Words that generated code cannot use as names of its own.
#include "support/reserved_words.h"

#include <algorithm>
#include <array>

namespace pyptoc::support {
namespace {

// clang-format off
constexpr auto kCppWords = std::to_array<std::string_view>({
    "BUFSIZ", "CHAR_BIT", "CHAR_MAX", "CHAR_MIN", "DBL_EPSILON", "DBL_MAX", "DBL_MIN", "EOF", "FILE", "FLT_EPSILON",
    "FLT_MAX", "FLT_MIN", "HUGE_VAL", "INFINITY", "INT16_C", "INT16_MAX", "INT16_MIN", "INT32_C", "INT32_MAX",
    "INT32_MIN", "INT64_C", "INT64_MAX", "INT64_MIN", "INT8_C", "INT8_MAX", "INT8_MIN", "INTMAX_MAX", "INTMAX_MIN",
    "INTPTR_MAX", "INTPTR_MIN", "INT_MAX", "INT_MIN", "LLONG_MAX", "LLONG_MIN", "LONG_MAX", "LONG_MIN", "NAN",
    "NULL", "PTRDIFF_MAX", "PTRDIFF_MIN", "SCHAR_MAX", "SCHAR_MIN", "SHRT_MAX", "SHRT_MIN", "SIZE_MAX", "UCHAR_MAX",
    "UINT16_C", "UINT16_MAX", "UINT32_C", "UINT32_MAX", "UINT64_C", "UINT64_MAX", "UINT8_C", "UINT8_MAX",
    "UINTMAX_MAX", "UINTPTR_MAX", "UINT_MAX", "ULLONG_MAX", "ULONG_MAX", "USHRT_MAX", "abort", "alignas", "alignof",
    "and", "and_eq", "asm", "assert", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
    "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "errno", "exit", "explicit", "export", "extern", "false", "far", "final",
    "float", "for", "fpclassify", "fprintf", "free", "friend", "goto", "i386", "if", "import", "inline", "int",
    "int16_t", "int32_t", "int64_t", "int8_t", "int_fast16_t", "int_fast32_t", "int_fast64_t", "int_fast8_t",
    "int_least16_t", "int_least32_t", "int_least64_t", "int_least8_t", "intmax_t", "intptr_t", "isfinite", "isinf",
    "isnan", "linux", "long", "main", "malloc", "max_align_t", "memcmp", "memcpy", "memmove", "memset", "module",
    "mutable", "namespace", "near", "new", "noexcept", "noreturn", "not", "not_eq", "nullptr", "nullptr_t",
    "offsetof", "operator", "or", "or_eq", "override", "printf", "private", "protected", "ptrdiff_t", "public",
    "register", "reinterpret_cast", "requires", "restrict", "return", "setjmp", "short", "signbit", "signed",
    "size_t", "sizeof", "snprintf", "ssize_t", "static", "static_assert", "static_cast", "std", "stderr", "stdin",
    "stdout", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef", "typeid",
    "typename", "typeof", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "uint_fast16_t", "uint_fast32_t",
    "uint_fast64_t", "uint_fast8_t", "uint_least16_t", "uint_least32_t", "uint_least64_t", "uint_least8_t",
    "uintmax_t", "uintptr_t", "union", "unix", "unsigned", "using", "va_arg", "va_copy", "va_end", "va_list",
    "va_start", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
});

constexpr auto kPythonWords = std::to_array<std::string_view>({
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup", "BlockingIOError",
    "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError", "ConnectionAbortedError",
    "ConnectionError", "ConnectionRefusedError", "ConnectionResetError", "DeprecationWarning", "EOFError",
    "Ellipsis", "EncodingWarning", "EnvironmentError", "Exception", "ExceptionGroup", "False", "FileExistsError",
    "FileNotFoundError", "FloatingPointError", "FutureWarning", "GeneratorExit", "IOError", "ImportError",
    "ImportWarning", "IndentationError", "IndexError", "InterruptedError", "IsADirectoryError", "KeyError",
    "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "None",
    "NotADirectoryError", "NotImplemented", "NotImplementedError", "OSError", "OverflowError",
    "PendingDeprecationWarning", "PermissionError", "ProcessLookupError", "RecursionError", "ReferenceError",
    "ResourceWarning", "RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError",
    "SyntaxWarning", "SystemError", "SystemExit", "TabError", "TimeoutError", "True", "TypeError",
    "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "UnicodeTranslateError",
    "UnicodeWarning", "UserWarning", "ValueError", "Warning", "ZeroDivisionError", "_", "abs", "aiter", "all", "and",
    "anext", "any", "as", "ascii", "assert", "async", "await", "bin", "bool", "break", "breakpoint", "bytearray",
    "bytes", "callable", "case", "chr", "class", "classmethod", "cls", "compile", "complex", "continue", "def",
    "del", "delattr", "dict", "dir", "divmod", "elif", "else", "enumerate", "eval", "except", "exec", "exit",
    "filter", "finally", "float", "for", "format", "from", "frozenset", "getattr", "global", "globals", "hasattr",
    "hash", "help", "hex", "id", "if", "import", "in", "input", "int", "is", "isinstance", "issubclass", "iter",
    "lambda", "len", "list", "locals", "map", "match", "max", "memoryview", "min", "next", "nonlocal", "not",
    "object", "oct", "open", "or", "ord", "pass", "pow", "print", "property", "quit", "raise", "range", "repr",
    "return", "reversed", "round", "self", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum",
    "super", "try", "tuple", "type", "vars", "while", "with", "yield", "zip",
});
// clang-format on

// The search below relies on it.
static_assert(std::ranges::is_sorted(kCppWords) && std::ranges::is_sorted(kPythonWords));

}  // namespace

bool is_cpp_reserved(std::string_view word) {
  return std::ranges::binary_search(kCppWords, word);
}
bool is_python_reserved(std::string_view word) {
  return std::ranges::binary_search(kPythonWords, word);
}

}  // namespace pyptoc::support
