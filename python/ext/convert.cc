// convert.cc: Python values to Any.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>

#include "ext.h"

namespace isthmus::py {

// ---- Ownership ----------------------------------------------------------------------------------
void Converter::hold_ref(PyObject* owned) {
  if (num_refs_ < kInline) refs_[num_refs_++] = owned;
  else overflow().refs.push_back(owned);
}

void Converter::release() {
  for (int i = 0; i < num_owned_; ++i) drop_value(owned_[i]);
  for (int i = 0; i < num_refs_; ++i) Py_DECREF(refs_[i]);
  if (!overflow_) return;
  for (TVMFFIObject* o : overflow_->owned) drop_value(o);
  for (PyObject* o : overflow_->refs) Py_DECREF(o);
}

// ---- Scalars ------------------------------------------------------------------------------------
int64_t index_value(PyObject* o) {
  int64_t small;
  if (PyLong_CheckExact(o) && compact_long(o, &small)) return small;
  if (PyBool_Check(o)) return o == Py_True;
  Converting converting;
  Ref index(PyNumber_Index(o));
  if (!index) throw PythonError();
  int overflow = 0;
  long long v = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
  if (overflow) {
    PyErr_SetString(PyExc_OverflowError, "Python int too large to convert to C long");
    throw PythonError();
  }
  if (v == -1 && PyErr_Occurred()) throw PythonError();
  return v;
}

bool dtype_from_type_num(int type_num, DType* out) {
  switch (type_num) {
    case NPY_BOOL: return *out = DType::kBool, true;
    case NPY_BYTE: return *out = DType::kInt8, true;
    case NPY_UBYTE: return *out = DType::kUInt8, true;
    case NPY_SHORT: return *out = DType::kInt16, true;
    case NPY_USHORT: return *out = DType::kUInt16, true;
    case NPY_INT: return *out = DType::kInt32, true;
    case NPY_UINT: return *out = DType::kUInt32, true;
    case NPY_LONG: return *out = sizeof(long) == 8 ? DType::kInt64 : DType::kInt32, true;
    case NPY_ULONG: return *out = sizeof(long) == 8 ? DType::kUInt64 : DType::kUInt32, true;
    case NPY_LONGLONG: return *out = DType::kInt64, true;
    case NPY_ULONGLONG: return *out = DType::kUInt64, true;
    case NPY_HALF: return *out = DType::kFloat16, true;
    case NPY_FLOAT: return *out = DType::kFloat32, true;
    case NPY_DOUBLE: return *out = DType::kFloat64, true;
    case NPY_CFLOAT: return *out = DType::kComplex64, true;
    case NPY_CDOUBLE: return *out = DType::kComplex128, true;
    default: return false;
  }
}

bool dtype_from_descr(PyArray_Descr* d, DType* out) {
  return PyArray_ISNBO(d->byteorder) && dtype_from_type_num(d->type_num, out);
}

DType dtype_from_object(PyObject* o) {
  DType d;
  if (PyArray_DescrCheck(o)) {
    if (dtype_from_descr(reinterpret_cast<PyArray_Descr*>(o), &d)) return d;
  } else if (PyUnicode_CheckExact(o)) {
    Py_ssize_t n;
    const char* s = PyUnicode_AsUTF8AndSize(o, &n);
    if (s && dtype_from_name({s, static_cast<size_t>(n)}, &d)) return d;
    PyErr_Clear();
  } else if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) {
    return DType::kFloat64;
  } else if (o == reinterpret_cast<PyObject*>(&PyBool_Type)) {
    return DType::kBool;
  } else if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) {
    return DType::kInt64;
  } else if (o == reinterpret_cast<PyObject*>(&PyComplex_Type)) {
    return DType::kComplex128;
  }
  if (is_array(o)) {
    PyErr_SetString(PyExc_TypeError, "Cannot construct a dtype from an array");
    throw PythonError();
  }
  PyArray_Descr* descr = nullptr;
  if (!PyArray_DescrConverter(o, &descr)) throw PythonError();
  Ref held(reinterpret_cast<PyObject*>(descr));
  if (dtype_from_descr(descr, &d)) return d;
  PyErr_Format(PyExc_TypeError,
               "dtype %R is not supported: Isthmus has bool, integers, floats to 64 bits and "
               "complex numbers, in native "
               "byte order",
               held.get());
  throw PythonError();
}

