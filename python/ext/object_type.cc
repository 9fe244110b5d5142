// object_type.cc: objects of C++ types that have no Python form of their own, and their fields.
// Their classes are made by the package from what the FFI's reflection tells (isthmus.ffi).
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "ext.h"

namespace isthmus::py {

PyTypeObject object_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject field_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

namespace {

PyFFIObject* as_object(PyObject* o) { return reinterpret_cast<PyFFIObject*>(o); }

PyObject* object_new(PyTypeObject* type, PyObject*, PyObject*) {
  auto* self = as_object(type->tp_alloc(type, 0));
  if (self) {
    self->object = nullptr;
    self->weakrefs = nullptr;
  }
  return reinterpret_cast<PyObject*>(self);
}

void object_dealloc(PyObject* o) {
  auto* self = as_object(o);
  if (self->weakrefs) PyObject_ClearWeakRefs(o);
  if (self->object) object_decref(self->object);
  // The reference to a class made in Python is dropped by that class's own deallocator.
  Py_TYPE(o)->tp_free(o);
}

PyObject* text_object(const TVMFFIByteArray& a) {
  return PyUnicode_DecodeUTF8(a.data ? a.data : "", static_cast<Py_ssize_t>(a.data ? a.size : 0),
                              "replace");
}

// Whether an object's type is `type_index` or derives from it.
bool is_instance(const TVMFFIObject* o, int32_t type_index) {
  if (o->type_index == type_index) return true;
  const TVMFFITypeInfo* have = TVMFFIGetTypeInfo(o->type_index);
  const TVMFFITypeInfo* want = TVMFFIGetTypeInfo(type_index);
  return have && want && have->type_depth > want->type_depth &&
         have->type_ancestors[want->type_depth]->type_index == type_index;
}

// ---- Fields ------------------------------------------------------------------------------------
// A data descriptor: reads and writes one field of the C++ object through its accessors.
struct PyField {
  PyObject_HEAD const TVMFFIFieldInfo* info;
  int32_t type_index;  // of the type that declares it
};
PyField* as_field(PyObject* o) { return reinterpret_cast<PyField*>(o); }

// The address of the field in `owner`, or null with an exception set.
void* field_address(PyField* field, PyObject* owner) {
  if (!PyObject_TypeCheck(owner, &object_type) || !as_object(owner)->object ||
      !is_instance(as_object(owner)->object, field->type_index)) {
    Ref name(text_object(field->info->name));
    if (name)
      PyErr_Format(PyExc_TypeError,
                   "field %R belongs to another type than %.200s, or it was not initialised",
                   name.get(), Py_TYPE(owner)->tp_name);
    return nullptr;
  }
  return reinterpret_cast<char*>(as_object(owner)->object) + field->info->offset;
}

PyObject* field_get(PyObject* descriptor, PyObject* owner, PyObject*) {
  if (!owner || owner == Py_None) return Py_NewRef(descriptor);
  auto* field = as_field(descriptor);
  void* address = field_address(field, owner);
  if (!address) return nullptr;
  TVMFFIAny result = pod_any(kTVMFFINone, 0);
  if (field->info->getter(address, &result) != 0) return set_error_from_ffi(), nullptr;
  PyObject* value = value_to_python(result);
  if (result.type_index >= kTVMFFIStaticObjectBegin) object_decref(result.v_obj);
  return value;
}

int field_set(PyObject* descriptor, PyObject* owner, PyObject* value) {
  auto* field = as_field(descriptor);
  if (!field_address(field, owner)) return -1;
  if (!value || !(field->info->flags & kTVMFFIFieldFlagBitMaskWritable) || !field->info->setter) {
    Ref name(text_object(field->info->name));
    if (name)
      PyErr_Format(PyExc_AttributeError,
                   value ? "field %R is read-only" : "field %R cannot be deleted", name.get());
    return -1;
  }
  return guarded_int([&] {
    Converter converter;
    TVMFFIAny v;
    converter.value(value, &v);
    // Python code that ran meanwhile may have initialised the owner anew.
    void* address = field_address(field, owner);
    if (!address) throw PythonError();
    int code;
    if (field->info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) {
      TVMFFIAny args[2] = {pod_any(kTVMFFIOpaquePtr, 0), v}, none = pod_any(kTVMFFINone, 0);
      args[0].v_ptr = address;
      code = TVMFFIFunctionCall(field->info->setter, args, 2, &none);
    } else {
      code = reinterpret_cast<TVMFFIFieldSetter>(field->info->setter)(address, &v);
    }
    if (code != 0) {
      set_error_from_ffi();
      throw PythonError();
    }
  });
}

PyObject* field_name(PyObject* o, void*) { return text_object(as_field(o)->info->name); }
PyObject* field_doc(PyObject* o, void*) { return text_object(as_field(o)->info->doc); }
PyObject* field_writable(PyObject* o, void*) {
  return PyBool_FromLong(as_field(o)->info->flags & kTVMFFIFieldFlagBitMaskWritable);
}
// The field's type as the FFI's schema: JSON text.
PyObject* field_metadata(PyObject* o, void*) { return text_object(as_field(o)->info->metadata); }
PyObject* field_flags(PyObject* o, void*) { return PyLong_FromLongLong(as_field(o)->info->flags); }
PyObject* field_repr(PyObject* o) {
  Ref name(text_object(as_field(o)->info->name));
  return name ? PyUnicode_FromFormat("<isthmus field %R>", name.get()) : nullptr;
}
PyGetSetDef field_getset[] = {{"__name__", field_name, nullptr, nullptr, nullptr},
                              {"__doc__", field_doc, nullptr, nullptr, nullptr},
                              {"writable", field_writable, nullptr, nullptr, nullptr},
                              {"metadata", field_metadata, nullptr, nullptr, nullptr},
                              {"flags", field_flags, nullptr, nullptr, nullptr},
                              {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyObject* make_field(const TVMFFIFieldInfo* info, int32_t type_index) {
  auto* field = PyObject_New(PyField, &field_type);
  if (!field) return nullptr;
  field->info = info;
  field->type_index = type_index;
  return reinterpret_cast<PyObject*>(field);
}

// ---- Types -------------------------------------------------------------------------------------
const TVMFFITypeInfo* known_type(PyObject* number) {
  long index = PyLong_AsLong(number);
  if (index == -1 && PyErr_Occurred()) return nullptr;
  const TVMFFITypeInfo* info =
      index >= 0 && index <= INT32_MAX ? TVMFFIGetTypeInfo(static_cast<int32_t>(index)) : nullptr;
  if (!info) PyErr_Format(PyExc_ValueError, "no FFI type of index %ld", index);
  return info;
}

}  // namespace

PyObject* make_object(TVMFFIObject* owned) {
  Ref index(PyLong_FromLong(owned->type_index));
  PyObject* type = index ? PyDict_GetItemWithError(g.object_classes, index.get()) : nullptr;
  Ref made;
  if (!type && !PyErr_Occurred() && g.class_of_type) {
    made = Ref(PyObject_CallOneArg(g.class_of_type, index.get()));
    type = made.get();
  }
  if (!type || !PyType_Check(type) ||
      !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(type), &object_type)) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_TypeError,
                      "the class of an FFI type must derive from isthmus.ffi.Object");
    object_decref(owned);
    return nullptr;
  }
  PyObject* self = object_new(reinterpret_cast<PyTypeObject*>(type), nullptr, nullptr);
  if (!self) object_decref(owned);
  else as_object(self)->object = owned;
  return self;
}

