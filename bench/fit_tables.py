"""What bench/fit.py has to say about its log."""

import json

import fit_score
from fit_bench import key_of
from fit_score import ROWS


def number(value):
    return "-" if value is None else f"{value:.3g}"


def print_verdicts(title, verdicts, judge):
    """A line for each whole terrain; of its parts only how many rows they win on average."""
    print(title)
    print(f"{'':20}{'won':>4}{'parts':>7}{'cost':>7}  lost: own (truth; opponent) | limits broken: own (limit)")
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
    """For each terrain, the values that are best on the others, held against it. `searched` has, for each terrain, the
    keys that a search without it asked for; if it is missing, the values are chosen from the whole log."""
    rows = {}
    for dem in judge.dems:
        others = [d for d in judge.dems if d != dem]
        keys = {k for k, (_, m) in judge.log.tried.items() if all(name in m for name in judge.names([dem]))}
        found = judge.best(others, keys=searched[dem] if searched else keys) if others else None
        if found:
            score, values, measured = found
            rows[dem] = {"values": values, "score_of_others": round(score, 5)}
            rows[dem]["sites"] = judge.verdicts(measured, [dem])
    return rows


def print_left_out(judge, rows, how):
    if not rows:
        return
    held = {name: v for row in rows.values() for name, v in row["sites"].items()}
    print_verdicts(f"Each terrain with values that are best on the others ({how})", held, judge)
    for dem, row in rows.items():
        print(f"{dem:20}{row['values']}")
    print()


def print_turned(judge, measured):
    """Whether a terrain scores as its mirrored and turned copies do: what differs is chance, or the grid's doing."""
    costs = judge.turned(measured)
    if costs:
        print("Cost of each terrain, mirrored and turned")
        for dem, of in costs.items():
            print(f"{dem:20}" + "".join(f"{cost:8.3f}" for cost in of.values()))
        print(f"apart by {max(max(of.values()) - min(of.values()) for of in costs.values()):.3f} at most\n")
    return costs


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
    result["defaults"]["turned"] = print_turned(judge, chain)
    found = judge.best(judge.dems)
    if found:
        result["best"] = outcome(judge, judge.dems, found)
        print_verdicts("The best of all", result["best"]["sites"], judge)
        result["best"]["turned"] = print_turned(judge, found[2])
        print(f"score {result['best']['score']} (defaults {result['defaults']['score']}): {found[1]}\n")
        print_best_tenth(judge)
    if left_out:
        how, rows = left_out
        result["leave_one_out"] = {"how": how, "held_out": rows}
        print_left_out(judge, rows, how)
    return result


def weights():
    names = ("MARGIN", "SOFTNESS", "TAIL", "SAFETY", "LIMITS", "WORST", "PARTS", "PULL")
    return {name.lower(): getattr(fit_score, name) for name in names}
