# SPDX-License-Identifier: Apache-2.0
# Finds Python, and tvm-ffi and NumPy through the packages installed in it.
if(ISTHMUS_BUILD_PYTHON)
  find_package(Python3 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
else()
  find_package(Python3 3.10 REQUIRED COMPONENTS Interpreter)
endif()

# Sets `out` to the folder of an installed Python package, without importing it: importing tvm_ffi
# pulls in torch where torch is there.
function(isthmus_find_package_dir package out)
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" -c
            "import importlib.util, os, sys; s = importlib.util.find_spec(sys.argv[1]); print(os.path.dirname(s.origin) if s and s.origin else '')"
            "${package}"
    OUTPUT_VARIABLE dir OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  if(NOT dir)
    message(FATAL_ERROR "the Python package '${package}' is not installed for ${Python3_EXECUTABLE}")
  endif()
  file(TO_CMAKE_PATH "${dir}" dir)
  set(${out} "${dir}" PARENT_SCOPE)
endfunction()

isthmus_find_package_dir(tvm_ffi tvm_ffi_dir)
# Not find_library: its cached answer would outlive a temporary build environment.
set(tvm_ffi_lib "${tvm_ffi_dir}/lib/${CMAKE_SHARED_LIBRARY_PREFIX}tvm_ffi${CMAKE_SHARED_LIBRARY_SUFFIX}")
if(NOT EXISTS "${tvm_ffi_lib}")
  message(FATAL_ERROR "no tvm-ffi library at ${tvm_ffi_lib}")
endif()
add_library(tvm_ffi::tvm_ffi SHARED IMPORTED)
set_target_properties(tvm_ffi::tvm_ffi PROPERTIES
  IMPORTED_LOCATION "${tvm_ffi_lib}"
  INTERFACE_INCLUDE_DIRECTORIES "${tvm_ffi_dir}/include")
if(WIN32)
  set_target_properties(tvm_ffi::tvm_ffi PROPERTIES IMPORTED_IMPLIB "${tvm_ffi_dir}/lib/tvm_ffi.lib")
endif()

if(ISTHMUS_BUILD_PYTHON)
  isthmus_find_package_dir(numpy numpy_dir)
  set(isthmus_numpy_include "${numpy_dir}/_core/include")
  if(NOT EXISTS "${isthmus_numpy_include}/numpy/arrayobject.h")
    message(FATAL_ERROR "NumPy 2 or newer is needed: no headers in ${isthmus_numpy_include}")
  endif()
endif()
