// ext.h: what the parts of the extension share: the array's Python object, module state,
// conversions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compat.h"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL isthmus_numpy_api
#define PY_UFUNC_UNIQUE_SYMBOL isthmus_numpy_ufunc_api
#ifndef ISTHMUS_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <numpy/ufuncobject.h>

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ffi/core_api.h"

#if defined(__SSE2__)
#include <immintrin.h>
#else
#include <cfenv>
#endif

namespace isthmus::py {

// ---- Objects ------------------------------------------------------------------------------------
struct PyNDArray {
  PyObject_HEAD NDArrayObj* array;  // owned
  PyObject* weakrefs;
};
extern PyTypeObject ndarray_type;
extern PyTypeObject ndarray_iter_type;

struct PyOp {
  PyObject_HEAD vectorcallfunc vectorcall;
  const Op* op;
  const Ufunc* ufunc;  // element-wise operators with one output, else null
  PyObject* name;
  PyObject** keywords;  // interned parameter names
  TVMFFIAny* defaults;  // one for each parameter
  int num_params;
  uint32_t required;      // bit mask of parameters without a default
  PyObject* result_type;  // callable that takes the tuple of several results, or null
  PyObject* dict;
  PyObject* weakrefs;
};
extern PyTypeObject op_type;
PyObject* make_op(const Op* op);
// The position of a keyword among the parameters; -1 when there is none, -2 with an exception set.
int find_keyword(const PyOp* op, PyObject* key);
// Runs an operator on converted arguments; `args`, `nargs` and `kwnames` are what the caller gave.
PyObject* run_op(const PyOp* op, TVMFFIAny* values, PyObject* const* args, Py_ssize_t nargs,
                 PyObject* kwnames);
// Op.bind(**constants)
PyObject* op_bind(PyObject* op, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);

// Any function of the registry or that C++ handed out.
struct PyFunction {
  PyObject_HEAD vectorcallfunc vectorcall;
  TVMFFIObject* function;  // owned
  PyObject* name;          // or null
  bool releases_gil;
};
extern PyTypeObject function_type;
// Functions of the core never wait for other threads; all others may, and release the GIL.
PyObject* make_function(TVMFFIObject* owned, PyObject* name);

// A C++ object of a type that has no Python form of its own; the base of its types' classes.
struct PyFFIObject {
  PyObject_HEAD TVMFFIObject* object;  // owned; null until a constructor ran
  PyObject* weakrefs;
};
extern PyTypeObject object_type;
extern PyTypeObject field_type;
// Takes over the reference; the class is that of the object's type.
PyObject* make_object(TVMFFIObject* owned);

struct PyDevice {
  PyObject_HEAD DLDevice device;
};
extern PyTypeObject device_type;
PyObject* make_device(DLDevice device);

// ---- State --------------------------------------------------------------------------------------
// Set when the module is made and not changed afterwards.
struct State {
  const CoreApi* api;
  PyObject* descr[kNumDTypes];  // np.dtype objects
  PyObject* fallback;           // (name, args, kwargs) -> result, set by the package
  PyObject* fp_handler;         // (name, flags) -> None, set by the package
  PyObject* errstate_var;       // NumPy's context variable of np.errstate, or null
  PyObject* errstate_default;   // its value when nobody has changed it, or null
  PyObject* axis_error;
  PyObject* linalg_error;
  PyObject* array_repr;  // set by the package
  PyObject* array_str;
  PyObject* array_function;    // (func, types, args, kwargs), set by the package
  PyObject* array_ufunc_slow;  // (self, ufunc, method, inputs, kwargs), set by the package
  PyObject* rebuild;           // unpickler, set by the package
  PyObject* ops;               // dict name -> Op
  PyObject* object_classes;    // dict type index -> class of its objects
  PyObject* class_of_type;     // (type index) -> class, set by the package
  PyObject* error_classes;     // dict kind -> exception class
  TVMFFIObject* ellipsis;      // the FFI's form of "..."
  PyObject* str_array_ufunc;
  PyObject* str_dlpack;
  PyObject* str_exchange;
  PyObject* str_array;
  PyObject* str_max_version;
  PyObject* str_tvm_ffi_object;
  PyObject* str_tvm_ffi_core;
};
extern State g;

inline const CoreApi& api() { return *g.api; }

// ---- Ownership ----------------------------------------------------------------------------------
class Ref {
 public:
  Ref() = default;
  explicit Ref(PyObject* owned) : p_(owned) {}
  static Ref borrow(PyObject* o) {
    Py_XINCREF(o);
    return Ref(o);
  }
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Ref(const Ref&) = delete;
  Ref& operator=(Ref&& o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Ref() { Py_XDECREF(p_); }
  PyObject* get() const { return p_; }
  PyObject* release() { return std::exchange(p_, nullptr); }
  explicit operator bool() const { return p_ != nullptr; }

 private:
  PyObject* p_ = nullptr;
};

// Takes the GIL on a thread that may have it already, which is then told by two loads.
class GilAcquire {
 public:
  GilAcquire() : held_(holds_gil()) {
    if (!held_) state_ = waiting_for_gil(PyGILState_Ensure);
  }
  ~GilAcquire() {
    if (!held_) PyGILState_Release(state_);
  }
  GilAcquire(const GilAcquire&) = delete;

