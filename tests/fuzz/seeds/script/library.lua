local keys = {3, 1, 2, [0.5] = 1, [2.5] = 2, [-1] = 3, [1e300] = 4, [true] = 5, [false] = 6, a = 7, b = 8, [""] = 9, aa = 10, [2^63] = 11}
local n = 0
for k, v in pairs(keys) do n = n + v keys[k] = nil end
local k = next({x = 1, y = 2, [1] = 3})
while k do k = next({x = 1, y = 2, [1] = 3}, k) end
local m = setmetatable({}, {__pairs = function(t) return next, {1, 2}, nil end, __tostring = function() return "m" end, __name = "name"})
for i, v in pairs(m) do n = n + v end
local sorted = {5, 3, 9, 1, 7, 2, 8, 6, 4, 0, 11, 10, 13, 12}
table.sort(sorted)
table.sort(sorted, function(a, b) return a > b end)
table.sort({"b", "a", "c"})
print(pcall(table.sort, {1, "a", {}}), pcall(table.sort, {3, 2, 1}, function() error("no") end))
math.randomseed(7)
local r = math.random() + math.random(10) + math.random(-5, 5)
print(pcall(math.random, 2, 1), pcall(math.random, 1, 2, 3), pcall(math.randomseed, 1, 2), math.random(math.mininteger, math.maxinteger))
print(string.upper("abc\xff"), string.lower("ABC\xc4"), string.format("%d %5.2f %s %-3s|%x %c %i %% %g", 1, 2.5, m, "a", 255, 65, 3, 1e9))
for _, f in ipairs({"%a", "%p", "%q", "%", "%99d", "%y", "%s", "%d"}) do print(pcall(string.format, f, {})) end
print(tostring(m), tostring({}), tostring(print), tostring(nil), tostring(1.5), getmetatable(m) ~= nil, getmetatable("a"))
print(pcall(setmetatable, {}, {__gc = print}), pcall(setmetatable, {}, {__mode = "k"}), pcall(setmetatable, 1, {}), pcall(setmetatable, {}, 1))
print(pcall(setmetatable, setmetatable({}, {__metatable = 1}), {}), pcall(pairs, nil), pcall(next, {}, "none"), pcall(pairs, {[print] = 1}), pcall(next, {[{}] = 1}))
print(pcall(require, "none"), pcall(require, "../up"), pcall(require, ""), pcall(require, "lib.none"))
print(string.rep("x", 3), pcall(error, {}), pcall(error), select("#", 1, 2))
return {id = "fuzz", inputs = {{name = "terrain", type = "field"}, {name = "height", type = "float", default = n % 5, min = 0, max = 9}},
    outputs = {{name = "field"}}, cell = function(x, y, f, p) return f.terrain + p.height end}
