"""How bench/fit.py looks for better values."""

import json
import math
import pathlib
import re

from fit_ground import fail

# ---- What is searched ----

PARAMS = (
    "detail=.5:2,roughness=.05:1.5,smoothness=0:1,iterations=20:150,rounds=2:12,strength=.03:.8,variation=.05:1,"
    "thermal_iterations=2:80,repose=30:60,repose_variation=0:15,variation_size=100:2000"
)


def read_defaults():
    """The number inputs of amplify_chain in docs/nodes.md: name -> (default, whole)."""
    text = (pathlib.Path(__file__).resolve().parent.parent / "docs" / "nodes.md").read_text()
    section = text.split("### amplify_chain\n", 1)[1].split("\n### ", 1)[0]
    found = re.findall(r"^\| `(\w+)` \| (int|float)[^|]*\| `([^`]+)` \|", section, re.M)
    return {name: (float(default), kind == "int") for name, kind, default in found}


class Range:
    """An input that is searched. Positions are 0..1, on a logarithmic scale where `high` is 4 `low` or more."""

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


# ---- Evolution ----


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
    """CMA-ES (Hansen 2016, "The CMA Evolution Strategy: A Tutorial") in the unit cube, with a Cholesky factor in the
    place of the root. Samples are cut off at the cube's sides, and learned from as they were evaluated."""

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
