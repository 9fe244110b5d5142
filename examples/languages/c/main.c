// Isthmus from C, through the C API of tvm-ffi alone:
//   cc main.c $(python -m isthmus.config --cflags --libs) -o main && ./main
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <isthmus/c_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

// ---- Values
// ------------------------------------------------------------------------------------------

static TVMFFIAny none(void) {
  TVMFFIAny v;
  memset(&v, 0, sizeof v);
  return v;
}
static TVMFFIAny integer(int64_t i) {
  TVMFFIAny v = none();
  v.type_index = kTVMFFIInt;
  v.v_int64 = i;
  return v;
}
static TVMFFIAny real(double d) {
  TVMFFIAny v = none();
  v.type_index = kTVMFFIFloat;
  v.v_float64 = d;
  return v;
}
static TVMFFIAny text(const char* s) {
  TVMFFIAny v = none();
  v.type_index = kTVMFFIRawStr;
  v.v_c_str = s;
  return v;
}
static TVMFFIAny object(TVMFFIObjectHandle o) {
  TVMFFIAny v = none();
  v.type_index = ((TVMFFIObject*)o)->type_index;
  v.v_obj = (TVMFFIObject*)o;
  return v;
}
// Gives back what a call returned.
static void drop(TVMFFIAny v) {
  if (v.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(v.v_obj);
}

// What an object holds stands behind its header.
static const void* cell(TVMFFIAny v) { return v.v_obj + 1; }
static TVMFFIAny item(TVMFFIAny sequence, int64_t i) {  // borrowed
  return ((const TVMFFIAny*)((const TVMFFISeqCell*)cell(sequence))->data)[i];
}
static int64_t length(TVMFFIAny sequence) { return ((const TVMFFISeqCell*)cell(sequence))->size; }
static int text_of(const TVMFFIAny* v, const char** data) {
  if (v->type_index == kTVMFFISmallStr) {
    *data = v->v_bytes;
    return (int)v->small_str_len;
  }
  const TVMFFIByteArray* bytes = (const TVMFFIByteArray*)cell(*v);
  *data = bytes->data;
  return (int)bytes->size;
}

// ---- Calls
// -------------------------------------------------------------------------------------------

// Prints the error that a call left behind and gives it back; `what` stands before it.
static void print_error(const char* what, int with_message) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  const TVMFFIErrorCell* e = (const TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  printf("%s: %.*s", what, (int)e->kind.size, e->kind.data);
  if (with_message) printf(": %.*s", (int)e->message.size, e->message.data);
  printf("\n");
  TVMFFIObjectDecRef(error);
}
static void check(int code) {
  if (code == 0) return;
  print_error("failed", 1);
  exit(1);
}

// A function of the registry; lives until the program ends.
static TVMFFIObjectHandle function(const char* name) {
  TVMFFIByteArray key = {name, strlen(name)};
  TVMFFIObjectHandle f = NULL;
  check(TVMFFIFunctionGetGlobal(&key, &f));
  if (f) return f;
  fprintf(stderr, "no function named %s in the registry\n", name);
  exit(1);
}
static TVMFFIAny call_function(const char* name, int32_t n, TVMFFIAny* args) {
  TVMFFIAny result = none();
  TVMFFIObjectHandle f = function(name);
  check(TVMFFIFunctionCall(f, args, n, &result));
  TVMFFIObjectDecRef(f);
  return result;
}

// Calls an operator by name: `count` arguments by position, then pairs of name and value.
static int try_op(const char* name, int count, int n, const TVMFFIAny* args, TVMFFIAny* result) {
  TVMFFIAny all[16];
  static TVMFFIObjectHandle call = NULL;
  if (!call) call = function("isthmus.call");
  all[0] = text(name);
  all[1] = integer(count);
  memcpy(all + 2, args, (size_t)n * sizeof *args);
  *result = none();
  return TVMFFIFunctionCall(call, all, n + 2, result);
}
static TVMFFIAny call_op(const char* name, int count, int n, const TVMFFIAny* args) {
  TVMFFIAny result;
  check(try_op(name, count, n, args, &result));
  return result;
}
// OP("sum", 1, a, text("axis"), integer(0))
#define OP(name, count, ...)                                                          \
  call_op(name, count, (int)(sizeof((TVMFFIAny[]){__VA_ARGS__}) / sizeof(TVMFFIAny)), \
          (TVMFFIAny[]){__VA_ARGS__})

// ---- Arrays of float64
// -------------------------------------------------------------------------------

static void show_level(const DLTensor* t, int axis, const double* at) {
  if (axis == t->ndim) {
    printf("%g", *at);
    return;
  }
  for (int64_t i = 0; i < t->shape[axis]; ++i) {
    printf(i ? ", " : "[");
    show_level(t, axis + 1, at + i * t->strides[axis]);
  }
  printf("]");
}
static void show(TVMFFIAny array) {
  const DLTensor* t = (const DLTensor*)cell(array);
  show_level(t, 0, (const double*)((const char*)t->data + t->byte_offset));
}

// ---- Callbacks
// ---------------------------------------------------------------------------------------

static int add_to(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  (void)n;
  (void)result;
  *(int64_t*)self += args[0].v_int64;
  return 0;
}
static int fail(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  (void)self;
  (void)args;
  (void)n;
  (void)result;
  TVMFFIErrorSetRaisedFromCStr("KeyError", "from the host");
  return -1;
}
// alpha * x + y: the body of an operator; its arguments are borrowed, its result is owned.
static int axpy(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  (void)self;
  (void)n;
  TVMFFIAny scaled;
  int code = try_op("multiply", 2, 2, (TVMFFIAny[]){args[0], args[2]}, &scaled);
  if (code != 0) return code;
  code = try_op("add", 2, 2, (TVMFFIAny[]){scaled, args[1]}, result);
  drop(scaled);
  return code;
}
static TVMFFIAny callback(void* self, TVMFFISafeCallType f) {
  TVMFFIObjectHandle o = NULL;
  check(TVMFFIFunctionCreate(self, f, NULL, &o));
  return object(o);
}

// ---- The program
// -------------------------------------------------------------------------------------

static void memory_released(DLManagedTensor* self) { *(int*)self->manager_ctx = 1; }

int main(void) {
  if (!IsthmusInit(0)) check(-1);

  // Create an array, add, sum, split.
  TVMFFIAny six = OP("arange", 1, integer(6), text("dtype"), text("float64"));
  TVMFFIAny shape = call_function("ffi.Shape", 2, (TVMFFIAny[]){integer(2), integer(3)});
  TVMFFIAny a = OP("reshape", 2, six, shape);
  printf("a: ");
  show(a);
  TVMFFIAny more = OP("add", 2, a, real(0.5));
  printf("\nadd: ");
  show(more);
  TVMFFIAny sum = OP("sum", 1, a, text("axis"), integer(0));
  printf("\nsum: ");
  show(sum);
  TVMFFIAny parts = OP("split", 2, a, integer(3), text("axis"), integer(1));
  printf("\nsplit:");
  for (int64_t i = 0; i < length(parts); ++i) {
    printf(" ");
    show(item(parts, i));
  }
  printf("\n");
  drop(six), drop(shape), drop(more), drop(sum), drop(parts);

  // Handle an error.
  TVMFFIAny result;
  if (try_op("reshape", 2, 2, (TVMFFIAny[]){a, integer(4)}, &result) != 0) print_error("error", 0);
  drop(a);

  // Share memory: the array and `memory` are one.
  double memory[3] = {1, 2, 3};
  int64_t extent = 3, step = 1;
  int released = 0;
  DLManagedTensor managed = {
      {memory, {kDLCPU, 0}, 1, {kDLFloat, 64, 1}, &extent, &step, 0}, &released, memory_released};
  TVMFFIObjectHandle tensor = NULL;
  check(TVMFFITensorFromDLPack(&managed, 0, 0, &tensor));
  TVMFFIAny shared = object(tensor);
  memory[0] = 10;
  drop(OP("multiply", 2, shared, integer(2), text("out"), shared));
  printf("shared: ");
  show(shared);
  printf(" %g\n", memory[2]);

  // Pass a callback: the core calls it, and an operator may be made of one. It is there by name at
  // once.
  int64_t calls = 0;
  TVMFFIAny adds = callback(&calls, add_to);
  call_function("isthmus.testing.repeat", 3, (TVMFFIAny[]){adds, integer(4), integer(5)});
  printf("callback: %" PRId64 "\n", calls);
  TVMFFIAny body = callback(NULL, axpy);
  const char* signature = "(x: Array, y: Array, alpha: float = 2.0) -> Array";
  call_function("isthmus.register_op", 4,
                (TVMFFIAny[]){text("example.axpy"), text(signature), text("alpha * x + y"), body});
  TVMFFIAny y = OP("example.axpy", 2, shared, integer(1), text("alpha"), real(0.5));
  printf("operator: ");
  show(y);
  TVMFFIAny name = text("example.axpy");
  TVMFFIAny parameters = call_function("isthmus.op_parameters", 1, &name);
  printf("\nparameters:");
  for (int64_t i = 0; i < length(parameters); ++i) {
    TVMFFIAny row = item(parameters, i), key = item(row, 0), type = item(row, 1);
    const char *k, *t;
    int key_size = text_of(&key, &k), type_size = text_of(&type, &t);
    printf(" %.*s:%.*s", key_size, k, type_size, t);
  }
  printf("\n");

  // An error of the callback comes back as what it was.
  TVMFFIAny fails = callback(NULL, fail);
  TVMFFIObjectHandle repeat = function("isthmus.testing.repeat");
  result = none();
  if (TVMFFIFunctionCall(repeat, (TVMFFIAny[]){fails, integer(1)}, 2, &result) != 0)
    print_error("callback error", 1);

  drop(adds), drop(body), drop(y), drop(parameters), drop(fails), drop(shared);
  TVMFFIObjectDecRef(repeat);
  return released ? 0 : 1;  // nothing holds `memory` any more
}