// type_index(key): the index of a registered type; ValueError.
PyObject* native_type_index(PyObject*, PyObject* key) {
  Py_ssize_t n;
  const char* s = PyUnicode_Check(key) ? PyUnicode_AsUTF8AndSize(key, &n) : nullptr;
  if (!s) return PyErr_Format(PyExc_TypeError, "type_index() expects the key of a type");
  TVMFFIByteArray bytes{s, static_cast<size_t>(n)};
  int32_t index = TVMFFITypeGetOrAllocIndex(&bytes, -1, 0, 0, 0, -2);
  if (index < 0) return PyErr_Format(PyExc_ValueError, "no FFI type named %R", key);
  return PyLong_FromLong(index);
}

// type_info(index): (key, parent's index or -1, doc, fields, methods); a method is (name, doc,
// static, Function).
PyObject* native_type_info(PyObject*, PyObject* number) {
  const TVMFFITypeInfo* info = known_type(number);
  if (!info) return nullptr;
  int32_t parent =
      info->type_depth > 0 ? info->type_ancestors[info->type_depth - 1]->type_index : -1;
  Ref fields(PyList_New(0)), methods(PyList_New(0));
  if (!fields || !methods) return nullptr;
  for (int32_t i = 0; i < info->num_fields; ++i) {
    Ref field(make_field(&info->fields[i], info->type_index));
    if (!field || PyList_Append(fields.get(), field.get()) < 0) return nullptr;
  }
  for (int32_t i = 0; i < info->num_methods; ++i) {
    const TVMFFIMethodInfo& m = info->methods[i];
    Ref row(Py_BuildValue("(NNNN)", text_object(m.name), text_object(m.doc),
                          PyBool_FromLong(m.flags & kTVMFFIFieldFlagBitMaskIsStaticMethod),
                          value_to_python(m.method)));
    if (!row || PyList_Append(methods.get(), row.get()) < 0) return nullptr;
  }
  Ref doc(info->metadata ? text_object(info->metadata->doc) : PyUnicode_FromString(""));
  return Py_BuildValue("(NiOOO)", text_object(info->type_key), parent, doc.get(), fields.get(),
                       methods.get());
}

