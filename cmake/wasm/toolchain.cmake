# WebAssembly by Debian's clang, lld and wasi-libc.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # a program would need a main that WASI calls
# No exceptions: Debian's C++ library for WASI has none.
set(CMAKE_CXX_FLAGS_INIT "-fno-exceptions")