namespace {

// dtype of a NumPy scalar; false for other objects.
bool scalar_dtype(PyObject* o, DType* out) {
  PyTypeObject* t = Py_TYPE(o);
  if (t == &PyDoubleArrType_Type) return *out = DType::kFloat64, true;
  if (t == &PyLongArrType_Type) return *out = DType::kInt64, true;
  if (t == &PyFloatArrType_Type) return *out = DType::kFloat32, true;
  if (t == &PyBoolArrType_Type) return *out = DType::kBool, true;
  if (!PyArray_IsScalar(o, Generic)) return false;
  PyArray_Descr* d = PyArray_DescrFromScalar(o);
  if (!d) {
    PyErr_Clear();
    return false;
  }
  bool known = dtype_from_descr(d, out);
  Py_DECREF(d);
  return known;
}

}  // namespace

bool numpy_scalar(PyObject* o, DType* d, void* value) {
  if (!scalar_dtype(o, d)) return false;
  PyArray_ScalarAsCtype(o, value);
  return true;
}

void Converter::operand_slow(PyObject* o, TVMFFIAny* out) {
  Converting converting;
  if (PyBool_Check(o)) {
    *out = pod_any(kTVMFFIBool, o == Py_True);
    return;
  }
  if (PyLong_CheckExact(o)) {
    int overflow = 0;
    long long v = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (!overflow) {
      *out = pod_any(kTVMFFIInt, v);
      return;
    }
    if (num_wide_ >= 4) {
      PyErr_SetString(PyExc_OverflowError, "Python int too large to convert to C long");
      throw PythonError();
    }
    WideInt& wide = wide_[num_wide_++];
    wide.bits = overflow > 0 ? PyLong_AsUnsignedLongLong(o) : 0;
    wide.fits_uint64 = overflow > 0 && !PyErr_Occurred();
    PyErr_Clear();
    wide.approximate = PyLong_AsDouble(o);
    if (PyErr_Occurred()) {
      PyErr_Clear();
      wide.approximate = overflow > 0 ? HUGE_VAL : -HUGE_VAL;
    }
    *out = pod_any(kWideInt, 0);
    out->v_ptr = &wide;
    return;
  }
  if (PyComplex_CheckExact(o) && num_complex_ < 4) {
    double* c = complex_[num_complex_++];
    c[0] = PyComplex_RealAsDouble(o);
    c[1] = PyComplex_ImagAsDouble(o);
    *out = pod_any(kTVMFFIOpaquePtr, 0);
    out->v_ptr = c;
    return;
  }
  DType d;
  alignas(16) char value[16];
  if (numpy_scalar(o, &d, value)) {
    *out = tensor_any(hold(api().scalar_array(d, value)));
    return;
  }
  // Some of NumPy's functions take slices where others take arrays (insert, delete).
  if (PySlice_Check(o)) throw tvm::ffi::Error("Fallback", "a slice", "");
  *out = tensor_any(hold(array_from_object(o, false, nullptr)));
}

bool has_attr(PyObject* o, PyObject* name) {
  Ref found(PyObject_GetAttr(o, name));
  if (found) return true;
  if (!PyErr_ExceptionMatches(PyExc_Exception)) throw PythonError();
  PyErr_Clear();
  return false;
}

