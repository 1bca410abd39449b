# oro_generate_processor(target): the table of the code that kernels have for the processor, one entry for every file
# terrain/processor/FOLDER/NAME.c with ORO_PROCESSOR(FOLDER, NAME), and a digest of the text of all of it.
function(oro_generate_processor target)
  set(root ${PROJECT_SOURCE_DIR}/terrain/processor)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${root} ${root}/*.c ${root}/*.h)
  list(SORT files)
  set(declarations "")
  set(entries "")
  set(digests "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${root}/${file})
    file(SHA256 ${root}/${file} digest)
    string(APPEND digests ${digest})
    file(STRINGS ${root}/${file} code REGEX "^ORO_PROCESSOR\\(")
    if(code AND file MATCHES "^([a-z0-9_]+)/([a-z0-9_]+)\\.c$")
      string(APPEND declarations "oro_processor_code oro_processor_${CMAKE_MATCH_1}_${CMAKE_MATCH_2};\n")
      string(APPEND entries
        "    {\"${CMAKE_MATCH_1}/${CMAKE_MATCH_2}.comp\", oro_processor_${CMAKE_MATCH_1}_${CMAKE_MATCH_2}},\n")
    endif()
  endforeach()
  # What makes code of kernels' texts; the texts themselves are in the digests of kernels.
  file(GLOB_RECURSE makers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/devices/processor/*.[ch])
  list(SORT makers)
  foreach(file IN LISTS makers)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(SHA256 ${file} digest)
    string(APPEND digests ${digest})
  endforeach()
  string(SHA256 digest "${digests}")
  set(output ${CMAKE_CURRENT_BINARY_DIR}/processor_table.c)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"#include \"terrain/processor/table.h\"

@declarations@
const struct oro_processor_entry oro_processor_table[] = {
@entries@};
const size_t oro_processor_table_count = sizeof oro_processor_table / sizeof oro_processor_table[0];
const char oro_processor_digest[] = \"@digest@\";
")
  list(FILTER files INCLUDE REGEX "\\.c$")
  list(TRANSFORM files PREPEND ${root}/)
  target_sources(${target} PRIVATE ${files} ${output})
endfunction()

# oro_generate_native(target): code for kernels that is made of their text. orograph-kernels writes down the texts that the
# processor is asked for when examples and library are evaluated, kernelc makes C of them, and that is compiled for each kind of
# processor (devices/processor/native.h).
function(oro_generate_native target)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/kernels)
  file(GLOB_RECURSE graphs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.oro ${PROJECT_SOURCE_DIR}/library/*.oro
       ${PROJECT_SOURCE_DIR}/tests/processor/cases/*.oro)
  add_custom_command(
    OUTPUT ${folder}/index
    COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:orograph-kernels> ${folder} ${graphs}
    DEPENDS orograph-kernels ${graphs}
    COMMENT "Writing down the kernels' texts"
    VERBATIM)
  oro_compile_native(${target} ${folder} 12)
endfunction()

# oro_compile_native(target folder count): code of the texts that folder/index names, in so many files for each kind of processor.
function(oro_compile_native target folder count)
  set(CMAKE_EXPORT_COMPILE_COMMANDS OFF) # analysers would take it for code by hand
  set(parts "")
  math(EXPR last "${count} - 1")
  foreach(number RANGE ${last})
    string(REGEX MATCH "..$" number "0${number}")
    list(APPEND parts ${folder}/part_${number}.c)
  endforeach()
  add_custom_command(
    OUTPUT ${parts} ${folder}/table.c
    COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:kernelc> ${folder} ${count}
    DEPENDS kernelc ${folder}/index
    COMMENT "Making code of the kernels' texts"
    VERBATIM)
  add_custom_target(${target}_texts DEPENDS ${parts} ${folder}/table.c)

  set(kinds least)
  set(flags_avx2 -mavx2)
  set(flags_avx512 -mavx512f -mavx512dq -mavx512bw -mavx512vl)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT OROGRAPH_SANITIZE AND NOT OROGRAPH_FUZZ)
    list(APPEND kinds avx2 avx512)
  endif()
  add_library(${target} STATIC ${folder}/table.c)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  if(NOT "avx2" IN_LIST kinds)
    target_compile_definitions(${target} PRIVATE ORO_NATIVE_ONE_KIND)
  endif()
  # Code by hand goes first. What is made of the same texts is for tests, and for them one kind of processor is enough.
  set(by_hand 0)
  if(OROGRAPH_ALL_KERNELS)
    set(by_hand 2)
  elseif(OROGRAPH_TESTS)
    set(by_hand 1)
  endif()
  target_compile_definitions(${target} PRIVATE ORO_NATIVE_BY_HAND=${by_hand})
  add_dependencies(${target} ${target}_texts)
  foreach(kind IN LISTS kinds)
    add_library(${target}_${kind} OBJECT ${parts})
    add_dependencies(${target}_${kind} ${target}_texts)
    target_include_directories(${target}_${kind} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_definitions(${target}_${kind} PRIVATE ORO_SUFFIX=_${kind})
    if(by_hand EQUAL 2 OR (by_hand EQUAL 1 AND kind STREQUAL "least"))
      target_compile_definitions(${target}_${kind} PRIVATE ORO_NATIVE_BY_HAND=1)
    endif()
    target_compile_options(${target}_${kind} PRIVATE -O2 -ffp-contract=off -fwrapv -fno-strict-aliasing -fno-math-errno
                           -fno-trapping-math -Wno-psabi ${flags_${kind}})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_${kind}>)
  endforeach()
endfunction()
