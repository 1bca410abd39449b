-- Uses graphs of the library as nodes, twice with `vary`, and writes all their outputs. Rasters must be there and without NaN (no file
-- with one can be written or read), terrain and picture not constant, the terrain without closed depressions unless there is a sea,
-- and the two uses of a graph that takes no terrain different.
--
--   orograph run render.lua GRAPH... --read FOLDER --write .
--
-- A GRAPH is a path, with a + in front where its terrain must be linked.
local extensions = { field = "r32", image = "png", network = "geojson" }

local function use(path, takes_terrain)
  local name = string.match(path, "([^/]*)$")
  local graph = orograph.new({ extent = orograph.open(path):world().extent, resolution = takes_terrain and 16 or 64, seed = 3 })
  graph:add("bumps", "base")
  for _, id in ipairs({ "one", "two" }) do
    graph:add(name, id, { vary = true })
    if takes_terrain then
      graph:link(id .. ".terrain", "base.terrain")
    end
  end
  return graph
end

local function outputs_of(graph)
  local list, has = {}, {}
  for _, output in ipairs(graph:outputs()) do
    local name = string.match(output, "^one%.(.*)")
    if name then
      list[#list + 1] = name
      has[name] = true
    end
  end
  return list, has
end

local function check(path, takes_terrain)
  local graph = use(path, takes_terrain)
  local outputs, has = outputs_of(graph)
  assert(has.terrain and has.image, "has no output 'terrain' or 'image'")
  for _, output in ipairs(outputs) do
    local result = graph:render("one." .. output, { max_resolution = 128 })
    local drained = output == "terrain" and not has.sea
    result:write(output .. "." .. extensions[result.type], drained and { require_drained = true } or nil)
    if output == "terrain" or output == "image" then
      assert(result.maximum > result.minimum, output .. " is constant")
    end
  end
  graph:render("two.terrain", { max_resolution = 128 }):write("second.r32")
  -- Amplifying the same terrain gives much the same, whatever the seed.
  if not takes_terrain and orograph.read_text("terrain.r32") == orograph.read_text("second.r32") then
    error("two uses with 'vary' are the same")
  end
  print(string.format("%s: %d outputs", path, #outputs))
end

local failed = 0
for _, argument in ipairs(orograph.args) do
  local plus, path = string.match(argument, "^(%+?)(.*)")
  local done, why = pcall(check, path, plus ~= "")
  if not done then
    print(path .. ": " .. tostring(why))
    failed = failed + 1
  end
end
assert(failed == 0, failed .. " graphs failed")