bool Converter::binary_operand(PyObject* o, TVMFFIAny* out) {
  if (is_array(o) || PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o) ||
      PyComplex_CheckExact(o) || PyArray_CheckExact(o) || PyList_CheckExact(o) ||
      PyTuple_CheckExact(o) || PyArray_IsScalar(o, Generic)) {
    operand(o, out);
    return true;
  }
  if (PyUnicode_Check(o) || PyBytes_Check(o) || PyDict_Check(o) || o == Py_None) return false;
  Converting converting;  // the look-ups below may run Python code
  // Another library's array decides itself when it says how (its own __array_ufunc__, or None to
  // refuse).
  PyObject* theirs = PyObject_GetAttr(reinterpret_cast<PyObject*>(Py_TYPE(o)), g.str_array_ufunc);
  if (theirs) {
    bool refuses = theirs == Py_None;
    Py_DECREF(theirs);
    if (refuses || !PyArray_Check(o)) return false;
  } else if (PyErr_ExceptionMatches(PyExc_Exception)) {
    PyErr_Clear();
  } else {
    throw PythonError();
  }
  if (PyFloat_Check(o) || PyLong_Check(o) || PyArray_Check(o) || PyList_Check(o) ||
      PyTuple_Check(o) || PyRange_Check(o) || PyObject_CheckBuffer(o) ||
      has_attr(o, g.str_dlpack) || has_attr(o, g.str_array)) {
    operand_slow(o, out);
    return true;
  }
  return false;
}

// ---- By parameter ------------------------------------------------------------------------------
namespace {

[[noreturn, gnu::cold, gnu::noinline]] void fail_param(const Op& op, int param,
                                                       const char* expected, PyObject* got) {
  throw ArgumentError(cat(op.def.name, "(): argument ", param + 1, " ('",
                          op.schema.params[static_cast<size_t>(param)].name, "') must be ",
                          expected, ", not ", Py_TYPE(got)->tp_name));
}

const char* utf8(PyObject* o) {
  Py_ssize_t n;
  const char* s = PyUnicode_AsUTF8AndSize(o, &n);
  if (s && std::strlen(s) == static_cast<size_t>(n)) return s;
  if (s) PyErr_SetString(PyExc_ValueError, "embedded null character");
  throw PythonError();
}

// An int beyond 63 bits as an array of its own. A bound, a fill value or an index may fit a dtype
// that is decided elsewhere; further ones would be arrays of objects.
[[gnu::cold, gnu::noinline]] uint64_t bits_of_wide(int param, const WideInt* wide) {
  if (param > 0) throw tvm::ffi::Error("Fallback", "an integer beyond 64 bits", "");
  if (!wide->fits_uint64)
    throw tvm::ffi::Error("OverflowError", "Python int too large to convert to C long", "");
  return wide->bits;
}

int64_t dimension_value(PyObject* o) {
  if (PyBool_Check(o)) {
    PyErr_SetString(PyExc_TypeError, "an integer is required, got a bool");
    throw PythonError();
  }
  return index_value(o);
}

}  // namespace

void Converter::shape(const Op& op, int param, PyObject* o, TVMFFIAny* out) {
  if (num_shapes_ >= 3) fail_param(op, param, "given once", o);
  ShapeCell& s = shapes_[num_shapes_++];
  s.header.type_index = kTVMFFIShape;
  s.header.__padding = 0;
  s.cell.data = s.dims;
  *out = pod_any(kTVMFFIShape, 0);
  out->v_obj = &s.header;
  PyObject* const* items;
  Py_ssize_t n;
  Ref fast;
  if (PyTuple_CheckExact(o)) {
    items = &PyTuple_GET_ITEM(o, 0);
    n = PyTuple_GET_SIZE(o);
  } else if (PyLong_Check(o) || (!PyList_Check(o) && !PyTuple_Check(o) && PyIndex_Check(o) &&
                                 !is_array(o) && !PyArray_Check(o))) {
    s.dims[0] = op.schema.params[static_cast<size_t>(param)].kind == ParamKind::kShape
                    ? dimension_value(o)
                    : index_value(o);
    s.cell.size = 1;
    return;
  } else {
    if ((is_array(o) && array_of(o)->ndim == 0) ||
        (PyArray_Check(o) && PyArray_NDIM(reinterpret_cast<PyArrayObject*>(o)) == 0)) {
      s.dims[0] = index_value(o);
      s.cell.size = 1;
      return;
    }
    if (PyUnicode_Check(o) || PyBytes_Check(o) || !PySequence_Check(o))
      fail_param(op, param, "an integer or a sequence of integers", o);
    fast = Ref(PySequence_Fast(o, "expected an integer or a sequence of integers"));
    if (!fast) throw PythonError();
    items = PySequence_Fast_ITEMS(fast.get());
    n = PySequence_Fast_GET_SIZE(fast.get());
  }
  if (n > kMaxDims) {
    PyErr_Format(PyExc_ValueError,
                 "maximum supported dimension for an ndarray is currently %d, found %zd", kMaxDims,
                 n);
    throw PythonError();
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* item = items[i];
    int64_t small;
    if (PyLong_CheckExact(item) && compact_long(item, &small)) {
      s.dims[i] = small;
      continue;
    }
    Ref held = Ref::borrow(item);  // __index__ may shorten the list
    if (PyFloat_Check(item)) fail_param(op, param, "a sequence of integers", item);
    s.dims[i] = op.schema.params[static_cast<size_t>(param)].kind == ParamKind::kShape
                    ? dimension_value(item)
                    : index_value(item);
    if (fast && PySequence_Fast_GET_SIZE(fast.get()) != n)
      fail_param(op, param, "a sequence that does not change", o);
    if (fast) items = PySequence_Fast_ITEMS(fast.get());
  }
  s.cell.size = static_cast<size_t>(n);
}