 private:
  bool held_;
  PyGILState_STATE state_;
};

// A Python exception is set; thrown to unwind C++ frames up to the next guard.
struct PythonError : std::exception {
  const char* what() const noexcept override { return "a Python exception is set"; }
};

// ---- Errors -------------------------------------------------------------------------------------
// Turns the C++ exception in flight into a Python one. Call inside a catch block.
void set_error_from_exception();
void set_error(const tvm::ffi::Error& error);
// Moves tvm-ffi's raised error into a Python exception.
void set_error_from_ffi();
// Moves the pending Python exception into tvm-ffi's raised error; the exception object itself
// travels along and is raised again when the error reaches Python.
void raise_to_ffi();
// The Error of a reference that is taken over.
tvm::ffi::Error error_from(TVMFFIObject* owned);
// The exception object of an Error.
PyObject* exception_from_error(const tvm::ffi::Error& error);

template <class F>
inline PyObject* guarded(F&& f) {
  try {
    return f();
  } catch (...) {
    set_error_from_exception();
    return nullptr;
  }
}
template <class F>
inline int guarded_int(F&& f) {
  try {
    f();
    return 0;
  } catch (...) {
    set_error_from_exception();
    return -1;
  }
}

// ---- Floating-point conditions -----------------------------------------------------------------
#if defined(__SSE2__)
inline constexpr unsigned kFpMask = 0x1d;  // invalid, divide, overflow, underflow
inline void fp_begin() {
  unsigned csr = _mm_getcsr();
  if (csr & kFpMask) _mm_setcsr(csr & ~0x3fu);
}
inline unsigned fp_flags() { return _mm_getcsr() & kFpMask; }
inline void fp_clear() { _mm_setcsr(_mm_getcsr() & ~0x3fu); }
#else
inline constexpr int kFpAll = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW;
inline void fp_begin() { std::feclearexcept(kFpAll); }
inline unsigned fp_flags() {
  int e = std::fetestexcept(kFpAll);
  return (e & FE_INVALID ? 1u : 0) | (e & FE_DIVBYZERO ? 4u : 0) | (e & FE_OVERFLOW ? 8u : 0) |
         (e & FE_UNDERFLOW ? 16u : 0);
}
inline void fp_clear() { std::feclearexcept(kFpAll); }
#endif
// Warns or raises as np.errstate says; -1 when it raised.
int fp_report(const char* op_name, unsigned flags);
inline int fp_end(const char* op_name) {
  unsigned flags = fp_flags();
  return flags ? fp_report(op_name, flags) : 0;
}

// ---- Arrays -------------------------------------------------------------------------------------
// Takes over the reference; null on memory error (the reference is dropped).
PyObject* wrap(NDArrayObj* owned);
inline bool is_array(PyObject* o) { return Py_TYPE(o) == &ndarray_type; }
inline NDArrayObj* array_of(PyObject* o) { return reinterpret_cast<PyNDArray*>(o)->array; }
inline bool is_isthmus(const TVMFFIObject* o) {
  return o->type_index == kTVMFFITensor && o->deleter == api().ndarray_deleter;
}
inline TVMFFIAny tensor_any(NDArrayObj* a) {
  TVMFFIAny v;
  v.type_index = kTVMFFITensor;
  v.zero_padding = 0;
  v.v_obj = a->header();
  return v;
}
inline TVMFFIAny pod_any(int32_t type, int64_t value) {
  TVMFFIAny v;
  v.type_index = type;
  v.zero_padding = 0;
  v.v_int64 = value;
  return v;
}
inline TVMFFIAny float_any(double value) {
  TVMFFIAny v;
  v.type_index = kTVMFFIFloat;
  v.zero_padding = 0;
  v.v_float64 = value;
  return v;
}

// The Python object of a finished element-wise call, after its floating-point conditions were
// looked at.
inline PyObject* finish(const char* op_name, NDArrayObj* owned) {
  PyObject* object = wrap(owned);
  if (fp_end(op_name) < 0) {
    Py_XDECREF(object);
    return nullptr;
  }
  return object;
}
// NumPy array -> Isthmus array over the same memory. Throws when it cannot be shared.
NDArrayObj* borrow_numpy(PyArrayObject* a);
// The Python object that owns borrowed memory (borrowed reference), or null when it is no Python
// object.
PyObject* python_owner(const StorageObj* s);
// Isthmus array -> NumPy array over the same memory; `base` is kept alive.
PyObject* numpy_view(PyObject* array);
// The dtype of a NumPy descriptor; false when Isthmus has none of that kind (or it is not native
// byte order).
bool dtype_from_descr(PyArray_Descr* d, DType* out);
bool dtype_from_type_num(int type_num, DType* out);
// The dtype and value of a NumPy scalar; false for other objects. `value` has room for 16 bytes.
bool numpy_scalar(PyObject* o, DType* d, void* value);
// A dtype from anything that np.dtype accepts; throws TypeError.
DType dtype_from_object(PyObject* o);
// Python scalar for the element at p.
PyObject* element_to_python(DType d, const char* p);
PyObject* array_to_list(const NDArrayObj* a, int dim, const char* p);
// Anything array-like -> owned array (new or shared); throws. `copy` always makes a new one.
NDArrayObj* array_from_object(PyObject* o, bool copy, const DType* dtype);
// Any DLPack producer.
NDArrayObj* array_from_dlpack(PyObject* producer);
// Whether an object's type has DLPack's exchange table; puts ours on a type (-1 on failure).
bool has_exchange_table(PyObject* o);
int add_exchange_table(PyTypeObject* type);

// A TypeError about an argument that a parameter cannot take; NumPy may know what it means.
struct ArgumentError : tvm::ffi::Error {
  explicit ArgumentError(const std::string& text) : Error("TypeError", text, "") {}
};

// A scope in which Python code may run while arrays that were converted already are only borrowed.
// An array object whose NDArray is replaced meanwhile (a.shape = ...) keeps the old one until no
// such scope is left and the calls that may hold it have returned to the interpreter.
class Converting {
 public:
  Converting() { ++depth_; }
  ~Converting() {
    if (--depth_ == kReplaced) schedule_release();
  }
  Converting(const Converting&) = delete;
  // Drops `replaced` at once, or when it is safe.
  static void release_when_done(Ref replaced);

