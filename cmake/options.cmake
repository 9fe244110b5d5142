# SPDX-License-Identifier: Apache-2.0
# The language level, warnings, visibility and sanitizers that every target of ours has.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_package(Threads REQUIRED)
add_library(isthmus_options INTERFACE)
target_link_libraries(isthmus_options INTERFACE Threads::Threads)

if(MSVC)
  target_compile_options(isthmus_options INTERFACE /W3 /Zc:__cplusplus)
else()
  string(REPLACE "-O2" "-O3" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
  # errno of math functions is never read, and setting it blocks vectorised loops. Nothing that changes
  # a result (-ffast-math and its parts) may be added: numerics equal NumPy's.
  target_compile_options(isthmus_options INTERFACE -Wall -Wextra -fno-math-errno)
endif()

if(ISTHMUS_WERROR)
  target_compile_options(isthmus_options INTERFACE $<IF:$<CXX_COMPILER_ID:MSVC>,/WX,-Werror>)
endif()

if(ISTHMUS_SANITIZE STREQUAL "address")
  set(isthmus_sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined)
elseif(ISTHMUS_SANITIZE STREQUAL "thread")
  set(isthmus_sanitizers -fsanitize=thread)
elseif(ISTHMUS_SANITIZE)
  message(FATAL_ERROR "ISTHMUS_SANITIZE is '${ISTHMUS_SANITIZE}': use address, thread or nothing")
endif()
if(isthmus_sanitizers)
  target_compile_options(isthmus_options INTERFACE ${isthmus_sanitizers} -fno-omit-frame-pointer -g)
  target_link_options(isthmus_options INTERFACE ${isthmus_sanitizers})
  if(ISTHMUS_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Headers of tvm-ffi have fences, which the sanitizer does not follow.
    target_compile_options(isthmus_options INTERFACE -Wno-tsan)
  endif()
endif()