void Converter::sequence(std::span<PyObject* const> items, TVMFFIAny* out) {
  TVMFFIAny* to = items_;
  if (items.size() > kInline) {
    overflow().items.resize(items.size());
    to = overflow().items.data();
  }
  for (size_t i = 0; i < items.size(); ++i) {
    if (PyUnicode_Check(items[i])) {
      to[i] = pod_any(kTVMFFIRawStr, 0);
      to[i].v_c_str = utf8(items[i]);
    } else {
      operand(items[i], &to[i]);
    }
  }
  seq_.header = TVMFFIObject{};
  seq_.cell = TVMFFISeqCell{};
  seq_.cell.data = to;
  seq_.cell.size = static_cast<int64_t>(items.size());
  *out = pod_any(kTVMFFIArray, 0);
  out->v_obj = &seq_.header;
}

void Converter::arrays(const Op& op, int param, PyObject* o, TVMFFIAny* out) {
  if (PyTuple_CheckExact(o) || PyList_CheckExact(o)) {
    // A list may change under a conversion that runs Python code, of this argument or of a later
    // one; a tuple may not.
    if (PyList_CheckExact(o)) {
      o = PyList_AsTuple(o);
      if (!o) throw PythonError();
      hold_ref(o);
    }
    sequence({PySequence_Fast_ITEMS(o), static_cast<size_t>(PySequence_Fast_GET_SIZE(o))}, out);
    return;
  }
  if (is_array(o) || PyArray_Check(o)) {
    // An array is the sequence of its rows.
    PyObject* rows = PySequence_Tuple(o);
    if (!rows) throw PythonError();
    hold_ref(rows);
    sequence({&PyTuple_GET_ITEM(rows, 0), static_cast<size_t>(PyTuple_GET_SIZE(rows))}, out);
    return;
  }
  if (PyUnicode_Check(o) || !PySequence_Check(o)) {
    PyErr_Format(PyExc_TypeError,
                 "%s(): argument %d ('%s') must be a sequence of arrays, not %.200s", op.def.name,
                 param + 1, op.schema.params[static_cast<size_t>(param)].name.c_str(),
                 Py_TYPE(o)->tp_name);
    throw PythonError();
  }
  PyObject* items = PySequence_Tuple(o);
  if (!items) throw PythonError();
  hold_ref(items);
  sequence({&PyTuple_GET_ITEM(items, 0), static_cast<size_t>(PyTuple_GET_SIZE(items))}, out);
}

namespace {
// Reductions take their axes as a tuple only; functions that build on sorting take lists too.
bool is_reduction(const Op& op) {
  bool keeps = false;
  for (const Param& p : op.schema.params) {
    if (p.name == "overwrite_input") return false;
    keeps |= p.name == "keepdims";
  }
  return keeps;
}
}  // namespace

