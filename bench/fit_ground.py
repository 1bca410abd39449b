"""The ground that bench/fit.py measures candidates on: terrains, and pieces of them."""

import hashlib
import pathlib
import struct
import sys
import zlib

LEAST_SIDE = 24  # coarse cells; smaller tiles are hardly more than their borders


def fail(message):
    sys.exit(f"fit.py: {message}")


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


def turned_copies(rows, factor):
    """What should score as the terrain does. Coarse cells stay whole, as what fills none is cut off before."""
    width, height = len(rows[0]) // factor * factor, len(rows) // factor * factor
    rows = [row[:width] for row in rows[:height]]
    yield "mirrored", [row[::-1] for row in rows]
    yield "turned", [list(column)[::-1] for column in zip(*rows)]


def per_dem(text, count, name):
    """Numbers with commas between; the last serves for the terrains that have none."""
    try:
        numbers = [float(word) for word in text.split(",")]
    except ValueError:
        fail(f"--{name} should be numbers with commas between")
    return (numbers + numbers[-1:] * count)[:count]


def find_sites(options, folder):
    """All pieces of ground that candidates are measured on: each DEM as a whole, then its tiles and its coarser,
    mirrored and turned copies."""
    count, sites = len(options.dems), []
    columns = [per_dem(getattr(options, name), count, name) for name in ("low", "high", "cell", "factor")]
    for path, low, high, cell, factor in zip(options.dems, *columns):
        dem, factor = pathlib.Path(path).stem, int(factor)
        digest = hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()[:16]
        common = {"dem": dem, "low": low, "high": high, "factor": factor, "digest": digest}
        sites.append({**common, "name": dem, "file": str(path), "cell": cell, "whole": True})
        pieces = []
        if options.tiles > 1 or options.coarser or options.turned:
            rows = read_png(path)
        if options.tiles > 1:
            pieces += [(name, piece, cell) for name, piece in tiles_of(rows, options.tiles, factor)]
        if options.coarser and min(len(rows), len(rows[0])) >= 2 * LEAST_SIDE * factor:
            pieces.append(("coarser", halve(rows), 2 * cell))
        copies = list(turned_copies(rows, factor)) if options.turned else []
        pieces += [(name, copy, cell) for name, copy in copies]
        for name, piece, piece_cell in pieces:
            file = folder / f"{dem}-{name}.png"
            write_png(file, piece)
            sites.append({**common, "name": file.stem, "file": str(file), "cell": piece_cell, "whole": False})
            if name in dict(copies):
                sites[-1]["turned"] = True
    names = [site["name"] for site in sites]
    if len(set(names)) != len(names):
        fail("two terrains have the same name")
    return sites
