"""What a candidate of bench/fit.py is worth."""

import math

# ---- Weights ----

# A row costs 1 / (1 + exp(-(x + MARGIN) / SOFTNESS)), x = log(own error / error of the best opponent).
MARGIN = 0.15  # winning by a seventh costs half: what wins barely here loses on the next terrain
SOFTNESS = 0.25  # twice the opponent's error costs all but 3 %, so that no hopeless row drives the fit
TAIL = 0.02  # what a lost row costs beyond, per e-fold, so that the search still sees a way back
# A limit costs its weight times v / (v + 1); v is 1 where it is broken by a tenth of its scale.
SAFETY = 0.9  # limits count from this share of theirs on, as other terrains scatter around
LIMITS = {  # in rows: what a terrain that breaks the limit grossly loses
    "rivers": 2,  # a limit of its own: rivers in the wrong place are seen on any map
    "low_pass": 2,  # the ground has to stay where it is
    "straight": 2,  # the grid shows
    "trench_cells": 1,  # slots of a cell's width; the truth has some, too
    "longest_trench": 1,  # those that are seen as canyons
    "border": 1,  # a rim
    "anisotropy": 1,  # the grid again
}
WORST = 0.5  # weight of the worst terrain beside the mean: every terrain should win
PARTS = 0.5  # share of tiles and coarser copies in the score of a terrain, if it has any
PULL = 0.2  # presets: cost of a range's width off the common values, squared; half of it costs nearly a row
FAILED = 5.0  # score of values that the bench could not evaluate

# ---- Rows ----

OPPONENTS = ("cubic", "fBm", "phasor", "uneroded")
# The rows of the table that are contests, with the digits they are compared with (bench/realism_table.c).
ROWS = {
    "slope_distance": 3,
    "flat_percent": 2,
    "spectrum_slope": 2,
    "fine_share": 2,
    "broad_share": 3,
    "class_spread": 3,
    "patchiness": 3,
    "openness_distance": 3,
    "convergent_percent": 2,
    "straight": 3,
    "junction_distance": 3,
    "river_offset": 1,
    "diagonal_power": 2,
    "anisotropy8": 4,
}


def distance(row, figures, truth):
    """As in the table, where shares, too, are compared by difference: what the search gains is what the table counts."""
    own, ideal = figures.get(row), truth.get(row)
    return math.inf if own is None or ideal is None else abs(own - ideal)


def best_opponent(row, ways):
    return min((distance(row, ways[name], ways["truth"]), name) for name in OPPONENTS)


def row_cost(own, best, unit):
    x = 4
    if own < math.inf:
        x = min(max(math.log((own + unit) / (min(best, 1e9) + unit)), -4), 4)
    return 1 / (1 + math.exp(-(x + MARGIN) / SOFTNESS)) + TAIL * max(x, 0)


def limits_of(figures, ways):
    """Name -> (figure, its limit, its scale). Small tiles may have no channels, and so no figures of them: a limit that
    the truth has no figure for is left out, and a figure that is missing is beyond its limit."""
    truth, cubic = ways["truth"], ways["cubic"]

    def known(name):
        return math.inf if figures[name] is None else figures[name]

    limits = {
        # The smooth ground of some tiles has no trench at all; a handful is not to be seen.
        "trench_cells": (known("trench_cells"), max(truth["trench_cells"], 5), max(truth["trench_cells"], 20)),
        "longest_trench": (known("longest_trench"), max(truth["longest_trench"], 3), 5),
        "low_pass": (known("low_pass_rmse"), cubic["low_pass_rmse"] + 10, 10),
    }
    if cubic["river_offset"] is not None:
        limits["rivers"] = known("river_offset"), 1.2 * cubic["river_offset"], cubic["river_offset"]
    if truth["straight"] is not None:
        limits["straight"] = known("straight"), 2 * truth["straight"], max(truth["straight"], 0.01)
    if truth["anisotropy8"] is not None:
        limits["anisotropy"] = known("anisotropy8"), max(2 * truth["anisotropy8"], 0.01), 0.05
    if truth["border"] is not None:
        highest, lowest = max(1, truth["border"]), min(1, truth["border"])
        limits["border"] = max(known("border") - highest, lowest - known("border")), 0.2, 0.5
    return limits