void Converter::convert_slow(const Op& op, int param, PyObject* o, TVMFFIAny* out) {
  const Param& p = op.schema.params[static_cast<size_t>(param)];
  Converting converting;
  switch (p.kind) {
    case ParamKind::kOptArray:
      if (o == Py_None) break;
      [[fallthrough]];
    case ParamKind::kArray:
      if (PyFloat_CheckExact(o)) {
        *out = float_any(PyFloat_AS_DOUBLE(o));
        return;
      }
      if (int64_t small; PyLong_CheckExact(o) && compact_long(o, &small)) {
        *out = pod_any(kTVMFFIInt, small);
        return;
      }
      // No arrays, but NumPy makes numbers of some text.
      if (param > 0 && (PyUnicode_Check(o) || o == Py_None))
        fail_param(op, param, "an array or a number", o);
      operand(o, out);
      // Only element-wise operators know ints of no width beyond 64 bits.
      if (out->type_index == kWideInt && !op.def.ufunc) {
        const uint64_t bits = bits_of_wide(param, static_cast<const WideInt*>(out->v_ptr));
        *out = tensor_any(hold(api().scalar_array(DType::kUInt64, &bits)));
      }
      return;
    case ParamKind::kArrays: return arrays(op, param, o, out);
    case ParamKind::kAxes:
      if (o == Py_None) break;
      if (p.name == "axis" && (PyBool_Check(o) || (PyList_Check(o) && is_reduction(op))))
        fail_param(op, param, "None, an integer or a tuple of integers", o);
      return shape(op, param, o, out);
    case ParamKind::kShape:
      if (o == Py_None) fail_param(op, param, "an integer or a sequence of integers", o);
      return shape(op, param, o, out);
    case ParamKind::kDType: {
      if (o == Py_None) break;
      DType d = dtype_from_object(o);
      *out = pod_any(kTVMFFIDataType, 0);
      out->v_dtype = info(d).dl;
      return;
    }
    case ParamKind::kBool: {
      if (p.name == "keepdims" && !PyBool_Check(o) && !PyLong_Check(o))
        fail_param(op, param, "a bool", o);
      int truth = o == Py_True ? 1 : o == Py_False ? 0 : PyObject_IsTrue(o);
      if (truth < 0) throw PythonError();
      *out = pod_any(kTVMFFIBool, truth);
      return;
    }
    case ParamKind::kOptInt:
      if (o == Py_None) break;
      [[fallthrough]];
    case ParamKind::kInt: {
      if (!PyIndex_Check(o) || (PyBool_Check(o) && p.name == "axis"))
        fail_param(op, param, "an integer", o);
      *out = pod_any(kTVMFFIInt, index_value(o));
      return;
    }
    case ParamKind::kFloat: {
      double v = PyFloat_AsDouble(o);
      if (v == -1.0 && PyErr_Occurred()) throw PythonError();
      *out = float_any(v);
      return;
    }
    case ParamKind::kOptStr:
      if (o == Py_None) break;
      [[fallthrough]];
    case ParamKind::kStr: {
      if (!PyUnicode_Check(o)) fail_param(op, param, "a string", o);
      *out = pod_any(kTVMFFIRawStr, 0);
      out->v_c_str = utf8(o);
      return;
    }
    case ParamKind::kOut:
      if (o == Py_None) break;
      if (PyTuple_CheckExact(o) && PyTuple_GET_SIZE(o) != 1) {
        PyErr_SetString(PyExc_ValueError,
                        "The 'out' tuple must have exactly one entry per ufunc output");
        throw PythonError();
      }
      if (PyTuple_CheckExact(o) && PyTuple_GET_SIZE(o) == 1) o = PyTuple_GET_ITEM(o, 0);
      if (o == Py_None) break;
      if (!is_array(o) && !PyArray_Check(o)) {
        PyErr_Format(PyExc_TypeError,
                     "%s(): return arrays must be of ArrayType (an ndarray), not %.200s",
                     op.def.name, Py_TYPE(o)->tp_name);
        throw PythonError();
      }
      if (is_array(o)) *out = tensor_any(array_of(o));
      else *out = tensor_any(hold(borrow_numpy(reinterpret_cast<PyArrayObject*>(o))));
      return;
    case ParamKind::kAny:
      // The only such parameter of element-wise operators is the `out` of several outputs.
      if (op.def.ufunc && !PyTuple_Check(o)) fail_param(op, param, "a tuple of arrays", o);
      return value(o, out);
  }
  *out = pod_any(kTVMFFINone, 0);
}

}  // namespace isthmus::py
