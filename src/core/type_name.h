// core/type_name.h: what messages call the type of a value: the word that a user of Python knows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/c_api.h>

#include <string>
#include <string_view>

namespace isthmus {

// "int", "str", "ndarray", ...; the type key for objects of users ("my.Point").
std::string type_name(int32_t type_index);
// The same for the words that tvm-ffi's own messages use: "ffi.SmallStr" is "str", "Array<int>" is
// "list[int]", "Optional<ffi.Tensor>" is "ndarray | None". Words that it does not know stay.
std::string type_name(std::string_view word);

}  // namespace isthmus
