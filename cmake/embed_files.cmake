# Script: writes OUTPUT, a C file with the text of every file of FILES below ROOT as an array of bytes, in the table
# TABLEs with TABLE_count entries.
# String literals would do but for their length limit in C11.
set(arrays "")
set(table "")
set(count 0)
foreach(name IN LISTS FILES)
  file(READ ${ROOT}/${name} hex HEX)
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const char file_${count}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${name}\", file_${count}, ${size}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"devices/gpu/gpu.h\"\n\n${arrays}\nextern const struct oro_shader_file ${TABLE}s[];\nextern const size_t ${TABLE}_count;\nconst struct oro_shader_file ${TABLE}s[] = {\n${table}    {0},\n};\nconst size_t ${TABLE}_count = ${count};\n")
