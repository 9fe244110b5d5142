// error.cc: errors and floating-point conditions across the boundary.
// SPDX-License-Identifier: Apache-2.0
#include "ext.h"
// After Python.h, which ext.h includes.
#include <frameobject.h>

#include <cstring>
#include <stdexcept>

#include "core/type_name.h"

namespace isthmus::py {
namespace {

// The exception object that an error of a callback carries (borrowed), or null.
PyObject* carried_exception(const tvm::ffi::Error& error) {
  const auto* cell = cell_of<TVMFFIErrorCell>(error.get());
  auto* context = static_cast<const TVMFFIObject*>(cell->extra_context);
  if (!context || context->type_index != kTVMFFIOpaquePyObject) return nullptr;
  auto* opaque = cell_of<TVMFFIOpaqueObjectCell>(context);
  auto* o = static_cast<PyObject*>(opaque->handle);
  return PyExceptionInstance_Check(o) ? o : nullptr;
}

// The class of a kind: registered ones first, then the built-in exceptions; null when there is
// none.
PyObject* class_of_kind(const std::string& kind) {
  if (kind == "AxisError") return g.axis_error;
  if (kind == "LinAlgError") return g.linalg_error;
  PyObject* found = PyDict_GetItemString(g.error_classes, kind.c_str());
  if (found) return found;
  PyObject* builtins = PyEval_GetBuiltins();
  found = builtins ? PyDict_GetItemString(builtins, kind.c_str()) : nullptr;
  return found && PyExceptionClass_Check(found) ? found : nullptr;
}

// Adds an entry to the traceback of the pending exception.
void add_frame(const std::string& file, int line, const std::string& function) {
  PyObject* exception = take_exception();
  Ref globals(PyDict_New());
  auto* code = PyCode_NewEmpty(file.c_str(), function.c_str(), line);
  PyFrameObject* frame =
      code && globals ? PyFrame_New(PyThreadState_Get(), code, globals.get(), nullptr) : nullptr;
  if (!frame) PyErr_Clear();
  raise_exception(exception);
  if (frame) {
#if PY_VERSION_HEX < 0x030B0000
    frame->f_lineno = line;
#endif
    PyTraceBack_Here(frame);
  }
  Py_XDECREF(frame);
  Py_XDECREF(code);
}

// The frames of a backtrace, innermost first, one line each:  File "x.cc", line 12, in f
void add_frames(std::string_view backtrace) {
  while (!backtrace.empty()) {
    size_t end = backtrace.find('\n');
    std::string_view text = backtrace.substr(0, end);
    backtrace = end == std::string_view::npos ? std::string_view() : backtrace.substr(end + 1);
    size_t file = text.find("File \""), file_end = text.find("\", line ");
    if (file == std::string_view::npos || file_end == std::string_view::npos) continue;
    file += 6;
    // The interpreter's own frames say nothing about the error.
    std::string_view path = text.substr(file, file_end - file);
    if (path.starts_with("Python/") || path.starts_with("Objects/") ||
        path.starts_with("Modules/") || path.starts_with("./Include/"))
      continue;
    int line = std::atoi(std::string(text.substr(file_end + 8)).c_str());
    size_t in = text.find(", in ", file_end);
    add_frame(std::string(path), line,
              in == std::string_view::npos ? "<unknown>" : std::string(text.substr(in + 5)));
  }
}

std::string_view text_of(const TVMFFIByteArray& a) { return {a.data, a.size}; }

}  // namespace

tvm::ffi::Error error_from(TVMFFIObject* owned) {
  TVMFFIAny any = pod_any(kTVMFFIError, 0);
  any.v_obj = owned;
  return tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&any).cast<tvm::ffi::Error>();
}

PyObject* exception_from_error(const tvm::ffi::Error& error) {
  if (PyObject* carried = carried_exception(error)) return Py_NewRef(carried);
  std::string kind(error.kind()), message(error.message());
  PyObject* type = class_of_kind(kind);
  if (kind == "InternalError" && message == "std::bad_alloc") type = PyExc_MemoryError;
  if (kind == "TypeError") message = plain_message(message);
  if (kind == "Fallback") {  // where nothing can fall back
    type = PyExc_TypeError;
    message = "expected numbers, not " + message;
  }
  if (!type) {
    // The kind is all that tells what happened, so it stays in the message.
    if (kind != "InternalError") message = kind + ": " + message;
    type = PyExc_RuntimeError;
  }
  Ref text(
      PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
  if (!text) return nullptr;
  PyObject* exception = PyObject_CallOneArg(type, text.get());
  if (exception && PyExceptionInstance_Check(exception)) return exception;
  // A class that wants more than a message (UnicodeDecodeError).
  Py_XDECREF(exception);
  PyErr_Clear();
  return PyObject_CallOneArg(PyExc_RuntimeError, text.get());
}

void set_error(const tvm::ffi::Error& error) {
  std::string kind = error.kind();
  if ((kind == kHostErrorPending || kind == "EnvErrorAlreadySet") && PyErr_Occurred()) return;
  PyErr_Clear();
  Ref exception(exception_from_error(error));
  if (!exception) return;
  const auto* cell = cell_of<TVMFFIErrorCell>(error.get());
  if (cell->cause_chain && !carried_exception(error)) {
    auto* cause = static_cast<TVMFFIObject*>(cell->cause_chain);
    object_incref(cause);
    if (PyObject* value = exception_from_error(error_from(cause)))
      PyException_SetCause(exception.get(), value);
    else PyErr_Clear();
  }
  raise_exception(exception.release());
  add_frames(text_of(cell->backtrace));
}

void set_error_from_exception() {
  try {
    throw;
  } catch (const PythonError&) {
  } catch (const tvm::ffi::Error& e) {
    set_error(e);
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::length_error&) {
    PyErr_NoMemory();  // more items than any container holds
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
  set_error(error_from(static_cast<TVMFFIObject*>(handle)));
}

void raise_to_ffi() {
  Ref exception(take_exception());
  if (!exception) {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "a Python function failed without an exception");
    return;
  }
  // "isthmus.MyError" is told by its last part, as kinds are.
  const char* kind = Py_TYPE(exception.get())->tp_name;
  if (const char* dot = std::strrchr(kind, '.')) kind = dot + 1;
  Ref text(PyObject_Str(exception.get()));
  Py_ssize_t n = 0;
  const char* message = text ? PyUnicode_AsUTF8AndSize(text.get(), &n) : nullptr;
  if (!message) {
    PyErr_Clear();
    message = "<exception whose str() failed>";
    n = static_cast<Py_ssize_t>(std::strlen(message));
  }
  TVMFFIAny context = pod_any(kTVMFFINone, 0);
  try {
    opaque_value(exception.get(), &context);
  } catch (...) {
    PyErr_Clear();
  }
  TVMFFIByteArray kind_bytes{kind, std::strlen(kind)},
      message_bytes{message, static_cast<size_t>(n)}, none{"", 0};
  TVMFFIObjectHandle error = nullptr;
  bool has_context = context.type_index >= kTVMFFIStaticObjectBegin;
  if (TVMFFIErrorCreateWithCauseAndExtraContext(&kind_bytes, &message_bytes, &none, nullptr,
                                                has_context ? context.v_obj : nullptr,
                                                &error) == 0) {
    TVMFFIErrorSetRaised(error);
    object_decref(static_cast<TVMFFIObject*>(error));
  } else {
    TVMFFIErrorSetRaisedFromCStr(kind, message);
  }
  if (has_context) object_decref(context.v_obj);
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
