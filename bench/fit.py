#!/usr/bin/env python3
"""Fits inputs of amplify_chain to real terrain, with what `orograph-bench realism` measures.

docs/realism.md, "How the defaults were found", says how it goes and what it proves. Needs nothing but Python 3.
"""

import argparse
import concurrent.futures
import contextlib
import hashlib
import itertools
import json
import math
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import zlib

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
PULL = 1.0  # presets: cost of the mean square of the distance from the common values, in search ranges
FAILED = 5.0  # score of values that the bench could not evaluate

# ---- What is searched by default ----

PARAMS = (
    "detail=.5:2,roughness=.05:1,iterations=20:150,rounds=2:12,strength=.1:.8,variation=.05:1,"
    "thermal_iterations=4:80,repose=30:60,repose_variation=0:15,variation_size=100:2000"
)

OPPONENTS = ("bilinear", "bicubic", "fBm", "phasor")
# The rows of the table that are contests, with the digits they are compared with (bench/realism_table.c).
ROWS = {
    "mean_slope": 1,
    "slope_distance": 3,
    "low_pass_rmse": 1,
    "detail_correlation": 3,
    "fine_share": 2,
    "broad_share": 3,
    "spectrum_slope": 2,
    "concavity": 3,
    "hack": 3,
    "straight": 3,
    "convergent_percent": 2,
    "river_offset": 1,
}
WITH_MAX = 16  # graphs that the bench takes in one call
LEAST_SIDE = 24  # coarse cells; tiles with less measure little but their borders


def fail(message):
    sys.exit(f"fit.py: {message}")


def say(message):
    print(message, file=sys.stderr, flush=True)


# ---- 16-bit PNG ----


def unfilter(kind, line, above, step):
    """Undoes the filter of a line in place."""
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        up = above[i]
        if kind == 1:
            line[i] = (line[i] + left) & 255
        elif kind == 2:
            line[i] = (line[i] + up) & 255
        elif kind == 3:
            line[i] = (line[i] + (left + up) // 2) & 255
        elif kind == 4:
            corner = above[i - step] if i >= step else 0
            a, b, c = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            line[i] = (line[i] + (left if a <= b and a <= c else up if b <= c else corner)) & 255


def read_png(path):
    """Returns rows of grey values, 0..65535."""
    data = pathlib.Path(path).read_bytes()
    at, packed, head = 8, b"", None
    while at + 8 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    if not head or head[2] != 16 or head[3] != 0 or head[6] != 0:
        fail(f"'{path}' has to be a 16-bit grey PNG without interlacing to be cut into tiles or made coarser")
    width, height = head[:2]
    raw, rows = zlib.decompress(packed), []
    above = bytearray(2 * width)
    for y in range(height):
        start = y * (2 * width + 1)
        line = bytearray(raw[start + 1 : start + 1 + 2 * width])
        if raw[start]:
            unfilter(raw[start], line, above, 2)
        rows.append(struct.unpack(f">{width}H", line))
        above = line
    return rows


def write_png(path, rows):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    raw = b"".join(b"\0" + struct.pack(f">{len(row)}H", *row) for row in rows)
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 16, 0, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(raw, 6))
        + chunk(b"IEND", b"")
    )


# ---- Terrains ----


def tiles_of(rows, times, factor):
    """Cuts into times x times pieces of whole coarse cells."""
    width = len(rows[0]) // times // factor * factor
    height = len(rows) // times // factor * factor
    if min(width, height) < LEAST_SIDE * factor:
        return
    for y in range(times):
        for x in range(times):
            yield f"{y}{x}", [r[x * width : (x + 1) * width] for r in rows[y * height : (y + 1) * height]]


