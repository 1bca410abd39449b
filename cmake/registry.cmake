# oro_generate_registry(target): one entry for every file below nodes/ that defines a node type, sorted by id, with the
# kernels that its results depend on. A node's file is named after its id; files without a descriptor (helpers shared by
# nodes) are compiled but not listed.

# Sets kernels_FILE (the kernel files that it names) and includes_FILE (the headers of nodes/) in the caller's scope.
function(_oro_read_node_file file)
  file(READ ${PROJECT_SOURCE_DIR}/${file} text)
  string(REGEX MATCHALL "\"[a-z0-9_/]+\\.comp\"" kernels "${text}")
  string(REGEX MATCHALL "#include \"nodes/[a-z0-9_/]+\\.h\"" includes "${text}")
  string(REPLACE "#include " "" includes "${includes}")
  string(REPLACE "\"" "" includes "${includes}")
  set(kernels_${file} "${kernels}" PARENT_SCOPE)
  set(includes_${file} "${includes}" PARENT_SCOPE)
endfunction()

# The kernels that `file` names, or what it includes, or the code behind that: behind x.h stand x.c and x_*.c. This may
# find some that a node does not run. One that it misses fails as soon as a node runs it.
function(_oro_find_kernels file helpers out)
  set(open ${file})
  set(seen "")
  set(found "")
  while(open)
    list(POP_FRONT open at)
    if(at IN_LIST seen)
      continue()
    endif()
    list(APPEND seen ${at})
    list(APPEND found ${kernels_${at}})
    list(APPEND open ${includes_${at}})
    if(at MATCHES "\\.h$")
      get_filename_component(stem ${at} NAME_WE)
      set(behind ${helpers})
      list(FILTER behind INCLUDE REGEX "/${stem}(_[a-z0-9_]+)?\\.c$")
      list(APPEND open ${behind})
    endif()
  endwhile()
  list(REMOVE_DUPLICATES found)
  list(SORT found)
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

function(oro_generate_registry target)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/nodes/*.c
       ${PROJECT_SOURCE_DIR}/nodes/*.h)
  set(ids "")
  set(helpers "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
    _oro_read_node_file(${file})
    get_filename_component(id ${file} NAME_WE)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${file} descriptor REGEX "^ORO_NODE")
    if(descriptor)
      list(APPEND ids ${id})
      set(file_of_${id} ${file})
    elseif(file MATCHES "\\.c$")
      list(APPEND helpers ${file})
    endif()
  endforeach()
  list(SORT ids)
  set(declarations "")
  set(entries "")
  foreach(id IN LISTS ids)
    _oro_find_kernels(${file_of_${id}} "${helpers}" kernels)
    list(APPEND kernels NULL)
    list(JOIN kernels ", " kernels)
    string(APPEND declarations "const char *const oro_kernels_${id}[] = {${kernels}};\n")
    string(APPEND declarations "extern const struct oro_node_type oro_node_${id};\n")
    string(APPEND entries "    &oro_node_${id},\n")
  endforeach()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/builtin_nodes.c)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"#include \"graph/type/registry.h\"

@declarations@
static const struct oro_node_type *const types[] = {
@entries@};

const struct oro_registry oro_builtin_nodes = {.types = types, .count = sizeof types / sizeof types[0]};
")
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/)
  target_sources(${target} PRIVATE ${files} ${output})
endfunction()
