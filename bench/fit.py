#!/usr/bin/env python3
"""Fits inputs of amplify_chain to real terrain, with what `orograph-bench realism` measures.

docs/realism.md, "How the defaults were found", says how it goes and what it proves. Needs nothing but Python 3.
"""

import argparse
import hashlib
import json
import math
import os
import pathlib
import random
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the source tree stays clean

from fit_bench import Bench, Log, key_of, say
from fit_ground import fail, find_sites
from fit_score import PULL, Judge
from fit_search import PARAMS, Evolution, Range, read_defaults, read_start, values_of
from fit_tables import leave_one_out, outcome, print_verdicts, report

# ---- Search ----


class Fit:
    def __init__(self, options, bench, log, ranges, start, fixed):
        self.options, self.bench, self.log = options, bench, log
        self.judge, self.ranges, self.start, self.fixed = Judge(log), ranges, start, fixed
        self.end = time.monotonic() + 60 * options.minutes

    def measure(self, candidates, dems):
        """Measures what is not in the log yet."""
        sites = [site for site in self.judge.sites if site["dem"] in dems]
        fresh = {key_of(v): v for v in candidates}.values()
        pairs = [(v, s) for v in fresh for s in sites if s["name"] not in self.log.figures(v)]
        found, measured = {}, self.bench.measure(pairs)
        if pairs and not any(measured) and not any(figures for _, figures in self.log.tried.values()):
            fail("the bench fails with whatever it is given")
        for (values, site), figures in zip(pairs, measured):
            found.setdefault(key_of(values), (values, {}))[1][site["name"]] = figures
        for values, figures in found.values():
            together = {**self.log.figures(values), **figures}
            score = self.judge.score(together, dems)
            self.log.add({"values": values, "dems": dems, "score": round(score, 5), "figures": figures})

    def distance(self, values):
        """Of the start, squared, in widths of the ranges."""
        return sum((r.position(values[r.name]) - s) ** 2 for r, s in zip(self.ranges, self.start))

    def search(self, title, dems, penalty=lambda values: 0):
        """Returns the keys of all candidates. The same options always ask for the same ones: after a run that was
        cut off, they are in the log up to where it was."""
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
            if len(asked) >= options.evaluations or time.monotonic() > self.end:
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
    add("--turned", action="store_true", help="each terrain also mirrored, and turned by a quarter")
    add("--params", default=PARAMS, metavar="NAME=LOW:HIGH,...", help="inputs that are searched")
    add("--start", default="", metavar="NAME=VALUE,...", help="where to begin; inputs that are not searched are set to "
        "it. FILE.json: the best of an earlier fit; middle: of the ranges. Without it, the defaults")
    add("--evaluations", type=int, default=400, metavar="N", help="sets of values that a search tries (400)")
    add("--minutes", type=float, default=math.inf, metavar="N", help="after these, searches end with what they have; a "
        "run with the same log goes on")
    add("--population", type=int, default=16, metavar="N", help="sets that are tried at once (16)")
    add("--spread", type=float, default=0.2, metavar="X", help="first step, as a share of the ranges (0.2)")
    add("--seed", type=int, default=1, metavar="N", help="of the search (1)")
    add("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes at once")
    add("--device", metavar="N,...", help="as orograph-bench has it; processes take turns with several")
    add("--leave-one-out", nargs="?", const="log", choices=("log", "search"), help="for each terrain, what is best on "
        "the others: chosen from the log, or by a search of its own without the terrain")
    add("--preset", action="append", default=[], metavar="NAME=DEM,...", help="fits to these terrains alone, pulled "
        "towards the start; several times for several")
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
        tried = [values for values, _ in fit.log.tried.values()]
        same = {key_of(v) for v in tried if v.keys() == like.keys() and fit.fixed.items() <= v.items()}
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
