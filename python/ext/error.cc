// error.cc: errors and floating-point conditions across the boundary.
// SPDX-License-Identifier: Apache-2.0
#include "ext.h"

namespace isthmus::py {

void set_error(const tvm::ffi::Error& error) {
  std::string kind(error.kind());
  if (kind == kHostErrorPending && PyErr_Occurred()) return;
  PyObject* type = PyExc_RuntimeError;
  if (kind == "AxisError" && g.axis_error) {
    type = g.axis_error;
  } else if (kind == "LinAlgError" && g.linalg_error) {
    type = g.linalg_error;
  } else {
    PyObject* builtins = PyEval_GetBuiltins();
    PyObject* found = builtins ? PyDict_GetItemString(builtins, kind.c_str()) : nullptr;
    if (found && PyExceptionClass_Check(found)) type = found;
  }
  std::string message(error.message());
  Ref text(
      PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
  if (text) PyErr_SetObject(type, text.get());
}

void set_error_from_exception() {
  try {
    throw;
  } catch (const PythonError&) {
  } catch (const tvm::ffi::Error& e) {
    set_error(e);
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

void set_error_from_ffi() {
  TVMFFIObjectHandle handle = nullptr;
  TVMFFIErrorMoveFromRaised(&handle);
  if (!handle) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "the call failed without an error");
    return;
  }
  auto any = pod_any(0, 0);
  any.type_index = kTVMFFIError;
  any.v_obj = static_cast<TVMFFIObject*>(handle);
  auto error = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&any).cast<tvm::ffi::Error>();
  set_error(error);
}

int fp_report(const char* op_name, unsigned flags) {
  fp_clear();
  // Underflow is ignored unless somebody changed the error state.
  if (flags == 0x10 && g.errstate_var && g.errstate_default) {
    PyObject* state = nullptr;
    if (PyContextVar_Get(g.errstate_var, nullptr, &state) < 0) return -1;
    Ref held(state);
    if (state == g.errstate_default) return 0;
  }
  if (!g.fp_handler) return 0;
  Ref result(PyObject_CallFunction(g.fp_handler, "sI", op_name, flags));
  return result ? 0 : -1;
}

}  // namespace isthmus::py
