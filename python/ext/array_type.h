// array_type.h: what the two files of the array type share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ext.h"

namespace isthmus::py {

extern PyMethodDef array_methods[];
// The view with its axes reversed.
PyObject* array_transposed(PyObject* array);
// op(self) or op(self, arg) by the operator's name.
PyObject* call_method_op(const char* op, PyObject* self, PyObject* arg = nullptr);

}  // namespace isthmus::py
