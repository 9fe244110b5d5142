// number.cc: the arithmetic and comparison slots of ndarray; they reach the operator without a
// look-up.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "ext.h"

namespace isthmus::py {
namespace {

enum Slot : int {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kRemainder,
  kPower,
  kLeftShift,
  kRightShift,
  kAnd,
  kOr,
  kXor,
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kGreater,
  kGreaterEqual,
  kNegative,
  kPositive,
  kAbsolute,
  kInvert,
  kSquare,
  kSqrt,
  kReciprocal,
  kNumSlots
};
constexpr const char* kNames[kNumSlots] = {
    "add",        "subtract",    "multiply",      "divide",      "floor_divide",
    "remainder",  "power",       "left_shift",    "right_shift", "bitwise_and",
    "bitwise_or", "bitwise_xor", "less",          "less_equal",  "equal",
    "not_equal",  "greater",     "greater_equal", "negative",    "positive",
    "absolute",   "invert",      "square",        "sqrt",        "reciprocal"};
const Ufunc* slots[kNumSlots];
PyObject* op_matmul;
PyObject* op_divmod;

inline PyObject* call_binary(Slot slot, PyObject* a, PyObject* b) {
  const Ufunc& u = *slots[slot];
  Converter converter;
  try {
    TVMFFIAny x1, x2;
    if (is_array(a)) x1 = tensor_any(array_of(a));
    else if (!converter.binary_operand(a, &x1)) Py_RETURN_NOTIMPLEMENTED;
    if (is_array(b)) x2 = tensor_any(array_of(b));
    else if (PyFloat_CheckExact(b)) x2 = float_any(PyFloat_AS_DOUBLE(b));
    else if (!converter.binary_operand(b, &x2)) Py_RETURN_NOTIMPLEMENTED;
    fp_begin();
    return finish(u.name, api().call_binary(u, x1, x2));
  } catch (...) {
    set_error_from_exception();
    return nullptr;
  }
}

template <Slot kSlot>
PyObject* binary(PyObject* a, PyObject* b) {
  return call_binary(kSlot, a, b);
}

template <Slot kSlot>
PyObject* unary(PyObject* a) {
  const Ufunc& u = *slots[kSlot];
  try {
    fp_begin();
    return finish(u.name, api().call_unary(u, tensor_any(array_of(a))));
  } catch (...) {
    set_error_from_exception();
    return nullptr;
  }
}

template <Slot kSlot>
PyObject* inplace(PyObject* a, PyObject* b) {
  const Ufunc& u = *slots[kSlot];
  Converter converter;
  try {
    TVMFFIAny other;
    if (!converter.binary_operand(b, &other)) Py_RETURN_NOTIMPLEMENTED;
    fp_begin();
    NDArrayObj* self = array_of(a);
    api().call_binary_out(u, tensor_any(self), other, self);
    if (fp_end(u.name) < 0) return nullptr;
  } catch (...) {
    set_error_from_exception();
    return nullptr;
  }
  Py_INCREF(a);
  return a;
}

// The ufunc that NumPy takes for an exponent that is a Python number, or null.
const Ufunc* special_power(DType d, PyObject* exponent) {
  if (PyFloat_CheckExact(exponent)) {
    double e = PyFloat_AS_DOUBLE(exponent);
    if (!is_inexact(d)) return nullptr;
    if (e == 2.0) return slots[kSquare];
    if (e == 0.5) return slots[kSqrt];
    if (e == 1.0) return slots[kPositive];
    if (e == -1.0) return slots[kReciprocal];
  } else if (PyLong_CheckExact(exponent)) {
    int64_t e;
    if (!compact_long(exponent, &e)) return nullptr;
    if (e == 2) return slots[kSquare];
    if (d == DType::kBool) return nullptr;
    if (e == 1) return slots[kPositive];
    if (e == -1 && is_inexact(d)) return slots[kReciprocal];
  }
  return nullptr;
}

PyObject* array_nb_power(PyObject* a, PyObject* b, PyObject* modulo) {
  if (modulo != Py_None) Py_RETURN_NOTIMPLEMENTED;
  if (is_array(a)) {
    if (const Ufunc* u = special_power(array_of(a)->dt, b)) {
      try {
        fp_begin();
        return finish(u->name, api().call_unary(*u, tensor_any(array_of(a))));
      } catch (...) {
        set_error_from_exception();
        return nullptr;
      }
    }
  }
  return call_binary(kPower, a, b);
}

PyObject* array_nb_inplace_power(PyObject* a, PyObject* b, PyObject*) {
  return inplace<kPower>(a, b);
}

PyObject* call_op2(PyObject* op, PyObject* a, PyObject* b) {
  Converter converter;
  try {
    TVMFFIAny x;
    if ((!is_array(a) && !converter.binary_operand(a, &x)) ||
        (!is_array(b) && !converter.binary_operand(b, &x)))
      Py_RETURN_NOTIMPLEMENTED;
  } catch (...) {
    set_error_from_exception();
    return nullptr;
  }
  PyObject* args[2] = {a, b};
  return PyObject_Vectorcall(op, args, 2, nullptr);
}

PyObject* array_nb_matmul(PyObject* a, PyObject* b) { return call_op2(op_matmul, a, b); }
PyObject* array_nb_divmod(PyObject* a, PyObject* b) { return call_op2(op_divmod, a, b); }

PyObject* array_nb_inplace_matmul(PyObject* a, PyObject* b) {
  Ref product(array_nb_matmul(a, b));
  if (!product || product.get() == Py_NotImplemented) return product.release();
  NDArrayObj *to = array_of(a), *from = array_of(product.get());
  return guarded([&]() -> PyObject* {
    if (!same_dims(to->dims(), from->dims())) {
      PyErr_SetString(PyExc_ValueError,
                      "inplace matrix multiplication requires the result to have the shape of the "
                      "first operand");
      return nullptr;
    }
    if (!to->writeable()) {
      PyErr_SetString(PyExc_ValueError, "output array is read-only");
      return nullptr;
    }
    if (!can_cast(from->dt, to->dt, Casting::kSameKind)) {
      PyErr_Format(
          PyExc_TypeError,
          "Cannot cast matmul output from dtype('%s') to dtype('%s') with casting rule 'same_kind'",
          name(from->dt), name(to->dt));
      return nullptr;
    }
    api().assign(to, from);
    Py_INCREF(a);
    return a;
  });
}

// ---- Conversion to Python numbers --------------------------------------------------------------
int array_nb_bool(PyObject* o) {
  NDArrayObj* a = array_of(o);
  if (a->size == 1) {
    const char* p = a->bytes();
    if (a->dt == DType::kBool) return *p != 0;
    bool truth = false;
    return guarded_int([&] { api().cast_one(a->dt, p, DType::kBool, &truth); }) < 0 ? -1 : truth;
  }
  PyErr_SetString(PyExc_ValueError, a->size == 0
                                        ? "The truth value of an empty array is ambiguous. Use "
                                          "`array.size > 0` to check that an array is not empty."
                                        : "The truth value of an array with more than one element "
                                          "is ambiguous. Use a.any() or a.all()");
  return -1;
}

// The only element of a 0-d array; null with a TypeError otherwise.
const char* only_element(PyObject* o) {
  NDArrayObj* a = array_of(o);
  if (a->ndim == 0) return a->bytes();
  PyErr_SetString(PyExc_TypeError, "only 0-dimensional arrays can be converted to Python scalars");
  return nullptr;
}

PyObject* array_nb_float(PyObject* o) {
  const char* p = only_element(o);
  if (!p) return nullptr;
  NDArrayObj* a = array_of(o);
  if (a->dt == DType::kFloat64) return PyFloat_FromDouble(*reinterpret_cast<const double*>(p));
  Ref value(element_to_python(a->dt, p));
  if (!value) return nullptr;
  return PyNumber_Float(value.get());
}

PyObject* array_nb_int(PyObject* o) {
  const char* p = only_element(o);
  if (!p) return nullptr;
  Ref value(element_to_python(array_of(o)->dt, p));
  if (!value) return nullptr;
  return PyNumber_Long(value.get());
}

PyObject* array_nb_index(PyObject* o) {
  NDArrayObj* a = array_of(o);
  if (a->ndim != 0 || !is_integer(a->dt)) {
    PyErr_SetString(PyExc_TypeError,
                    "only integer scalar arrays can be converted to a scalar index");
    return nullptr;
  }
  return element_to_python(a->dt, a->bytes());
}

}  // namespace

PyObject* array_richcompare(PyObject* a, PyObject* b, int op) {
  static constexpr Slot kSlots[] = {kLess, kLessEqual, kEqual, kNotEqual, kGreater, kGreaterEqual};
  static_assert(Py_LT == 0 && Py_LE == 1 && Py_EQ == 2 && Py_NE == 3 && Py_GT == 4 && Py_GE == 5);
  PyObject* result = call_binary(kSlots[op], a, b);
  if (result != Py_NotImplemented || (op != Py_EQ && op != Py_NE)) return result;
  // No element equals what is no number; a type with a comparison of its own is asked first.
  bool asks =
      Py_TYPE(b)->tp_richcompare && Py_TYPE(b)->tp_richcompare != PyBaseObject_Type.tp_richcompare;
  if (asks && !PyUnicode_Check(b) && !PyBytes_Check(b) && !PyDict_Check(b) && b != Py_None)
    return result;
  Py_DECREF(result);
  return guarded([&] {
    NDArrayObj* all = api().empty(array_of(a)->dims(), DType::kBool);
    std::memset(all->data, op == Py_NE, all->nbytes());
    return wrap(all);
  });
}

int find_number_ufuncs() {
  for (int i = 0; i < kNumSlots; ++i) {
    slots[i] = api().find_ufunc(kNames[i]);
    if (!slots[i]) {
      PyErr_Format(PyExc_ImportError, "the core has no operator '%s'", kNames[i]);
      return -1;
    }
  }
  op_matmul = PyDict_GetItemString(g.ops, "matmul");
  op_divmod = PyDict_GetItemString(g.ops, "divmod");
  Py_XINCREF(op_matmul);
  Py_XINCREF(op_divmod);
  if (!op_matmul || !op_divmod) {
    PyErr_SetString(PyExc_ImportError, "the core has no operator 'matmul' or 'divmod'");
    return -1;
  }
  return 0;
}

PyNumberMethods array_number = {
    .nb_add = binary<kAdd>,
    .nb_subtract = binary<kSubtract>,
    .nb_multiply = binary<kMultiply>,
    .nb_remainder = binary<kRemainder>,
    .nb_divmod = array_nb_divmod,
    .nb_power = array_nb_power,
    .nb_negative = unary<kNegative>,
    .nb_positive = unary<kPositive>,
    .nb_absolute = unary<kAbsolute>,
    .nb_bool = array_nb_bool,
    .nb_invert = unary<kInvert>,
    .nb_lshift = binary<kLeftShift>,
    .nb_rshift = binary<kRightShift>,
    .nb_and = binary<kAnd>,
    .nb_xor = binary<kXor>,
    .nb_or = binary<kOr>,
    .nb_int = array_nb_int,
    .nb_reserved = nullptr,
    .nb_float = array_nb_float,
    .nb_inplace_add = inplace<kAdd>,
    .nb_inplace_subtract = inplace<kSubtract>,
    .nb_inplace_multiply = inplace<kMultiply>,
    .nb_inplace_remainder = inplace<kRemainder>,
    .nb_inplace_power = array_nb_inplace_power,
    .nb_inplace_lshift = inplace<kLeftShift>,
    .nb_inplace_rshift = inplace<kRightShift>,
    .nb_inplace_and = inplace<kAnd>,
    .nb_inplace_xor = inplace<kXor>,
    .nb_inplace_or = inplace<kOr>,
    .nb_floor_divide = binary<kFloorDivide>,
    .nb_true_divide = binary<kDivide>,
    .nb_inplace_floor_divide = inplace<kFloorDivide>,
    .nb_inplace_true_divide = inplace<kDivide>,
    .nb_index = array_nb_index,
    .nb_matrix_multiply = array_nb_matmul,
    .nb_inplace_matrix_multiply = array_nb_inplace_matmul,
};

}  // namespace isthmus::py
