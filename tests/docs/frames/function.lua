return {
  id = "function",
  inputs = {
    { name = "terrain", type = "field", unit = "m" },
    { name = "smoothness", type = "float", default = 200 },
    { name = "sharpness", type = "float", default = 1 },
  },
  outputs = { { name = "terrain", unit = "m" }, { name = "ridges", unit = "m" } },
@
}
