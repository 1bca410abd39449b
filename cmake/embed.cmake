# oro_embed_shaders(target): compiles every file of gles_shaders/ into the target as a table of texts.
# oro_embed_files(target root table patterns...): the same for the files below `root` that match; the table is called
# `table`, as struct oro_shader_file.
function(oro_embed_files target root table)
  list(TRANSFORM ARGN PREPEND ${root}/ OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${root} ${patterns})
  list(SORT files)
  list(TRANSFORM files PREPEND ${root}/ OUTPUT_VARIABLE paths)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/shader_files.c)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DROOT=${root} "-DFILES=${files}" -DTABLE=${table} -DOUTPUT=${output}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()

function(oro_embed_shaders target)
  oro_embed_files(${target} ${PROJECT_SOURCE_DIR}/gles_shaders oro_shader_file *.comp *.glsl)
endfunction()
