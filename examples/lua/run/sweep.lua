-- Fifty variants of a mountain range, by seed and uplift: small pictures of the same size for a contact sheet, a table of
-- what was measured, and the variant whose rivers look most natural, in full size and as a graph.
--
--   orograph run examples/lua/run/sweep.lua examples/first-range.oro --write variants
--   montage variants/v*.png -label '%t' -tile 10x -geometry +4+4 variants/sheet.png

local file = orograph.args[1] or "examples/first-range.oro"
local folder = orograph.args[2] or "variants"
local cells = 128 -- along x, of the small ones

local uplifts = {0.0003, 0.0006, 0.001, 0.0015, 0.002} -- metres a year
local variants = {}
for _, uplift in ipairs(uplifts) do
  for seed = 1, 10 do
    variants[#variants + 1] = {name = string.format("v%02d", #variants + 1), uplift = uplift, seed = seed}
  end
end

-- Rivers have a Hack exponent of some 0.55: how the longest way of the water grows with the land it drains.
local function distance(hack)
  return hack.n and math.abs(hack.n - 0.55) or math.huge
end

local graph = orograph.open(file)
local full = graph:world().resolution
graph:world{resolution = cells}

local rows = {"name,uplift,seed,highest,mean,hack_n,hack_r2,hypsometric_integral"}
local best, least = nil, math.huge
for _, variant in ipairs(variants) do
  -- A variant that cannot be had does not end the others.
  local ok, why = pcall(function()
    graph:set("crest.uplift", variant.uplift)
    graph:seed(variant.seed)
    local terrain = graph:render("terrain")
    local measures = terrain:measure()
    terrain:hillshade(folder .. "/" .. variant.name .. ".png")
    rows[#rows + 1] = table.concat({variant.name, variant.uplift, variant.seed, terrain.maximum, measures.mean,
                                    measures.hack.n or "", measures.hack.r2 or "", measures.hypsometry.integral or ""}, ",")
    if distance(measures.hack) < least then
      best, least = variant, distance(measures.hack)
    end
  end)
  if not ok then
    print(variant.name .. " is left out: " .. why)
  end
end
orograph.write_text(folder .. "/variants.csv", table.concat(rows, "\n") .. "\n")
print(#rows - 1 .. " of " .. #variants .. " variants in " .. folder)

if best then
  graph:world{resolution = full, seed = best.seed}
  graph:set("crest.uplift", best.uplift)
  graph:render("terrain"):write(folder .. "/best.png", {low = 0, high = 8000, require_drained = true})
  graph:save(folder .. "/best.oro")
  print(string.format("best: %s (uplift %g m a year, seed %d)", best.name, best.uplift, best.seed))
end
