-- Writes every output of the graphs that it is given, at no more than 256 cells a side, so that `./dev digests` can digest the
-- files: FOLDER/GRAPH/OUTPUT.EXTENSION. What cannot be rendered gets an empty file that ends in .none.
--
--   orograph run digests.lua FOLDER INPUT GRAPH... --read ROOT --write FOLDER [OPTION]...
--
-- INPUT is the heightfield for imports that leave their file to the user.
local cap = 256
local folder, input = orograph.args[1], orograph.args[2]

-- Two channels have no file format: text, some rows to a file.
local function write_vectors(result, path)
  local rows = {}
  for y = 0, result.height - 1 do
    local row = {}
    for x = 0, result.width - 1 do
      row[#row + 1] = string.format("%.9g %.9g", result:at(x, y))
    end
    rows[#rows + 1] = table.concat(row, " ")
    if #rows == 16 or y == result.height - 1 then
      orograph.write_text(string.format("%s.%03d.txt", path, y), table.concat(rows, "\n"))
      rows = {}
    end
  end
end

local extensions = {field = "r32", image = "png", network = "geojson"}

local function write(result, path)
  if result.type == "vector" then
    write_vectors(result, path)
  else
    result:write(path .. "." .. extensions[result.type])
  end
end

local function render(graph, output, path)
  local done, why = pcall(function() write(graph:render(output, {max_resolution = cap}), path) end)
  if not done then
    orograph.write_text(path .. ".none", "")
    print(path .. ": " .. tostring(why))
  end
end

local function fit(graph)
  local world = graph:world()
  if world.resolution > cap then
    graph:world({resolution = cap})
  end
  for _, node in ipairs(graph:nodes()) do
    if node.type == "import" and graph:get(node.id .. ".file") == "" then
      graph:set(node.id .. ".file", input)
    end
  end
end

-- A graph of the library is used as a node, on the ground that it asks for, if it does.
local function used(path, name)
  local within = orograph.open(path)
  local world = within:world()
  local graph = orograph.new({extent = world.extent, resolution = 64, seed = 3})
  graph:add("bumps", "base")
  graph:add(name .. ".oro", "land", {vary = true})
  if pcall(graph.link, graph, "land.terrain", "base.terrain") then
    graph:world({resolution = 16})
  end
  return graph
end

for i = 3, #orograph.args do
  local path = orograph.args[i]
  local name = string.match(path, "([^/]*)%.oro$")
  local graph
  if string.find(path, "library/", 1, true) then
    graph = used(path, name)
  else
    graph = orograph.open(path)
    fit(graph)
  end
  local below = folder .. "/" .. string.gsub(path, "%.oro$", "") .. "/"
  for _, output in ipairs(graph:outputs()) do
    render(graph, output, below .. output)
  end
end
