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
