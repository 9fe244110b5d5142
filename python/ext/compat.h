// compat.h: differences between CPython versions, fenced in one place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#if defined(__GLIBCXX__) && PY_VERSION_HEX < 0x030E0000
#include <cxxabi.h>
#define ISTHMUS_THREADS_ARE_UNWOUND 1
#endif

#if PY_VERSION_HEX < 0x030A0000
#error "Isthmus needs Python 3.10 or newer"
#endif

namespace isthmus::py {

// The value of a small exact int without a call; false when it is not small.
inline bool compact_long(PyObject* o, int64_t* out) {
#if PY_VERSION_HEX >= 0x030C0000
  auto* v = reinterpret_cast<PyLongObject*>(o);
  if (!PyUnstable_Long_IsCompact(v)) return false;
  *out = PyUnstable_Long_CompactValue(v);
  return true;
#else
  // Its sign times its digit; zero has a digit too, which is not looked at for its value.
  Py_ssize_t size = Py_SIZE(o);
  if (static_cast<size_t>(size + 1) > 2) return false;
  *out = size * static_cast<int64_t>(reinterpret_cast<PyLongObject*>(o)->ob_digit[0]);
  return true;
#endif
}

inline bool is_finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing();
#else
  return _Py_IsFinalizing();
#endif
}

// Whether this thread holds the GIL. May say no on a thread of a subinterpreter that does.
inline bool holds_gil() {
#if PY_VERSION_HEX >= 0x030D0000
  return PyThreadState_GetUnchecked() != nullptr;
#elif PY_VERSION_HEX >= 0x030C0000
  return _PyThreadState_UncheckedGet() != nullptr;
#else
  // The state of whichever thread holds it.
  PyThreadState* holder = _PyThreadState_UncheckedGet();
  return holder && holder == PyGILState_GetThisThreadState();
#endif
}

// Runs what may wait for the GIL. Before Python 3.14 a thread that waits when the interpreter ends
// is unwound, and destructors of C++ run without the GIL; here it sleeps, as it does later on.
template <class F>
inline auto waiting_for_gil(F&& f) {
#ifdef ISTHMUS_THREADS_ARE_UNWOUND
  try {
    return std::forward<F>(f)();
  } catch (const abi::__forced_unwind&) {
    for (;;) pause();
  }
#else
  return std::forward<F>(f)();
#endif
}

// Whether a new object may come from an unlocked free list.
#ifdef Py_GIL_DISABLED
inline constexpr bool kFreeLists = false;
#else
inline constexpr bool kFreeLists = true;
#endif

// Takes the pending exception out of the thread state / puts it back (steals).
inline PyObject* take_exception() {
#if PY_VERSION_HEX >= 0x030C0000
  return PyErr_GetRaisedException();
#else
  PyObject *type, *value, *tb;
  PyErr_Fetch(&type, &value, &tb);
  if (!type) return nullptr;
  PyErr_NormalizeException(&type, &value, &tb);
  if (tb) PyException_SetTraceback(value, tb);
  Py_XDECREF(type);
  Py_XDECREF(tb);
  return value;
#endif
}
inline void raise_exception(PyObject* exception) {
#if PY_VERSION_HEX >= 0x030C0000
  PyErr_SetRaisedException(exception);
#else
  PyObject* type = reinterpret_cast<PyObject*>(Py_TYPE(exception));
  Py_INCREF(type);
  PyErr_Restore(type, exception, PyException_GetTraceback(exception));
#endif
}

}  // namespace isthmus::py
