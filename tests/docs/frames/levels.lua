return {
  id = "levels",
  inputs = {
    { name = "terrain", type = "field", unit = "m" },
    { name = "levels", type = "int", default = 1 },
    { name = "detail", type = "float", default = 0 },
  },
  outputs = { { name = "terrain", unit = "m" }, { name = "drainage" } },
@
}