// type_attr(index, name): the attribute that a type registered under the name, or None.
PyObject* native_type_attr(PyObject*, PyObject* args) {
  int index;
  const char* name;
  Py_ssize_t n;
  if (!PyArg_ParseTuple(args, "is#", &index, &name, &n)) return nullptr;
  TVMFFIByteArray bytes{name, static_cast<size_t>(n)};
  const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&bytes);
  if (!column || index < column->begin_index || index >= column->begin_index + column->size)
    Py_RETURN_NONE;
  return value_to_python(column->data[index - column->begin_index]);
}

// init_object(self, other): makes self the object that `other` is.
PyObject* native_init_object(PyObject*, PyObject* args) {
  PyObject *self, *other;
  if (!PyArg_ParseTuple(args, "O!O!", &object_type, &self, &object_type, &other)) return nullptr;
  TVMFFIObject* object = as_object(other)->object;
  if (object) object_incref(object);
  TVMFFIObject* old = std::exchange(as_object(self)->object, object);
  if (old) object_decref(old);
  Py_RETURN_NONE;
}

// object_address(o): where the C++ object is, 0 before it was made.
PyObject* native_object_address(PyObject*, PyObject* o) {
  if (!PyObject_TypeCheck(o, &object_type))
    return PyErr_Format(PyExc_TypeError, "expected an isthmus.ffi.Object, not %.200s",
                        Py_TYPE(o)->tp_name);
  return PyLong_FromVoidPtr(as_object(o)->object);
}

// object_type_index(o): the type of the C++ object.
PyObject* native_object_type_index(PyObject*, PyObject* o) {
  if (!PyObject_TypeCheck(o, &object_type) || !as_object(o)->object)
    return PyErr_Format(PyExc_TypeError, "expected an initialised isthmus.ffi.Object, not %.200s",
                        Py_TYPE(o)->tp_name);
  return PyLong_FromLong(as_object(o)->object->type_index);
}

int ready_object_types() {
  object_type.tp_name = "isthmus.ffi.ObjectBase";
  object_type.tp_doc = PyDoc_STR("An object that C++ made, of any type registered with the FFI.");
  object_type.tp_basicsize = sizeof(PyFFIObject);
  object_type.tp_dealloc = object_dealloc;
  object_type.tp_new = object_new;
  object_type.tp_weaklistoffset = offsetof(PyFFIObject, weakrefs);
  object_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  if (PyType_Ready(&object_type) < 0) return -1;
  field_type.tp_name = "isthmus.ffi.Field";
  field_type.tp_basicsize = sizeof(PyField);
  field_type.tp_repr = field_repr;
  field_type.tp_descr_get = field_get;
  field_type.tp_descr_set = field_set;
  field_type.tp_getset = field_getset;
  field_type.tp_flags = Py_TPFLAGS_DEFAULT;
  return PyType_Ready(&field_type);
}

}  // namespace isthmus::py
