#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_band_ranks.py PARSEVAL [LAUNCHER ... RANKS]: what the plan of `parseval dft` says of ranks that share bands, and
that they change no energy."""
import json
import pathlib
import sys
import tempfile

from checks import LAUNCHER, Command, expect, failures

RANKS = int(LAUNCHER[-1]) if LAUNCHER else 1
POSCAR = "hydrogen\n1.0\n10 0 0\n0 10 0\n0 0 10\nH\n2\nCartesian\n0 0 0\n0 0 0.74\n"
INCAR = "ENCUT = 150\nISMEAR = 0\nSIGMA = 0.05\nEDIFF = 1E-9\nISTART = 0\nLCHARG = F\n"
SHARED = f"1 at a time, each by {RANKS} ranks (NCORE = {RANKS}, NPAR = 1)"
WHOLE = f"{RANKS} at a time, each by 1 rank (NCORE = 1, NPAR = {RANKS})"
CHOSEN = f"{SHARED}, chosen: a group has {RANKS} ranks for transforms of 1 pair of bands"
# Tags, what the plan says of bands, the warning.
CASES = [
    ("NBANDS = 2", CHOSEN if RANKS > 1 else None, None),
    (f"NBANDS = {2 * RANKS}", None, None),
    ("NBANDS = 2; NCORE = 1", f"{WHOLE}, as given", None),
    (f"NBANDS = 8; NCORE = {RANKS}", f"{SHARED}, as given" if RANKS > 1 else f"{WHOLE}, as given", None),
    (f"NBANDS = 8; NCORE = {RANKS}; NPAR = {RANKS}", f"{WHOLE}, as given", None),
    ("NBANDS = 8; NCORE = 100", f"{SHARED if RANKS > 1 else WHOLE}, NCORE = 100 asked for",
     f"NCORE = 100 for the {RANKS} rank"),
]

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    command = Command("dft", folder=folder)
    energies = []
    (folder / "POSCAR").write_text(POSCAR)
    (folder / "KPOINTS").write_text("mesh\n0\nGamma\n1 1 1\n")
    for tags, bands, warning in CASES:
        (folder / "INCAR").write_text(f"{INCAR}{tags}\n")
        result = command.run("{folder}")
        told = [line.split(None, 1)[1] for line in result.stdout.splitlines() if line.startswith("bands  ")]
        expect(result.returncode == 0 and told == ([bands] if bands else []), f"{tags}: bands {bands}", result)
        expect(("NCORE" in result.stderr) == bool(warning) and (warning or "") in result.stderr, f"{tags}: {warning}",
               result)
        energies.append(json.loads((folder / "results.json").read_text())["energy_ha"])
    expect(max(energies) - min(energies) < 2e-9, f"one energy, not {energies}")

sys.exit(1 if failures else 0)
