// ffi/objects.h: Python's index values and complex numbers as tvm-ffi objects, so that any language
// can read and make them. Every front end maps them to its own forms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>

namespace isthmus {

// slice(start, stop, step); a part that was not given is None.
class SliceObj : public tvm::ffi::Object {
 public:
  tvm::ffi::Any start, stop, step;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("isthmus.Slice", SliceObj, tvm::ffi::Object);
};

// "..." in an index. One instance serves the process.
class EllipsisObj : public tvm::ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("isthmus.Ellipsis", EllipsisObj, tvm::ffi::Object);
};

// range(start, stop, step).
class RangeObj : public tvm::ffi::Object {
 public:
  int64_t start = 0, stop = 0, step = 1;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("isthmus.Range", RangeObj, tvm::ffi::Object);
};

class ComplexObj : public tvm::ffi::Object {
 public:
  double real = 0, imag = 0;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("isthmus.Complex", ComplexObj, tvm::ffi::Object);
};

// Registers fields and constructors, and the functions isthmus.Slice, isthmus.Ellipsis,
// isthmus.Range and isthmus.Complex that make one.
void register_objects();
// Borrowed, lives for ever.
TVMFFIObject* ellipsis_object();

}  // namespace isthmus
