-- Forms to build land of, as fields: local shapes = require "lib.shapes"
local shapes = {}

-- How far every cell is from a place { x =, y = } in metres.
function shapes.distance(place)
  local east, south = field.x() - place.x, field.y() - place.y
  return field.sqrt(east * east + south * south)
end

-- The compass direction from a place to every cell, in radians.
function shapes.direction(place)
  return field.atan(field.x() - place.x, place.y - field.y())
end

-- 1 in the middle and 0 from the radius on, along a slope that gets gentler: 1 straight, 3 as volcanoes have it.
function shapes.cone(distance, radius, bend)
  return field.clamp(1 - distance / radius, 0, 1) ^ bend
end

-- A bowl in what is there: whatever lies above it is taken away, but for a rim.
function shapes.bowl(terrain, distance, radius, floor, rim)
  local t = distance / radius
  local inside = floor + (rim - floor) * t * t
  return field.select(t:lt(1), field.min(terrain, inside), terrain)
end

return shapes