def halve(rows):
    """Area means of 2 x 2 cells."""
    return [
        [(a[x] + a[x + 1] + b[x] + b[x + 1] + 2) // 4 for x in range(0, len(a) - 1, 2)]
        for a, b in zip(rows[::2], rows[1::2])
    ]


def per_dem(text, count, name):
    """Numbers with commas between; the last serves for the terrains that have none."""
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        fail(f"--{name} should be numbers with commas between")
    return (numbers + numbers[-1:] * count)[:count]


def find_sites(options, folder):
    """All pieces of ground that candidates are measured on: each DEM as a whole, then its tiles and coarser copy."""
    count, sites = len(options.dems), []
    columns = [per_dem(getattr(options, name), count, name) for name in ("low", "high", "cell", "factor")]
    for path, low, high, cell, factor in zip(options.dems, *columns):
        dem, factor = pathlib.Path(path).stem, int(factor)
        digest = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()[:16]
        common = {"dem": dem, "low": low, "high": high, "factor": factor, "digest": digest}
        sites.append({**common, "name": dem, "file": str(path), "cell": cell, "whole": True})
        pieces = []
        if options.tiles > 1 or options.coarser:
            rows = read_png(path)
        if options.tiles > 1:
            pieces += [(name, piece, cell) for name, piece in tiles_of(rows, options.tiles, factor)]
        if options.coarser and min(len(rows), len(rows[0])) >= 2 * LEAST_SIDE * factor:
            pieces.append(("coarser", halve(rows), 2 * cell))
        for name, piece, piece_cell in pieces:
            file = folder / f"{dem}-{name}.png"
            write_png(file, piece)
            sites.append({**common, "name": file.stem, "file": str(file), "cell": piece_cell, "whole": False})
    names = [site["name"] for site in sites]
    if len(set(names)) != len(names):
        fail("two terrains have the same name")
    return sites


# ---- What is searched ----


def read_defaults():
    """The number inputs of amplify_chain in docs/nodes.md: name -> (default, whole)."""
    text = (pathlib.Path(__file__).resolve().parent.parent / "docs" / "nodes.md").read_text()
    section = text.split("### amplify_chain\n", 1)[1].split("\n### ", 1)[0]
    found = re.findall(r"^\| `(\w+)` \| (int|float)[^|]*\| `([^`]+)` \|", section, re.M)
    return {name: (float(default), kind == "int") for name, kind, default in found}


class Range:
    """An input that is searched. Positions are 0..1, on a logarithmic scale where the range spans four times and more."""

    def __init__(self, text, defaults):
        match = re.fullmatch(r"(\w+)=([^:]+):([^:]+)", text.strip())
        if not match or match[1] not in defaults:
            fail(f"'{text}' should be NAME=LOW:HIGH, with a number input that docs/nodes.md has for amplify_chain")
        self.name, self.low, self.high = match[1], float(match[2]), float(match[3])
        self.default, self.whole = defaults[self.name]
        self.logarithmic = self.low > 0 and self.high >= 4 * self.low
        if not self.low < self.high:
            fail(f"'{text}': the range is empty")

    def value(self, position):
        if self.logarithmic:
            value = self.low * (self.high / self.low) ** position
        else:
            value = self.low + (self.high - self.low) * position
        # Three digits: nobody wants to read more of a default, and equal values are measured once.
        return round(value) if self.whole else float(f"{value:.3g}")

    def position(self, value):
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def values_of(ranges, positions, fixed):
    return {**fixed, **{r.name: r.value(p) for r, p in zip(ranges, positions)}}


def read_start(text, ranges):
    """Where the search begins, and inputs that are set but not searched, as text."""
    if text == "middle":
        return [0.5] * len(ranges), {}
    given = {}
    if text and text.endswith(".json"):
        given = json.loads(pathlib.Path(text).read_text())["best"]["values"]
    elif text:
        for word in text.split(","):
            name, equals, value = word.partition("=")
            if not equals:
                fail("--start should be NAME=VALUE,..., FILE.json or middle")
            given[name.strip()] = value.strip()
    start = [r.position(float(given.pop(r.name, r.default))) for r in ranges]
    return start, given


def key_of(values):
    return json.dumps(values, sort_keys=True)


# ---- The bench ----


def levels_of(factor):
    """Prime factors, as the bench's own chain has them."""
    levels = []
    while factor > 1:
        prime = next(p for p in range(2, factor + 1) if factor % p == 0)
        levels.append(str(prime))
        factor //= prime
    return "; ".join(levels)


def write_graph(path, values, factor):
    inputs = {"levels": levels_of(factor), **values}
    lines = "".join(f'    <in name="{name}" value="{value}"/>\n' for name, value in inputs.items())
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<orograph xmlns="urn:orograph:1" version="1">\n'
        '  <world extent="20000" seed="0"/>\n'
        '  <interface><out name="terrain" from="chain.terrain"/></interface>\n'
        '  <node id="dem" type="import"/>\n'
        '  <node id="chain" type="amplify_chain" version="2">\n'
        f'    <in name="terrain" from="dem.terrain"/>\n{lines}  </node>\n</orograph>\n'
    )