 private:
  static constexpr int kReplaced = 1 << 30;
  static void schedule_release();
  static int release_replaced(void*);
  // Scopes of all threads, plus kReplaced while something waits for their end. Under the GIL.
  static inline int depth_ = 0;
};

// ---- Conversions -------------------------------------------------------------------------------
// Whether an attribute can be had. An error of looking it up counts as absence, unless it is an
// interrupt or an exit: that is thrown.
bool has_attr(PyObject* o, PyObject* name);

struct ShapeCell {
  TVMFFIObject header;
  TVMFFIShapeCell cell;
  int64_t dims[kMaxDims];
};
struct SeqCell {
  TVMFFIObject header;
  TVMFFISeqCell cell;
};

// Drops a reference to what owned_value (below) made.
void drop_value(TVMFFIObject* o);

// Converts the arguments of one call and owns what that makes.
class Converter {
 public:
  Converter() = default;
  Converter(const Converter&) = delete;
  ~Converter() {
    if (!(num_owned_ | num_refs_)) return;
    if (num_owned_ == 1 && num_refs_ == 0) drop_value(owned_[0]);
    else release();
  }
  // By the kind of a parameter. Throws. What most calls pass is decided here, the rest in
  // convert_slow.
  void convert(const Op& op, int param, PyObject* o, TVMFFIAny* out) {
    ParamKind kind = op.schema.params[static_cast<size_t>(param)].kind;
    if (kind <= ParamKind::kOptArray && is_array(o)) {
      *out = tensor_any(array_of(o));
      return;
    }
    if ((kind == ParamKind::kShape || kind == ParamKind::kAxes) && num_shapes_ < 3) {
      ShapeCell& s = shapes_[num_shapes_];
      int64_t* d = s.dims;
      int64_t n = -1;
      if (PyTuple_CheckExact(o)) {
        Py_ssize_t size = PyTuple_GET_SIZE(o);
        if (size <= 8) {
          n = 0;
          while (n < size && PyLong_CheckExact(PyTuple_GET_ITEM(o, n)) &&
                 compact_long(PyTuple_GET_ITEM(o, n), d + n))
            ++n;
          if (n != size) n = -1;
        }
      } else if (PyLong_CheckExact(o) && compact_long(o, d)) {
        n = 1;
      }
      if (n >= 0) {
        ++num_shapes_;
        s.header.type_index = kTVMFFIShape;
        s.header.__padding = !PyTuple_CheckExact(o);  // a lone int: see Frame::is_lone_int
        s.cell = {d, static_cast<size_t>(n)};
        *out = pod_any(kTVMFFIShape, 0);
        out->v_obj = &s.header;
        return;
      }
    }
    convert_slow(op, param, o, out);
  }
  // An operand: array or number.
  void operand(PyObject* o, TVMFFIAny* out) {
    if (is_array(o)) {
      *out = tensor_any(array_of(o));
    } else if (PyFloat_CheckExact(o)) {
      *out = float_any(PyFloat_AS_DOUBLE(o));
    } else if (int64_t i; PyLong_CheckExact(o) && compact_long(o, &i)) {
      *out = pod_any(kTVMFFIInt, i);
    } else {
      operand_slow(o, out);
    }
  }
  // The same for the operators of ndarray; false when the other side should be asked
  // (NotImplemented).
  bool binary_operand(PyObject* o, TVMFFIAny* out);
  // By value, for plain functions. What `out` refers to lives as long as the converter.
  void value(PyObject* o, TVMFFIAny* out);
  void sequence(std::span<PyObject* const> items, TVMFFIAny* out);
  NDArrayObj* hold(NDArrayObj* owned) {
    own(owned->header());
    return owned;
  }
  void own(TVMFFIObject* o) {
    if (num_owned_ < kInline) owned_[num_owned_++] = o;
    else overflow().owned.push_back(o);
  }
  void hold_ref(PyObject* owned);

