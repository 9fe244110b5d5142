// callback.cc: Python callables as functions of the FFI.
// SPDX-License-Identifier: Apache-2.0
#include "ext.h"

namespace isthmus::py {
namespace {

// A tvm-ffi Function laid out by hand, so that the callable is found again when it comes back.
struct Callback {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
  PyObject* callable;  // owned
};

// From any thread.
void callback_deleter(void* self, int flags) {
  auto* c = static_cast<Callback*>(self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong && !is_finalizing()) {
    GilAcquire gil;
    Py_DECREF(c->callable);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) std::free(c);
}

constexpr int32_t kFew = 6;

// Calls with the values of `args`; `values` has room for them and, before them, for the self of a
// bound method.
PyObject* call_with(PyObject* callable, const TVMFFIAny* args, int32_t n, PyObject** values) {
  ++values;
  int32_t made = 0;
  while (made < n && (values[made] = value_to_python(args[made]))) ++made;
  PyObject* result = nullptr;
  if (made == n)
    result = waiting_for_gil([&] {
      size_t count = static_cast<size_t>(n) | PY_VECTORCALL_ARGUMENTS_OFFSET;
      // A function of Python counts its recursion itself, and needs no check of its result.
      if (Py_IS_TYPE(callable, &PyFunction_Type))
        return reinterpret_cast<PyFunctionObject*>(callable)->vectorcall(callable, values, count,
                                                                         nullptr);
      if (Py_EnterRecursiveCall(" in a callback of C++")) return static_cast<PyObject*>(nullptr);
      PyObject* value = PyObject_Vectorcall(callable, values, count, nullptr);
      Py_LeaveRecursiveCall();
      return value;
    });
  while (made > 0) Py_DECREF(values[--made]);
  return result;
}

[[gnu::noinline]] PyObject* call_with_many(PyObject* callable, const TVMFFIAny* args, int32_t n) {
  std::vector<PyObject*> values(static_cast<size_t>(n) + 1);
  return call_with(callable, args, n, values.data());
}

PyObject* call(PyObject* callable, const TVMFFIAny* args, int32_t n) {
  if (n > kFew) return call_with_many(callable, args, n);
  PyObject* values[kFew + 1];
  return call_with(callable, args, n, values);
}

int callback_call(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (is_finalizing()) {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the Python interpreter is shutting down");
    return -1;
  }
  GilAcquire gil;
  int code = -1;
  try {
    // The function may be unregistered, and so dropped, while it runs.
    Ref callable = Ref::borrow(static_cast<Callback*>(self)->callable);
    Converting lent;  // the arrays of the calls that led here
    Ref value(call(callable.get(), args, n));
    if (value.get() == Py_None) {
      *result = pod_any(kTVMFFINone, 0);
      code = 0;
    } else if (value) {
      owned_value(value.get(), result);
      code = 0;
    }
  } catch (...) {
    set_error_from_exception();
  }
  if (code != 0) raise_to_ffi();
  return code;
}

}  // namespace

TVMFFIObject* make_callback(PyObject* callable) {
  auto* c = static_cast<Callback*>(std::malloc(sizeof(Callback)));
  if (!c) throw std::bad_alloc();
  c->header.combined_ref_count = kSoleReference;
  c->header.type_index = kTVMFFIFunction;
  c->header.__padding = 0;
  c->header.deleter = callback_deleter;
  c->cell.safe_call = callback_call;
  c->cell.cpp_call = nullptr;
  c->callable = Py_NewRef(callable);
  return &c->header;
}

PyObject* callable_of(const TVMFFIObject* f) {
  return f->deleter == callback_deleter ? reinterpret_cast<const Callback*>(f)->callable : nullptr;
}

}  // namespace isthmus::py
