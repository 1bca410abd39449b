"""bench/fit.py with a bench whose best values are known."""

import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import fit_ground  # noqa: E402
import fit_score  # noqa: E402

# Says what orograph-bench would. The chain is the truth at roughness .6, strength .2 and 9 rounds, on hills at
# roughness .4; it fails where roughness is above .95. Each call leaves a mark.
BENCH = """#!{python} -IS
import json, math, pathlib, re, sys
words = sys.argv[1:]
after = lambda name: [words[i + 1] for i, w in enumerate(words) if w == name]
pathlib.Path({marks!r}).open("a").write(" ".join(after("--with")) + "\\n")
rows = {rows!r}
truth = dict.fromkeys(rows, 1.0)
truth.update(border=1.0, anisotropy8=0.001, low_pass_rmse=1.0, trench_cells=10, longest_trench=3)
def way(off):
    return {{k: v + off if k in rows else v for k, v in truth.items()}}
def chain(roughness, strength, rounds):
    best = 0.4 if "hills" in after("--dems")[0] else 0.6
    if roughness > 0.95:
        sys.exit("orograph-bench: too rough")
    return way(2 * abs(roughness - best) + abs(math.log(strength / 0.2)) + 0.1 * abs(rounds - 9))
ways = {{"truth": truth}}
if not after("--only"):
    ways.update({{n: way(1.0) for n in {opponents!r}}}, amplify_chain=chain(0.3, 0.3, 6))
for path in after("--with"):
    text = pathlib.Path(path).read_text()
    assert '"levels" value="2; 2"' in text
    number = lambda name: float(re.search('"%s" value="([^"]*)"' % name, text)[1])
    ways[pathlib.Path(path).stem] = chain(number("roughness"), number("strength"), number("rounds"))
print(json.dumps({{"realism": [{{"ways": ways}}]}}))
"""