 private:
  void operand_slow(PyObject* o, TVMFFIAny* out);
  void convert_slow(const Op& op, int param, PyObject* o, TVMFFIAny* out);
  void shape(const Op& op, int param, PyObject* o, TVMFFIAny* out);
  void arrays(const Op& op, int param, PyObject* o, TVMFFIAny* out);
  void release();

  // What does not fit inline; most calls never make one.
  struct Overflow {
    std::vector<TVMFFIObject*> owned;
    std::vector<PyObject*> refs;
    std::vector<TVMFFIAny> items;
  };
  Overflow& overflow() {
    if (!overflow_) overflow_ = std::make_unique<Overflow>();
    return *overflow_;
  }

  static constexpr int kInline = 8;
  int num_owned_ = 0;
  int num_refs_ = 0;
  int num_shapes_ = 0;
  int num_complex_ = 0;
  int num_wide_ = 0;
  std::unique_ptr<Overflow> overflow_;
  TVMFFIObject* owned_[kInline];
  PyObject* refs_[kInline];
  ShapeCell shapes_[3];
  SeqCell seq_;
  TVMFFIAny items_[kInline];
  double complex_[4][2];
  WideInt wide_[4];
};

// Nesting that conversions follow before they give up with RecursionError.
inline constexpr int kMaxDepth = 100;
// What a container that the FFI carries was made from, in the padding of its header.
enum MadeFrom : uint32_t { kFromTuple = 1, kFromList = 2, kFromDict = 3 };
// By value, as an Any that owns what it refers to. Throws.
void owned_value(PyObject* o, TVMFFIAny* out, int depth = 0);
// Any object as a handle that comes back as the same object.
void opaque_value(PyObject* o, TVMFFIAny* out);
// A Python callable as a function that C++ may keep and call from any thread (owned).
TVMFFIObject* make_callback(PyObject* callable);
// The callable behind such a function (borrowed), or null.
PyObject* callable_of(const TVMFFIObject* function);

// An Any -> Python object. Containers that came from Python become tuple, list and dict again;
// those of C++ become sequence and mapping objects that convert their items when asked.
PyObject* value_to_python(const TVMFFIAny& borrowed, int depth = 0);
// The same, consuming an owned Any; a container of an operator's results becomes a list at once.
PyObject* any_to_python(TVMFFIAny* owned);
PyObject* sequence_to_list(const TVMFFIAny& borrowed, int depth = 0);
// Int from anything with __index__; throws.
int64_t index_value(PyObject* o);

// ---- Parts --------------------------------------------------------------------------------------
extern PyNumberMethods array_number;
extern PyMappingMethods array_mapping;
extern PySequenceMethods array_sequence;
extern PyBufferProcs array_buffer;
extern PyMethodDef array_interop_methods[];
PyObject* array_richcompare(PyObject* a, PyObject* b, int op);
int find_number_ufuncs();
int install_numpy_provider();
PyObject* native_from_numpy(PyObject* module, PyObject* const* args, Py_ssize_t nargs,
                            PyObject* kwnames);
PyObject* native_from_dlpack(PyObject* module, PyObject* o);

}  // namespace isthmus::py
