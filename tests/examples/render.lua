-- Renders every output of examples, the files they export, and what travels along their links, at no more than CAP cells a side. All
-- must be there and without NaN (no file with one can be written or read); outputs and exports must not be constant.
--
--   orograph run render.lua CAP EXAMPLE... --read . --write .
--
-- runs in a copy of the folder of examples, since exports are written beside the document.
local cap = tonumber(orograph.args[1])
local input = "examples/nodes/source/hills_64.png" -- for imports that leave their file to the user
local slow = { hydraulic_erosion = true, constraint_erosion = true, talus_creep = true }
local no_format = { image = true, tensor = true, direction = true, gradient = true }
local extensions = { field = "r32", image = "png", network = "geojson" }

-- Some erode in hundreds of steps at the world's own resolution: fewer, and fewer cells, show as well whether the graph works.
local function make_fast(graph)
  local capped = false
  for _, node in ipairs(graph:nodes()) do
    if slow[node.type] then
      local iterations = graph:get(node.id .. ".iterations")
      if type(iterations) == "number" and iterations > 150 then
        graph:set(node.id .. ".iterations", 150)
      end
      capped = true
    end
  end
  if capped and graph:world().resolution > cap then
    graph:world({ resolution = cap })
  end
end

local function give_files(graph)
  for _, node in ipairs(graph:nodes()) do
    if node.type == "import" and graph:get(node.id .. ".file") == "" then
      graph:set(node.id .. ".file", input)
    end
  end
end

local function write(result, name)
  local extension = assert(extensions[result.type], name .. " has no file format")
  local path = "written/" .. name .. "." .. extension
  result:write(path)
  return path
end

local function expect_variety(result, name)
  if result.type ~= "network" and not (result.maximum > result.minimum) then
    error(name .. " is constant")
  end
end

-- The outputs of the interface come first, and have no dot.
local function render_outputs(graph)
  local count = 0
  for _, output in ipairs(graph:outputs()) do
    if not string.find(output, ".", 1, true) then
      local result = graph:render(output, { max_resolution = cap })
      write(result, output)
      expect_variety(result, output)
      count = count + 1
    end
  end
  return count
end

local function export(graph, text)
  if not string.find(text, 'type="export"', 1, true) and not string.find(text, 'type="network_export"', 1, true) then
    return 0
  end
  local files = graph:export({ max_resolution = cap })
  for _, file in ipairs(files) do
    if not string.find(file, "%.geojson$") then
      local picture = string.find(file, "%.png$") and { decode = "luminance" }
      expect_variety(orograph.read(file, picture or nil), file)
    end
  end
  return #files
end

-- Directions have no file format.
local function render_links(graph, text)
  local seen, count = {}, 0
  for link in string.gmatch(text, '<in [^>]*from="([^"]*)"') do
    if not seen[link] and not no_format[string.match(link, "[^.]*$")] then
      write(graph:render(link, { max_resolution = cap }), "link")
      count = count + 1
    end
    seen[link] = true
  end
  return count
end

local function check(example)
  local text = orograph.read_text(example)
  local graph = orograph.open(example)
  make_fast(graph)
  give_files(graph)
  local outputs, files = render_outputs(graph), export(graph, text)
  if outputs + files == 0 then
    error("has neither outputs nor exports")
  end
  print(string.format("%s: %d outputs, %d exports, %d links", example, outputs, files, render_links(graph, text)))
end

local failed = 0
for i = 2, #orograph.args do
  local done, why = pcall(check, orograph.args[i])
  if not done then
    print(orograph.args[i] .. ": " .. tostring(why))
    failed = failed + 1
  end
end
assert(failed == 0, failed .. " examples failed")
