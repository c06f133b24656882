"""A decoder to which mishaps befall: the process that decodes, with a function put in the place of the real one."""

from __future__ import annotations

import sys

from vision import apart

# What befalls a decoder, by the first word of the "photo" that it gets.
MISHAPS = """
import ctypes, faulthandler, os, sys, time
sys.path.insert(0, sys.argv[1])
from vision import decoder

def planned(data, longest, *, coarse, real=decoder.planned):
    if data[2:6] == b"\\xff\\xfe\\0\\x0a":  # a JPEG that has it in a comment
        mishap, photo = data[6:14].strip(), data
    else:
        mishap, _, photo = (b"", b"", data) if data.startswith(b"\\xff") else data.partition(b" ")
    if mishap == b"abort":
        os.abort()
    if mishap == b"segfault":
        ctypes.string_at(0)
    if mishap == b"exit":
        os._exit(0)
    if mishap == b"hang":
        time.sleep(600)
    if mishap == b"spin":
        while True:
            pass
    if mishap == b"eat":
        eaten = []
        while True:
            eaten.append(b"x" * 2**24)
    if mishap == b"raise":
        raise RuntimeError
    plan, bands = real(photo, longest, coarse=coarse)
    if mishap == b"midway":
        return plan, midway(bands)
    if mishap == b"much":
        return plan, (band for band in [*bands] * 2)
    return plan, bands

def midway(bands):
    yield next(bands)[:1]
    os.abort()

decoder.planned = planned
decoder.main()
"""
CLUMSY = (sys.executable, "-P", "-c", MISHAPS, apart.COMMAND[-1])