def filtered(rows):
    """The lines of a 16-bit PNG, each with the next of the five filters."""
    raw, above = b"", bytes(2 * len(rows[0]))
    for y, row in enumerate(rows):
        line, kind = struct.pack(f">{len(row)}H", *row), y % 5
        raw += bytes([kind])
        for i, value in enumerate(line):
            left, up, corner = (line[i - 2], above[i], above[i - 2]) if i > 1 else (0, above[i], 0)
            paeth = min((left, up, corner), key=lambda n: abs(left + up - corner - n))
            raw += bytes([(value - (0, left, up, (left + up) // 2, paeth)[kind]) & 255])
        above = line
    return raw


class TestFit(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = pathlib.Path(self.holder.name)
        self.marks = self.folder / "marks"
        bench = self.folder / "bench"
        names = {"rows": list(fit_score.ROWS), "opponents": fit_score.OPPONENTS}
        bench.write_text(BENCH.format(python=sys.executable, marks=str(self.marks), **names))
        bench.chmod(0o755)
        for name in ("hills", "alps", "andes"):
            fit_ground.write_png(self.folder / f"{name}.png", [[x * y for x in range(200)] for y in range(200)])

    def fit(self, *words, ok=True):
        dems = [str(self.folder / f"{name}.png") for name in ("hills", "alps", "andes")]
        command = [sys.executable, ROOT / "bench" / "fit.py", "--bench", self.folder / "bench", "--dems", *dems]
        command += ["--high", "1000", "--cell", "90", "--factor", "4", "--jobs", "1", "--population", "8"]
        if "--start" not in words:
            command += ["--start", "roughness=.3,strength=.3,rounds=6"]
        command += ["--params", "roughness=.1:1,strength=.05:.8,rounds=2:12", "--out", self.folder / "fit.json", *words]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode == 0, ok, done.stderr)
        return json.loads((self.folder / "fit.json").read_text()) if ok else done.stderr

    def calls(self):
        return len(self.marks.read_text().splitlines())

    def test_finds_the_best_values_and_goes_on_from_its_log(self):
        result = self.fit("--evaluations", "64", "--leave-one-out")
        values = result["best"]["values"]
        # Between that of the hills and that of the mountains.
        self.assertTrue(0.38 < values["roughness"] < 0.62, values)
        self.assertAlmostEqual(values["strength"], 0.2, delta=0.04)
        self.assertLessEqual(abs(values["rounds"] - 9), 2)
        self.assertLess(result["best"]["score"], result["defaults"]["score"])
        self.assertEqual(result["best"]["sites"]["alps"]["won"], len(fit_score.ROWS))
        # Hills are held against what is best on mountains.
        held_out = result["leave_one_out"]["held_out"]["hills"]
        self.assertGreater(held_out["values"]["roughness"], values["roughness"])
        self.assertGreater(held_out["sites"]["hills"]["cost"], result["best"]["sites"]["hills"]["cost"])

        before = self.calls()
        again = self.fit("--evaluations", "64", "--leave-one-out")
        self.assertEqual(self.calls(), before)
        self.assertEqual(again, result)

        # Half of the log, its last line cut off: the rest is measured again, and comes out the same.
        log = self.folder / "fit.log"
        text = log.read_text()
        log.write_text(text[: len(text) // 2])
        self.assertEqual(self.fit("--evaluations", "64", "--leave-one-out")["best"], result["best"])

    def test_another_bench_needs_another_log(self):
        self.fit("--evaluations", "8")
        with (self.folder / "bench").open("a") as file:
            file.write("# changed\n")
        self.assertIn("--log", self.fit("--evaluations", "8", ok=False))

    def test_a_search_without_a_terrain_does_not_see_it(self):
        result = self.fit("--evaluations", "16", "--leave-one-out", "search", "--start", "middle")
        with (self.folder / "fit.log").open() as file:
            records = [json.loads(line) for line in file]
        without = [r for r in records if r.get("dems") == ["alps", "andes"]]
        self.assertTrue(without)
        self.assertTrue(all(set(r["figures"]) <= {"alps", "andes"} for r in without))
        self.assertEqual(result["leave_one_out"]["how"], "found without it")
        self.assertEqual(set(result["leave_one_out"]["held_out"]), {"hills", "alps", "andes"})

    def test_presets_stay_near_the_start(self):
        start = "roughness=.6,strength=.2,rounds=9"
        presets = "--preset", "old=hills", "--preset", "young=alps,andes"
        result = self.fit("--evaluations", "40", "--start", start, *presets)
        old, young = (result["presets"][name]["values"] for name in ("old", "young"))
        self.assertAlmostEqual(old["roughness"], 0.4, delta=0.08)
        self.assertAlmostEqual(young["roughness"], 0.6, delta=0.03)
        off = math.log10(old["roughness"] / 0.6), math.log(old["strength"] / 0.2, 16), (old["rounds"] - 9) / 10
        pull = fit_score.PULL * sum(x * x for x in off)
        cost = result["presets"]["old"]["sites"]["hills"]["cost"]
        self.assertGreater(pull, 0.003)
        self.assertAlmostEqual(result["presets"]["old"]["score"], (1 + fit_score.WORST) * cost + pull, delta=0.0003)

    def test_tiles_and_coarser_copies_are_measured_with_their_cells(self):
        result = self.fit("--evaluations", "8", "--tiles", "2", "--coarser")
        sites = {"alps", "alps-00", "alps-01", "alps-10", "alps-11", "alps-coarser"}
        self.assertEqual({name for name in result["best"]["sites"] if name.startswith("alps")}, sites)

    def test_turned_copies_cost_the_same(self):
        result = self.fit("--evaluations", "8", "--turned")
        costs = result["best"]["turned"]["alps"]
        self.assertEqual(set(costs), {"alps", "alps-mirrored", "alps-turned"})
        self.assertEqual(len(set(costs.values())), 1)

    def test_copies_are_turned_by_coarse_cells(self):
        rows = [[10 * y + x for x in range(7)] for y in range(5)]
        copies = dict(fit_ground.turned_copies(rows, 2))
        self.assertEqual(copies["mirrored"][0], [5, 4, 3, 2, 1, 0])
        self.assertEqual(copies["turned"][0], [30, 20, 10, 0])
        self.assertEqual((len(copies["turned"]), len(copies["mirrored"])), (6, 4))

    def test_rows_are_those_of_the_table(self):
        text = (ROOT / "bench" / "realism_table.c").read_text()
        found = re.findall(r'^    \{"[^"]*", "(\w+)", (\d), \w+, true\}', text, re.M)
        self.assertEqual({name: int(digits) for name, digits in found}, fit_score.ROWS)
        ways = (ROOT / "bench" / "realism_ways.c").read_text()
        self.assertEqual(re.findall(r'\{"(\w+)", add_', ways), [*fit_score.OPPONENTS, "amplify_chain"])

    def test_reads_the_png_it_writes_and_all_filters(self):
        # The lower half has few values, so that filters meet equal neighbours.
        rows = [tuple((x * 7919 + y * 104729) % (65536 if y < 10 else 3) for x in range(40)) for y in range(20)]
        path = self.folder / "x.png"
        fit_ground.write_png(path, rows)
        self.assertEqual(fit_ground.read_png(path), rows)
        plain, packed = zlib.compress(b"".join(b"\0" + struct.pack(">40H", *r) for r in rows), 6), filtered(rows)
        data, packed = path.read_bytes(), zlib.compress(packed)
        data = data.replace(struct.pack(">I", len(plain)) + b"IDAT", struct.pack(">I", len(packed)) + b"IDAT")
        path.write_bytes(data.replace(plain, packed))
        self.assertEqual(fit_ground.read_png(path), rows)
        self.assertEqual(fit_ground.halve([[1, 3, 9], [5, 7, 9], [9, 9, 9]]), [[4]])

    def test_a_row_is_lost_as_the_table_prints_it(self):
        truth = dict.fromkeys(fit_score.ROWS, 1.0)
        ways = {name: dict.fromkeys(fit_score.ROWS, 1.1) for name in fit_score.OPPONENTS}
        ways["truth"] = truth
        # Metres are printed with one digit: 1.14 and 1.1 look the same.
        own = dict(truth, river_offset=1.14, patchiness=1.14, straight=None)
        self.assertEqual(set(fit_score.rows_lost(own, ways)), {"patchiness", "straight"})

    def test_ground_without_channels_has_a_score(self):
        rims = {"border": 1.0, "anisotropy8": 0.001, "low_pass_rmse": 1.0, "trench_cells": 0, "longest_trench": 0}
        ways = {name: {**dict.fromkeys(fit_score.ROWS, 1.1), **rims} for name in ("truth", *fit_score.OPPONENTS)}
        best = fit_score.site_cost(ways["truth"], ways)
        missing = dict.fromkeys(("straight", "river_offset", "junction_distance", "border"))
        worse = fit_score.site_cost({**ways["truth"], **missing}, ways)
        self.assertGreater(worse, best + 0.2)
        for way in ways.values():
            way.update(missing)
        self.assertLess(fit_score.site_cost(ways["truth"], ways), 1)
        # Who alone has a figure wins the row by far.
        ways["truth"]["junction_distance"] = 1.0
        alone = fit_score.site_cost(dict(ways["truth"]), ways)
        self.assertLess(alone, fit_score.site_cost({**ways["truth"], "junction_distance": None}, ways) - 0.06)


if __name__ == "__main__":
    unittest.main()
