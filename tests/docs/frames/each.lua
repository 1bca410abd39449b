local graph = orograph.open("alps.oro")
local seeds = { 3, 5 }
@
