# What every target of the project is compiled with.
add_library(oro_options INTERFACE)
target_include_directories(oro_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(oro_options INTERFACE _XOPEN_SOURCE=700 OROGRAPH_VERSION="${PROJECT_VERSION}")
# No contraction into fused operations: the scalar references must round as they are written.
target_compile_options(oro_options INTERFACE -Wall -Wextra -Wshadow -Wconversion -ffp-contract=off)
if(OROGRAPH_WERROR)
  target_compile_options(oro_options INTERFACE -Werror)
endif()
if(OROGRAPH_SANITIZE STREQUAL "thread")
  # What is instrumented looks uninitialised to gcc.
  target_compile_options(oro_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer -Wno-maybe-uninitialized)
  target_link_options(oro_options INTERFACE -fsanitize=thread)
elseif(OROGRAPH_SANITIZE)
  # What stands out in tests is found at -O1 as well, and twice as soon built; there gcc guesses wrong at what is
  # initialised and how long texts get.
  target_compile_options(oro_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                               -fno-omit-frame-pointer -O1 -g1)
  if(NOT OROGRAPH_FUZZ)
    target_compile_options(oro_options INTERFACE -Wno-maybe-uninitialized -Wno-format-truncation)
  endif()
  target_link_options(oro_options INTERFACE -fsanitize=address,undefined)
endif()
if(OROGRAPH_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "The fuzz targets need clang: cmake --preset fuzz")
  endif()
  # Feedback for the fuzzer from all code, and counts of lines for the report; tests/fuzz/ adds the fuzzer's main function.
  target_compile_options(oro_options INTERFACE -fsanitize=fuzzer-no-link -fprofile-instr-generate -fcoverage-mapping
                                               -Wno-bitwise-conditional-parentheses -Wno-bitwise-instead-of-logical
                                               -Wno-missing-field-initializers)
  target_link_options(oro_options INTERFACE -fprofile-instr-generate)
endif()
