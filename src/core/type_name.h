// core/type_name.h: what messages call the type of a value: the word that a user of Python knows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/c_api.h>

#include <span>
#include <string>
#include <string_view>

namespace isthmus {

// "int", "str", "ndarray", ...; the type key for objects of users ("my.Point").
std::string type_name(int32_t type_index);
// The same for the words that tvm-ffi's own messages use: "ffi.SmallStr" is "str", "Array<int>" is
// "list[int]", "Optional<ffi.Tensor>" is "ndarray | None". Words that it does not know stay.
std::string type_name(std::string_view word);

// tvm-ffi's messages about typed functions in Python's words. "Mismatched type on argument #0 when
// calling: `f(0: int) -> int`. Expected `int` but got `ffi.SmallStr`" becomes "f() argument 1 ('x')
// must be int, not str" and a wrong count "f() takes 1 argument (2 given)"; other messages stay.
// `names` are those of the parameters of the function called `function`, where they are known.
std::string plain_message(std::string_view message, std::string_view function = {},
                          std::span<const std::string> names = {});

}  // namespace isthmus