class Bench:
    def __init__(self, path, jobs, folder, devices):
        self.path, self.jobs, self.folder = path, jobs, folder
        self.devices = itertools.cycle(["--device", device] for device in devices.split(",")) if devices else None
        self.environment = dict(os.environ)
        # Mesa's software driver takes all processors for each process.
        self.environment.setdefault("LP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // jobs)))

    def call(self, site, words):
        """The figures of all ways on a terrain, or None."""
        command = [self.path, "realism", "--json", *(next(self.devices) if self.devices else []), "--dems", site["file"], "--low", str(site["low"])]
        command += ["--high", str(site["high"]), "--cell", str(site["cell"]), "--factor", str(site["factor"]), *words]
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=self.environment, timeout=900)
        except subprocess.TimeoutExpired:
            say(f"{site['name']}: the bench took more than 900 s")
            return None
        if done.returncode:
            say(f"{site['name']}: {done.stderr.strip().splitlines()[-1:]}")
            return None
        return json.loads(done.stdout)["realism"][0]["ways"]

    def measure_one(self, site, batch):
        """Figures of several candidates; one that fails costs the others nothing but time."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            words = ["--only", "none"]
            for i, values in enumerate(batch):
                path = pathlib.Path(folder) / f"c{i}.oro"
                write_graph(path, values, site["factor"])
                words += ["--with", str(path)]
            ways = self.call(site, words)
        if ways is None and len(batch) > 1:
            return [self.measure_one(site, [values])[0] for values in batch]
        return [ways and ways[f"c{i}"] for i in range(len(batch))]

    def run_all(self, calls):
        """Runs functions, as many at once as there are jobs."""
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            futures = [pool.submit(*call) for call in calls]
            return [future.result() for future in futures]

    def measure(self, pairs):
        """Figures of pairs (values, site), in their order."""
        groups = {}
        for i, (_, site) in enumerate(pairs):
            groups.setdefault(site["name"], []).append(i)

        def time(size):
            """To start the bench and to measure the truth takes about as long as a candidate."""
            calls = sum(-(-len(group) // size) for group in groups.values())
            return -(-calls // self.jobs) * (size + 1)

        size = min(range(1, WITH_MAX + 1), key=time)
        batches = [g[k : k + size] for g in groups.values() for k in range(0, len(g), size)]
        # The largest terrains first, so that none is left alone at the end.
        batches.sort(key=lambda b: -pathlib.Path(pairs[b[0]][1]["file"]).stat().st_size)
        calls = [(self.measure_one, pairs[b[0]][1], [pairs[i][0] for i in b]) for b in batches]
        results = [None] * len(pairs)
        for batch, figures in zip(batches, self.run_all(calls)):
            for i, f in zip(batch, figures):
                results[i] = f
        return results


# ---- The log ----


class Log:
    """All that was measured: a line of JSON for each set of values, so that a run that is cut off goes on where it was."""

    def __init__(self, path):
        self.path, self.head = path, None
        self.ways = {}  # site -> way -> figures: the truth, the opponents, the chain with its defaults
        self.tried = {}  # key -> (values, site -> figures)
        if path.exists():
            for line in path.read_text().splitlines():
                # The last line may have been cut off.
                with contextlib.suppress(json.JSONDecodeError):
                    record = json.loads(line)
                    if "values" in record:  # what failed is tried again
                        record["figures"] = {k: f for k, f in record["figures"].items() if f}
                    self.take(record)

    def take(self, record):
        if "head" in record:
            self.head = record["head"]
        elif "ways" in record:
            self.ways[record["site"]] = record["ways"]
        elif "values" in record:
            self.tried.setdefault(key_of(record["values"]), (record["values"], {}))[1].update(record["figures"])

    def add(self, record):
        # Reads back what it writes, so that a run that goes on sees the same figures to the last bit.
        line = json.dumps(record)
        with self.path.open("a") as file:
            file.write(line + "\n")
        self.take(json.loads(line))

    def begin(self, head):
        if self.head is None:
            self.add({"head": head})
        elif [self.head["bench"], strip(self.head["sites"])] != [head["bench"], strip(head["sites"])]:
            fail(f"'{self.path}' is of another orograph-bench or of other terrains: name another with --log")

    def figures(self, values):
        return self.tried.get(key_of(values), (values, {}))[1]


def strip(sites):
    """What has to be the same for figures to be comparable."""
    return [{k: v for k, v in site.items() if k != "file"} for site in sites]


# ---- Scores ----


def distance(row, figures, truth):
    own, ideal = figures.get(row), truth.get(row)
    return math.inf if own is None or ideal is None else abs(own - ideal)


def best_opponent(row, ways):
    return min((distance(row, ways[name], ways["truth"]), name) for name in OPPONENTS)


def row_cost(own, best, unit):
    x = min(math.log((own + unit) / (best + unit)), 4) if own < math.inf else 4
    return 1 / (1 + math.exp(-(x + MARGIN) / SOFTNESS)) + TAIL * max(x, 0)


def limits_of(figures, ways):
    """Name -> (figure, its limit, its scale)."""
    truth, bicubic = ways["truth"], ways["bicubic"]
    rim = max(1, truth["border"] or 1), min(1, truth["border"] or 1)
    border = figures["border"]
    off = math.inf if border is None else max(border - rim[0], rim[1] - border)
    rivers = math.inf if figures["river_offset"] is None else figures["river_offset"]
    return {
        "rivers": (rivers, 1.2 * bicubic["river_offset"], bicubic["river_offset"]),
        "low_pass": (figures["low_pass_rmse"], bicubic["low_pass_rmse"] + 10, 10),
        "straight": (figures["straight"], 2 * truth["straight"], truth["straight"]),
        # The smooth ground of some tiles has no trench at all; a handful is not to be seen.
        "trench_cells": (figures["trench_cells"], max(truth["trench_cells"], 5), max(truth["trench_cells"], 20)),
        "longest_trench": (figures["longest_trench"], max(truth["longest_trench"], 3), 5),
        "border": (off, 0.2, 0.5),
        "anisotropy": (figures["anisotropy8"], max(2 * truth["anisotropy8"], 0.01), 0.05),
    }


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
        broken = {n: [l[0], l[1]] for n, l in limits_of(figures, ways).items() if l[0] > l[1]}
        return {
            "won": len(ROWS) - len(lost),
            "cost": round(site_cost(figures, ways), 4),
            "lost": {r: [figures[r], ways["truth"][r], ways[n][r], n] for r, n in lost.items()},
            "limits_broken": broken,
            "figures": figures,
        }

    def verdicts(self, measured, dems):
        return {name: self.verdict(measured[name], name) for name in self.names(dems)}

    def defaults(self):
        return {site["name"]: self.log.ways[site["name"]]["amplify_chain"] for site in self.sites}


# ---- Search ----


def cholesky(matrix):
    n = len(matrix)
    lower = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(lower[i][k] * lower[j][k] for k in range(j))
            lower[i][j] = math.sqrt(max(rest, 1e-12)) if i == j else rest / lower[j][j]
    return lower


def solve(lower, right):
    """Forward substitution."""
    found = []
    for i, row in enumerate(lower):
        found.append((right[i] - sum(row[k] * found[k] for k in range(i))) / row[i])
    return found


class Evolution:
    """CMA-ES (Hansen 2016, "The CMA Evolution Strategy: A Tutorial") in the unit cube, with a Cholesky factor in the place of
    the root. Samples are cut off at the cube's sides, and learned from as they were evaluated."""

    def __init__(self, mean, spread, population, rng):
        n = self.n = len(mean)
        self.mean, self.sigma, self.population, self.rng = list(mean), spread, population, rng
        weights = [math.log((population + 1) / 2) - math.log(i + 1) for i in range(population // 2)]
        self.weights = [w / sum(weights) for w in weights]
        mu = self.mu = 1 / sum(w * w for w in self.weights)
        self.c_sigma = (mu + 2) / (n + mu + 5)
        self.damping = 1 + 2 * max(0, math.sqrt((mu - 1) / (n + 1)) - 1) + self.c_sigma
        self.c_path = (4 + mu / n) / (n + 4 + 2 * mu / n)
        self.c_one = 2 / ((n + 1.3) ** 2 + mu)
        self.c_mu = min(1 - self.c_one, 2 * (mu - 2 + 1 / mu) / ((n + 2) ** 2 + mu))
        self.expected = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
        self.path_sigma, self.path, self.generation = [0.0] * n, [0.0] * n, 0
        self.covariance = [[float(i == j) for j in range(n)] for i in range(n)]

    def ask(self):
        self.lower, points = cholesky(self.covariance), []
        for _ in range(self.population):
            z = [self.rng.gauss(0, 1) for _ in range(self.n)]
            y = [sum(row[k] * z[k] for k in range(i + 1)) for i, row in enumerate(self.lower)]
            points.append([min(max(m + self.sigma * d, 0), 1) for m, d in zip(self.mean, y)])
        return points

    def tell(self, points):
        """Points of `ask`, the best first."""
        n, best = self.n, points[: len(self.weights)]
        steps = [[(p - m) / self.sigma for p, m in zip(point, self.mean)] for point in best]
        step = [sum(w * s[i] for w, s in zip(self.weights, steps)) for i in range(n)]
        self.mean = [m + self.sigma * s for m, s in zip(self.mean, step)]
        white = solve(self.lower, step)
        keep, gain = 1 - self.c_sigma, math.sqrt(self.c_sigma * (2 - self.c_sigma) * self.mu)
        self.path_sigma = [keep * p + gain * w for p, w in zip(self.path_sigma, white)]
        length = math.sqrt(sum(p * p for p in self.path_sigma))
        # A path that is long because the step size is too small must not stretch the covariance, too.
        self.generation += 1
        settled = math.sqrt(1 - keep ** (2 * self.generation))
        moving = length / settled < (1.4 + 2 / (n + 1)) * self.expected
        gain = moving * math.sqrt(self.c_path * (2 - self.c_path) * self.mu)
        self.path = [(1 - self.c_path) * p + gain * s for p, s in zip(self.path, step)]
        for i in range(n):
            for j in range(n):
                spread = sum(w * s[i] * s[j] for w, s in zip(self.weights, steps))
                self.covariance[i][j] = (
                    (1 - self.c_one - self.c_mu) * self.covariance[i][j]
                    + self.c_one * self.path[i] * self.path[j]
                    + self.c_mu * spread
                )
        self.sigma *= math.exp(min(1, self.c_sigma / self.damping * (length / self.expected - 1)))
        self.sigma = min(self.sigma, 0.5)


class Fit:
    def __init__(self, options, bench, log, ranges, start, fixed):
        self.options, self.bench, self.log = options, bench, log
        self.judge, self.ranges, self.start, self.fixed = Judge(log), ranges, start, fixed

    def measure(self, candidates, dems):
        """Measures what is not in the log yet."""
        sites = [site for site in self.judge.sites if site["dem"] in dems]
        fresh = {key_of(v): v for v in candidates}.values()
        pairs = [(v, s) for v in fresh for s in sites if s["name"] not in self.log.figures(v)]
        found, measured = {}, self.bench.measure(pairs)
        if pairs and not any(measured):
            fail("the bench fails with whatever it is given")
        for (values, site), figures in zip(pairs, measured):
            found.setdefault(key_of(values), (values, {}))[1][site["name"]] = figures
        for values, figures in found.values():
            together = {**self.log.figures(values), **figures}
            score = self.judge.score(together, dems)
            self.log.add({"values": values, "dems": dems, "score": round(score, 5), "figures": figures})

    def distance(self, values):
        return sum((r.position(values[r.name]) - s) ** 2 for r, s in zip(self.ranges, self.start)) / len(self.ranges)

    def search(self, title, dems, penalty=lambda values: 0):
        """Returns the keys of all candidates. The same options always ask for the same ones: a run that was cut off finds them in
        the log up to where it was."""
        options, asked = self.options, {}
        rng = random.Random(f"{options.seed} {title}")
        evolution = Evolution(self.start, options.spread, options.population, rng)
        points = [list(self.start)] + evolution.ask()[1:]
        while True:
            candidates = [values_of(self.ranges, p, self.fixed) for p in points]
            self.measure(candidates, dems)
            scores = [self.judge.score(self.log.figures(v), dems) + penalty(v) for v in candidates]
            asked.update((key_of(v), s) for v, s in zip(candidates, scores))
            order = sorted(range(len(points)), key=scores.__getitem__)
            evolution.tell([points[i] for i in order])
            best = min(asked, key=asked.get)
            say(f"{title}: {len(asked)} tried, best {asked[best]:.4f}, step {evolution.sigma:.3f}, {best}")
            if len(asked) >= options.evaluations:
                break
            if evolution.sigma < 0.01:
                values = json.loads(best)
                mean = [r.position(values[r.name]) for r in self.ranges]
                evolution = Evolution(mean, options.spread / 2, 2 * options.population, rng)
            points = evolution.ask()
        # Where the search has come to: less by chance than the best single sample.
        centre = values_of(self.ranges, evolution.mean, self.fixed)
        self.measure([centre], dems)
        asked[key_of(centre)] = self.judge.score(self.log.figures(centre), dems) + penalty(centre)
        return set(asked)


# ---- Tables ----


def number(value):
    return "-" if value is None else f"{value:.3g}"


def print_verdicts(title, verdicts, judge):
    """A line for each whole terrain; of its parts only how many rows they win on average."""
    print(f"{title}\n{'':20}{'won':>4}{'parts':>7}{'cost':>7}  lost: own (truth; opponent) | limits broken: own (limit)")
    wins = []
    for site in (s for s in judge.sites if s["whole"] and s["name"] in verdicts):
        v = verdicts[site["name"]]
        names = [s["name"] for s in judge.sites if s["dem"] == site["dem"] and not s["whole"]]
        parts = [verdicts[name]["won"] for name in names]
        wins.append(v["won"])
        if v.get("failed"):
            print(f"{site['name']:20}   -  failed")
            continue
        lost = ", ".join(f"{r} {number(l[0])} ({number(l[1])}; {number(l[2])} {l[3]})" for r, l in v["lost"].items())
        broken = ", ".join(f"{n} {number(b[0])} ({number(b[1])})" for n, b in v["limits_broken"].items())
        mean = f"{sum(parts) / len(parts):7.1f}" if parts else f"{'-':>7}"
        print(f"{site['name']:20}{v['won']:4}{mean}{v['cost']:7.3f}  {lost}{' | ' + broken if broken else ''}")
    print(f"mean {sum(wins) / len(wins):.1f}, least {min(wins)} of {len(ROWS)}\n")


def outcome(judge, dems, found):
    score, values, measured = found
    return {"values": values, "score": round(score, 5), "sites": judge.verdicts(measured, dems)}


def leave_one_out(judge, searched=None):
    """For each terrain, the values that are best on the others, held against it. Without `searched`, which has the keys that
    a search without the terrain asked for, they are chosen from the whole log."""
    rows = {}
    for dem in judge.dems:
        others = [d for d in judge.dems if d != dem]
        keys = {k for k, (_, m) in judge.log.tried.items() if all(name in m for name in judge.names([dem]))}
        found = judge.best(others, keys=searched[dem] if searched else keys) if others else None
        if found:
            score, values, measured = found
            rows[dem] = {"values": values, "score_of_others": round(score, 5), "sites": judge.verdicts(measured, [dem])}
    return rows


def print_left_out(judge, rows, how):
    if not rows:
        return
    held = {name: v for row in rows.values() for name, v in row["sites"].items()}
    print_verdicts(f"Each terrain with values that are best on the others ({how})", held, judge)
    for dem, row in rows.items():
        print(f"{dem:20}{row['values']}")
    print()


def print_best_tenth(judge):
    """How well the terrains decide each value: its range over the middle half of the best tenth of candidates."""
    names = judge.names(judge.dems)
    ranked = sorted(
        (judge.score(measured, judge.dems), key_of(values))
        for values, measured in judge.log.tried.values()
        if all(name in measured for name in names)
    )
    best = [json.loads(key) for _, key in ranked[: max(4, len(ranked) // 10)]]
    print(f"Of the best {len(best)} of {len(ranked)}: lower quartile, median, upper quartile")
    for name in best[0] if best else []:
        found = sorted(v[name] for v in best if isinstance(v.get(name), (int, float)))
        if found:
            print(f"{name:20}" + "".join(f"{found[round(q * (len(found) - 1))]:10.4g}" for q in (0.25, 0.5, 0.75)))
    print()


def report(judge, left_out=None):
    """Prints what is best, and returns it for JSON."""
    result = {"dems": judge.dems, "candidates": len(judge.log.tried), "weights": weights()}
    chain = judge.defaults()
    result["defaults"] = {"score": round(judge.score(chain, judge.dems), 5)}
    result["defaults"]["sites"] = judge.verdicts(chain, judge.dems)
    print_verdicts("amplify_chain with its defaults", result["defaults"]["sites"], judge)
    found = judge.best(judge.dems)
    if found:
        result["best"] = outcome(judge, judge.dems, found)
        print_verdicts("The best of all", result["best"]["sites"], judge)
        print(f"score {result['best']['score']} (defaults {result['defaults']['score']}): {found[1]}\n")
        print_best_tenth(judge)
    if left_out:
        how, rows = left_out
        result["leave_one_out"] = {"how": how, "held_out": rows}
        print_left_out(judge, rows, how)
    return result


def weights():
    names = ("MARGIN", "SOFTNESS", "TAIL", "SAFETY", "LIMITS", "WORST", "PARTS", "PULL")
    return {name.lower(): globals()[name] for name in names}


# ---- All ----


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--bench", help="orograph-bench")
    add("--dems", nargs="+", default=[], metavar="A.png", help="real terrains")
    add("--low", default="0", metavar="M,...", help="elevation of the smallest value of each (0)")
    add("--high", metavar="M,...", help="elevation of the largest value of each")
    add("--cell", metavar="M,...", help="width of the cells of each")
    add("--factor", default="8", metavar="N,...", help="how far each is reduced (8)")
    add("--tiles", type=int, default=1, metavar="N", help="each terrain also in N x N pieces")
    add("--coarser", action="store_true", help="each terrain also with cells twice as wide")
    add("--params", default=PARAMS, metavar="NAME=LOW:HIGH,...", help="inputs that are searched")
    add("--start", default="", metavar="NAME=VALUE,...", help="where to begin; inputs that are not searched are set to it. "
        "FILE.json: the best of an earlier fit; middle: of the ranges. Without it, the defaults")
    add("--evaluations", type=int, default=400, metavar="N", help="sets of values that a search tries (400)")
    add("--population", type=int, default=16, metavar="N", help="sets that are tried at once (16)")
    add("--spread", type=float, default=0.2, metavar="X", help="first step, as a share of the ranges (0.2)")
    add("--seed", type=int, default=1, metavar="N", help="of the search (1)")
    add("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes at once")
    add("--device", metavar="N,...", help="as orograph-bench has it; processes take turns with several")
    add("--leave-one-out", nargs="?", const="log", choices=("log", "search"), help="for each terrain, what is best on the "
        "others: chosen from the log, or by a search of its own without the terrain")
    add("--preset", action="append", default=[], metavar="NAME=DEM,...", help="fits to these terrains alone, pulled towards "
        "the start; several times for several")
    add("--log", type=pathlib.Path, metavar="FILE", help="all that is measured (the name of --out, with .log)")
    add("--out", type=pathlib.Path, metavar="FILE.json", help="the result")
    add("--report", type=pathlib.Path, metavar="LOG", help="measures nothing: only the tables of a log")
    options = parser.parse_args()
    if not options.report and not (options.bench and options.dems and options.high and options.cell and options.out):
        parser.error("--bench, --dems, --high, --cell and --out are needed, or --report")
    if options.jobs < 1 or options.population < 4 or options.tiles < 1:
        parser.error("--jobs and --tiles begin at 1, --population at 4")
    return options


def read_presets(options, judge):
    presets = {}
    for text in options.preset:
        name, _, dems = text.partition("=")
        presets[name] = dems.split(",")
        unknown = set(presets[name]) - set(judge.dems)
        if unknown or not dems:
            fail(f"--preset {text}: the terrains are {', '.join(judge.dems)}")
    return presets


def measure_opponents(bench, log):
    missing = [site for site in log.head["sites"] if site["name"] not in log.ways]
    for site, ways in zip(missing, bench.run_all([(bench.call, site, []) for site in missing])):
        if not ways:
            fail(f"cannot measure {site['name']}")
        log.add({"site": site["name"], "ways": ways})


def fit_presets(fit, presets):
    """Each on its own terrains, near to the start."""
    results, like = {}, values_of(fit.ranges, fit.start, fit.fixed)

    def pull(values):
        return PULL * fit.distance(values)

    for name, dems in presets.items():
        fit.search(f"preset {name}", dems, pull)
        same = {k for k, (v, _) in fit.log.tried.items() if v.keys() == like.keys() and fit.fixed.items() <= v.items()}
        results[name] = outcome(fit.judge, dems, fit.judge.best(dems, pull, same))
        print_verdicts(f"Preset {name}: {results[name]['values']}", results[name]["sites"], fit.judge)
    return results


def run(options, folder):
    ranges = [Range(text, read_defaults()) for text in options.params.split(",")]
    start, fixed = read_start(options.start, ranges)
    log = Log(options.log or options.out.with_suffix(".log"))
    digest = hashlib.sha256(pathlib.Path(options.bench).read_bytes()).hexdigest()[:16]
    sites = find_sites(options, folder)
    log.begin({"bench": digest, "sites": sites})
    log.head["sites"] = sites  # the files of tiles are where this run has written them
    bench = Bench(options.bench, options.jobs, folder, options.device)
    measure_opponents(bench, log)
    fit = Fit(options, bench, log, ranges, start, fixed)
    presets, judge, left_out = read_presets(options, fit.judge), fit.judge, None
    if presets:
        return {"presets": fit_presets(fit, presets)}
    fit.search("all", judge.dems)
    if options.leave_one_out == "log":
        left_out = "chosen from the log", leave_one_out(judge)
    elif options.leave_one_out:
        searched = {}
        for dem in judge.dems:
            others = [d for d in judge.dems if d != dem]
            searched[dem] = fit.search(f"without {dem}", others)
            fit.measure([judge.best(others, keys=searched[dem])[1]], [dem])
        left_out = "found without it", leave_one_out(judge, searched)
    return report(judge, left_out)


def main():
    options = read_options()
    if options.report:
        log = Log(options.report)
        if not log.head or any(site["name"] not in log.ways for site in log.head["sites"]):
            fail(f"'{options.report}' has no figures of the opponents")
        judge = Judge(log)
        result = report(judge, ("chosen from the log", leave_one_out(judge)))
    else:
        with tempfile.TemporaryDirectory(prefix="orograph-fit-") as folder:
            result = run(options, pathlib.Path(folder))
    if options.out:
        options.out.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
