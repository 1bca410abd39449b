"""Candidates of bench/fit.py are measured by orograph-bench, and kept in a log."""

import concurrent.futures
import contextlib
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from fit_ground import fail

WITH_MAX = 16  # graphs that the bench takes in one call


def say(message):
    print(message, file=sys.stderr, flush=True)


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
        '  <node id="chain" type="amplify_chain" version="1">\n'
        f'    <in name="terrain" from="dem.terrain"/>\n{lines}  </node>\n</orograph>\n'
    )


class Bench:
    def __init__(self, path, jobs, folder, devices):
        self.path, self.jobs, self.folder = path, jobs, folder
        self.devices = itertools.cycle([["--device", n] for n in devices.split(",")] if devices else [[]])
        self.environment = dict(os.environ)
        # Mesa's software driver takes all processors for each process.
        self.environment.setdefault("LP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // jobs)))

    def call(self, site, words):
        """The figures of all ways on a terrain, or None."""
        command = [self.path, "realism", "--json", *next(self.devices), "--dems", site["file"]]
        for name in ("low", "high", "cell", "factor"):
            command += [f"--{name}", str(site[name])]
        command += words
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


def key_of(values):
    return json.dumps(values, sort_keys=True)


class Log:
    """All that was measured, a line of JSON for each set of values: a run that was cut off goes on where it was."""

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
