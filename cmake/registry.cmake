# oro_generate_registry(target): one entry for every nodes/*/*.c that defines a node type, sorted by id. A node's file is
# named after its id; files without a descriptor (helpers shared by nodes) are compiled but not listed.
function(oro_generate_registry target)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/nodes/*/*.c)
  list(SORT sources)
  set(declarations "")
  set(entries "")
  foreach(source IN LISTS sources)
    get_filename_component(id ${source} NAME_WE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
    file(STRINGS ${source} descriptor REGEX "^const struct oro_node_type oro_node_${id} = ")
    if(descriptor)
      string(APPEND declarations "extern const struct oro_node_type oro_node_${id};\n")
      string(APPEND entries "    &oro_node_${id},\n")
    endif()
  endforeach()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/builtin_nodes.c)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"#include \"graph/type/registry.h\"

@declarations@
static const struct oro_node_type *const types[] = {
@entries@};

const struct oro_registry oro_builtin_nodes = {.types = types, .count = sizeof types / sizeof types[0]};
")
  target_sources(${target} PRIVATE ${sources} ${output})
endfunction()
