// numpy_provider.cc: lends the core NumPy's own kernels: loops of ufuncs and gufuncs, sorts, dot
// products.
// SPDX-License-Identifier: Apache-2.0
#include <numpy/npy_math.h>

#include "ext.h"

namespace isthmus::py {
namespace {

// Calls each(types, function, data) for the loops of numeric dtypes.
template <class F>
void each_loop(const PyUFuncObject* u, F&& each) {
  if (!u->functions || !u->types) return;
  for (int i = 0; i < u->ntypes; ++i) {
    DType types[kMaxGufuncArgs];
    bool numeric = u->functions[i] != nullptr && u->nargs <= kMaxGufuncArgs;
    for (int k = 0; k < u->nargs && numeric; ++k)
      numeric = dtype_from_type_num(u->types[i * u->nargs + k], &types[k]);
    if (numeric)
      each(types, reinterpret_cast<LoopFn>(u->functions[i]), u->data ? u->data[i] : nullptr);
  }
}

std::vector<UfuncLoop> loops_of(const PyUFuncObject* u) {
  std::vector<UfuncLoop> loops;
  each_loop(u, [&](const DType* types, LoopFn fn, void* data) {
    UfuncLoop loop{};
    std::copy(types, types + u->nargs, loop.types);
    loop.fn = fn;
    loop.data = data;
    loops.push_back(loop);
  });
  return loops;
}

int lend_ufunc(PyObject* o, const char* name) {
  Ufunc* ours = api().find_ufunc(name);
  if (!ours) return 0;
  auto* u = reinterpret_cast<PyUFuncObject*>(o);
  if (u->nin != ours->nin || u->nout != ours->nout || u->core_enabled) return 0;
  std::vector<UfuncLoop> loops = loops_of(u);
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

// Long work lets other Python threads run, which may reshape the arrays that it works on.
struct Released {
  Converting lent;
  PyThreadState* state = PyEval_SaveThread();
};
void* release_gil() { return PyGILState_Check() ? new Released : nullptr; }
void acquire_gil(void* state) {
  auto* released = static_cast<Released*>(state);
  waiting_for_gil([&] { PyEval_RestoreThread(released->state); });
  delete released;
}
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

// op_from_loops(ufunc, name, doc): an operator that runs the loops of a NumPy ufunc; None when it
// has none for our dtypes, or more than two inputs or outputs, or a core signature.
PyObject* native_op_from_loops(PyObject*, PyObject* args) {
  PyObject* o;
  const char *name, *doc;
  if (!PyArg_ParseTuple(args, "O!ss", &PyUFunc_Type, &o, &name, &doc)) return nullptr;
  auto* u = reinterpret_cast<PyUFuncObject*>(o);
  if (u->core_enabled || u->nin < 1 || u->nin > 2 || u->nout < 1 || u->nout > 2) Py_RETURN_NONE;
  return guarded([&]() -> PyObject* {
    std::vector<UfuncLoop> loops = loops_of(u);
    if (loops.empty()) Py_RETURN_NONE;
    const Op* op = api().register_ufunc(name, u->nin, u->nout, doc, loops.data(), loops.size());
    Py_INCREF(o);  // the loops live as long as the ufunc
    Ref made(make_op(op));
    if (!made || PyDict_SetItemString(g.ops, op->def.name, made.get()) < 0) return nullptr;
    return made.release();
  });
}

}  // namespace isthmus::py
