# oro_embed_shaders(target): compiles every file of gles_shaders/ into the target as a table of texts.
function(oro_embed_shaders target)
  set(root ${PROJECT_SOURCE_DIR}/gles_shaders)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${root} ${root}/*.comp ${root}/*.glsl)
  list(SORT files)
  list(TRANSFORM files PREPEND ${root}/ OUTPUT_VARIABLE paths)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/shader_files.c)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DROOT=${root} "-DFILES=${files}" -DOUTPUT=${output}
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
