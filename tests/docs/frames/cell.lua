return {
  id = "cell",
  inputs = { { name = "terrain", type = "field", unit = "m" } },
  outputs = { { name = "terrain" } },
@
}