def limit_cost(figure, limit, scale):
    beyond = (min(figure, 1e9) - SAFETY * limit) / (0.1 * scale)
    return beyond / (beyond + 1) if beyond > 0 else 0


def site_cost(figures, ways):
    """0: all rows are won by far, and no limit is near. 1: all are lost."""
    if not figures:
        return FAILED
    cost = 0
    for row, digits in ROWS.items():
        cost += row_cost(distance(row, figures, ways["truth"]), best_opponent(row, ways)[0], 10**-digits)
    for name, limit in limits_of(figures, ways).items():
        cost += LIMITS[name] * limit_cost(*limit)
    return cost / len(ROWS)


def rows_lost(figures, ways):
    """Rows in which an opponent is nearer, with the digits that the table prints, and which."""
    lost = {}
    for row, digits in ROWS.items():
        best, name = best_opponent(row, ways)
        own = distance(row, figures, ways["truth"])
        if own == math.inf or (best < math.inf and round(own * 10**digits) > round(best * 10**digits)):
            lost[row] = name
    return lost


class Judge:
    def __init__(self, log):
        self.log, self.sites, self.costs = log, log.head["sites"], {}
        self.dems = list(dict.fromkeys(site["dem"] for site in self.sites))

    def cost(self, figures, name):
        at = id(figures), name
        if at not in self.costs:
            self.costs[at] = site_cost(figures, self.log.ways[name]), figures
        return self.costs[at][0]

    def dem_cost(self, measured, dem):
        sites = [site for site in self.sites if site["dem"] == dem]
        whole = [self.cost(measured[s["name"]], s["name"]) for s in sites if s["whole"]]
        parts = [self.cost(measured[s["name"]], s["name"]) for s in sites if not s["whole"]]
        return (1 - PARTS) * whole[0] + PARTS * sum(parts) / len(parts) if parts else whole[0]

    def names(self, dems):
        return [site["name"] for site in self.sites if site["dem"] in dems]

    def score(self, measured, dems):
        costs = [self.dem_cost(measured, dem) for dem in dems]
        return sum(costs) / len(costs) + WORST * max(costs)

    def best(self, dems, penalty=lambda values: 0, keys=None):
        """(score, values, figures) of the best that was measured on all these terrains."""
        names, found = self.names(dems), []
        for key, (values, measured) in self.log.tried.items():
            if (keys is None or key in keys) and all(name in measured for name in names):
                found.append((self.score(measured, dems) + penalty(values), key, values, measured))
        if not found:
            return None
        score, _, values, measured = min(found, key=lambda f: f[:2])
        return score, values, measured

    def verdict(self, figures, name):
        ways = self.log.ways[name]
        if not figures:
            return {"won": 0, "failed": True}
        lost = rows_lost(figures, ways)
        broken = {n: [own, limit] for n, (own, limit, _) in limits_of(figures, ways).items() if own > limit}
        return {
            "won": len(ROWS) - len(lost),
            "cost": round(site_cost(figures, ways), 4),
            "lost": {r: [figures[r], ways["truth"][r], ways[n][r], n] for r, n in lost.items()},
            "limits_broken": {n: [own if own < math.inf else None, limit] for n, (own, limit) in broken.items()},
            "figures": figures,
        }

    def verdicts(self, measured, dems):
        return {name: self.verdict(measured[name], name) for name in self.names(dems)}

    def turned(self, measured):
        """What a terrain and its mirrored and turned copies cost: name of the terrain -> {name of the copy: cost}."""
        found = {}
        for site in self.sites:
            if site["whole"] or site.get("turned"):
                name = site["name"]
                found.setdefault(site["dem"], {})[name] = round(self.cost(measured[name], name), 4)
        return {dem: costs for dem, costs in found.items() if len(costs) > 1}

    def defaults(self):
        return {site["name"]: self.log.ways[site["name"]]["amplify_chain"] for site in self.sites}
