// ffi/objects.cc: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "ffi/objects.h"

#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/reflection/registry.h>

namespace isthmus {

using tvm::ffi::Any;
using tvm::ffi::make_object;
using tvm::ffi::ObjectRef;

TVMFFIObject* ellipsis_object() {
  static TVMFFIObject* one = [] {
    Any any = ObjectRef(make_object<EllipsisObj>());
    return tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(any)).v_obj;
  }();
  return one;
}

void register_objects() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<SliceObj>()
      .def_ro("start", &SliceObj::start, "First index, or None.")
      .def_ro("stop", &SliceObj::stop, "Index to stop before, or None.")
      .def_ro("step", &SliceObj::step, "Distance of indices, or None.");
  refl::ObjectDef<EllipsisObj>();
  refl::ObjectDef<RangeObj>()
      .def_ro("start", &RangeObj::start, "First value.")
      .def_ro("stop", &RangeObj::stop, "Value to stop before.")
      .def_ro("step", &RangeObj::step, "Distance of values.");
  refl::ObjectDef<ComplexObj>()
      .def_ro("real", &ComplexObj::real, "Real part.")
      .def_ro("imag", &ComplexObj::imag, "Imaginary part.");
  refl::GlobalDef()
      .def(
          "isthmus.Slice",
          [](Any start, Any stop, Any step) {
            auto s = make_object<SliceObj>();
            s->start = std::move(start);
            s->stop = std::move(stop);
            s->step = std::move(step);
            return ObjectRef(s);
          },
          "slice(start, stop, step) for an index; None leaves a part open.")
      .def(
          "isthmus.Ellipsis",
          [] {
            TVMFFIAny view{};
            view.v_obj = ellipsis_object();
            view.type_index = view.v_obj->type_index;
            return Any(*reinterpret_cast<tvm::ffi::AnyView*>(&view));
          },
          "The ellipsis of an index.")
      .def(
          "isthmus.Range",
          [](int64_t start, int64_t stop, int64_t step) {
            auto r = make_object<RangeObj>();
            r->start = start;
            r->stop = stop;
            r->step = step;
            return ObjectRef(r);
          },
          "The integers from start to before stop.")
      .def(
          "isthmus.Complex",
          [](double real, double imag) {
            auto c = make_object<ComplexObj>();
            c->real = real;
            c->imag = imag;
            return ObjectRef(c);
          },
          "A complex number.");
}

}  // namespace isthmus
