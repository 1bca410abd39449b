#!/usr/bin/env python3
"""A model of how long a graph takes on many devices, fed by what reports count (docs/scale.md).

    scale_model.py ONE.json TWO.json [--exchanges N] [--per-host G]

ONE is the report of `orograph render` in tiles on one device, TWO that of `orograph-mpi` on two devices of one host, with twice
as many cells and tiles of the same size. Prints the terms, what they predict for two devices beside what was measured, and the
model for more, with as many cells for each.

A run takes, on d devices, G of them on a host:
    compute        what one device takes, less the terms below
    memory   x G   first use of device memory, which the driver of a host gives to one device after another
    joining  x d   at the root of drainage: for each exchange and each cell of the rims of all tiles
    bytes          that a device sends, over BANDWIDTH
    messages       that it sends, times LATENCY, and a vote of all ranks for each chain, times LATENCY x log2 d
"""
import argparse
import json
import math

BANDWIDTH = 4e9  # bytes a second between two processes, through host memory: measured with parts of 1 to 64 MB
LATENCY = 30e-6  # seconds
JOINING = 0.1e-6  # seconds for a cell of a rim and an exchange at the root


def read(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


def seconds_of(report):
    return sum(step["seconds"] for step in report["steps"])


def digest_bytes(report):
    """What ranks send only so that the report has digests: all tiles that are not the first rank's."""
    ranks = report["ranks"]["count"] if report.get("ranks") else 1
    cells = sum(s["width"] * s["height"] for s in report["steps"] if s["digest"] and s["width"] * s["height"] > 2**24)
    return 4 * cells * (ranks - 1) / ranks


def rim_cells(report, tile):
    step = max(report["steps"], key=lambda s: s["width"] * s["height"])
    return 4 * tile * math.ceil(step["width"] / tile) * math.ceil(step["height"] / tile)


class Model:
    def __init__(self, one, two, exchanges, tile):
        self.total = seconds_of(one)
        self.memory = one["spread"]["store_seconds"]
        self.joining = exchanges * JOINING * rim_cells(one, tile)
        self.bytes = max(two["ranks"]["bytes_sent"] - digest_bytes(two), 0) / 2
        self.messages = two["ranks"]["messages_sent"] / 2
        self.votes = two["spread"]["chains"] + 4 * exchanges
        self.compute = self.total - self.memory - self.joining

    def seconds(self, devices, per_host):
        moved = self.bytes / BANDWIDTH + self.messages * LATENCY + self.votes * LATENCY * math.log2(devices)
        return self.compute + self.memory * min(devices, per_host) + self.joining * devices + (moved if devices > 1 else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("one")
    parser.add_argument("two")
    parser.add_argument("--exchanges", type=int, default=0, help="of drainage: 5 for a breach with a gradient, 2 for areas")
    parser.add_argument("--tile", type=int, default=8192)
    parser.add_argument("--per-host", type=int, default=8)
    arguments = parser.parse_args()
    one, two = read(arguments.one), read(arguments.two)
    model = Model(one, two, arguments.exchanges, arguments.tile)
    print(f"compute {model.compute:.2f} s, memory {model.memory:.2f} s, joining {model.joining:.2f} s, "
          f"{model.bytes / 1e6:.0f} MB and {model.messages:.0f} messages of each of two devices")
    predicted, measured = model.seconds(2, 2), seconds_of(two)
    print(f"two devices: {predicted:.2f} s by the model, {measured:.2f} s measured ({100 * (predicted / measured - 1):+.0f} %)")
    for devices in (1, 2, 4, 8, 16, 32, 64):
        seconds = model.seconds(devices, arguments.per_host)
        print(f"{devices:3d} devices (model): {seconds:6.2f} s, efficiency {model.total / seconds:.2f}")


if __name__ == "__main__":
    main()
