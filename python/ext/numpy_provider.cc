// numpy_provider.cc: lends the core NumPy's own kernels: loops of ufuncs and gufuncs, sorts, dot
// products.
// SPDX-License-Identifier: Apache-2.0
#include <numpy/npy_math.h>

#include "ext.h"

namespace isthmus::py {
namespace {

bool dtype_of_char(int type_num, DType* out) {
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

// Calls each(types, function, data) for the loops of numeric dtypes.
template <class F>
void each_loop(const PyUFuncObject* u, F&& each) {
  if (!u->functions || !u->types) return;
  for (int i = 0; i < u->ntypes; ++i) {
    DType types[kMaxGufuncArgs];
    bool numeric = u->functions[i] != nullptr && u->nargs <= kMaxGufuncArgs;
    for (int k = 0; k < u->nargs && numeric; ++k)
      numeric = dtype_of_char(u->types[i * u->nargs + k], &types[k]);
    if (numeric)
      each(types, reinterpret_cast<LoopFn>(u->functions[i]), u->data ? u->data[i] : nullptr);
  }
}

int lend_ufunc(PyObject* o, const char* name) {
  Ufunc* ours = api().find_ufunc(name);
  if (!ours) return 0;
  auto* u = reinterpret_cast<PyUFuncObject*>(o);
  if (u->nin != ours->nin || u->nout != ours->nout || u->core_enabled) return 0;
  std::vector<UfuncLoop> loops;
  each_loop(u, [&](const DType* types, LoopFn fn, void* data) {
    UfuncLoop loop{};
    std::copy(types, types + u->nargs, loop.types);
    loop.fn = fn;
    loop.data = data;
    loops.push_back(loop);
  });
  if (!loops.empty()) api().set_ufunc_loops(ours, loops.data(), loops.size());
  return 0;
}

void lend_gufunc(PyObject* o, const std::string& name) {
  auto* u = reinterpret_cast<PyUFuncObject*>(o);
  std::vector<GufuncLoop> loops;
  each_loop(u, [&](const DType* types, LoopFn fn, void* data) {
    GufuncLoop loop{};
    std::copy(types, types + u->nargs, loop.types);
    loop.fn = fn;
    loop.data = data;
    loops.push_back(loop);
  });
  if (!loops.empty()) api().set_gufunc(name.c_str(), u->nin, u->nout, loops.data(), loops.size());
}

void lend_sorts() {
  for (int i = 0; i < kNumDTypes; ++i) {
    auto* descr = reinterpret_cast<PyArray_Descr*>(g.descr[i]);
    PyArray_ArrFuncs* f = PyDataType_GetArrFuncs(descr);
    if (!f) continue;
    // NumPy's functions want an array only to learn the dtype of flexible types; for numbers they
    // ignore it. An empty array of the dtype is passed all the same.
    npy_intp zero = 0;
    Py_INCREF(descr);
    PyObject* example =
        PyArray_NewFromDescr(&PyArray_Type, descr, 1, &zero, nullptr, nullptr, 0, nullptr);
    if (!example) {
      PyErr_Clear();
      continue;
    }
    SortKernels* s = api().sort_kernels(static_cast<DType>(i));
    constexpr NPY_SORTKIND kKinds[2] = {NPY_QUICKSORT, NPY_STABLESORT};
    for (int k = 0; k < 2; ++k) {
      s->sort[k] = reinterpret_cast<SortFn>(f->sort[kKinds[k]]);
      s->argsort[k] = reinterpret_cast<ArgsortFn>(f->argsort[kKinds[k]]);
    }
    s->descr = example;  // kept for ever
    DotKernel* dot = api().dot_kernel(static_cast<DType>(i));
    dot->fn = reinterpret_cast<DotFn>(f->dotfunc);
    dot->descr = example;
    *api().arg_kernel(static_cast<DType>(i), true) = {reinterpret_cast<ArgFn>(f->argmax), example};
    *api().arg_kernel(static_cast<DType>(i), false) = {reinterpret_cast<ArgFn>(f->argmin), example};
  }
}

int lend_module(const char* module_name, const char* prefix, bool ufuncs) {
  Ref module(PyImport_ImportModule(module_name));
  if (!module) return -1;
  PyObject* dict = PyModule_GetDict(module.get());
  PyObject *key, *value;
  Py_ssize_t at = 0;
  while (PyDict_Next(dict, &at, &key, &value)) {
    if (!PyObject_TypeCheck(value, &PyUFunc_Type)) continue;
    const char* name = PyUnicode_AsUTF8(key);
    if (!name) return -1;
    if (reinterpret_cast<PyUFuncObject*>(value)->core_enabled)
      lend_gufunc(value, std::string(prefix) + name);
    else if (ufuncs) lend_ufunc(value, name);
  }
  return 0;
}

// Long work lets other Python threads run.
void* release_gil() { return PyGILState_Check() ? PyEval_SaveThread() : nullptr; }
void acquire_gil(void* state) { PyEval_RestoreThread(static_cast<PyThreadState*>(state)); }
bool python_error_pending() { return PyGILState_Check() && PyErr_Occurred() != nullptr; }

}  // namespace

int install_numpy_provider() {
  *api().hooks = {release_gil, acquire_gil, python_error_pending};
  try {
    if (lend_module("numpy._core._multiarray_umath", "", true) < 0) return -1;
    if (lend_module("numpy.linalg._umath_linalg", "umath_linalg.", false) < 0) return -1;
    lend_sorts();
  } catch (...) {
    set_error_from_exception();
    return -1;
  }
  return 0;
}

}  // namespace isthmus::py
