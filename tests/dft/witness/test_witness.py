#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_witness.py FOLDER PARSEVAL: `parseval dft` on every case in the folder against what another code found
(expected.json, by make_expected). Cases on the potentials in $PARSEVAL_PSEUDO are skipped without it."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER, PROGRAM = pathlib.Path(__file__).resolve().parent / sys.argv[1], sys.argv[2]
PSEUDO = os.environ.get("PARSEVAL_PSEUDO")
# Ha an atom, eV, eV/Angstrom, kbar; the first two without and with exact exchange, whose grids differ.
ENERGY, EIGENVALUE, FORCE, STRESS = (1e-6, 3e-6), (3e-4, 5e-4), 1e-4, 0.05


def needs_pseudo(case):
    return (case / "pw.in").exists() and re.search(r"\d\d_\S+\.upf", (case / "pw.in").read_text())


def largest(computed, expected):
    return max(abs(x - y) for a, b in zip(computed, expected, strict=True) for x, y in zip(a, b, strict=True))


def without_mean(rows):
    mean = [sum(column) / len(rows) for column in zip(*rows)]
    return [[x - m for x, m in zip(row, mean)] for row in rows]


# The nearest point to each of the witness's, which orders its k-points by itself; the top bands of a code need not be
# converged.
def largest_of_bands(computed, expected):
    points = [point for spin in computed for point in spin]
    worst = 0.0
    for bands in expected:
        n = max(1, len(bands) - 2)
        worst = max(worst, min(max(abs(x - y) for x, y in zip(point[:n], bands[:n])) for point in points))
    return worst


def compare(case, computed):
    expected = json.loads((case / "expected.json").read_text())
    hybrid = re.search(r"^ *LHFCALC *= *\.?T", (case / "INCAR").read_text(), re.M) is not None
    forces = expected["forces_ev_angstrom"]
    bands = largest_of_bands(computed["eigenvalues_ev"], expected["eigenvalues_ev"])
    found = [("energy", abs(computed["energy_ha"] - expected["energy_ha"]) / len(forces), ENERGY[hybrid], "Ha/atom"),
             ("bands", bands, EIGENVALUE[hybrid], "eV"),
             ("forces", largest(without_mean(computed["forces_ev_angstrom"]), without_mean(forces)), FORCE, "eV/A")]
    if expected.get("stress_kbar") and computed.get("stress_kbar"):
        found.append(("stress", largest(computed["stress_kbar"], expected["stress_kbar"]), STRESS, "kbar"))
    wrong = [name for name, value, limit, _ in found if not value <= limit]
    wrong += [] if computed["converged"] else ["convergence"]
    said = ", ".join(f"{name} {value:.1e} {unit}" for name, value, _, unit in found)
    end = f"; WRONG: {', '.join(wrong)}" if wrong else ""
    print(f"{case.name}: {said} from {expected['code']}{end}", flush=True)
    return not wrong


def check(case):
    if needs_pseudo(case) and not PSEUDO:
        print(f"SKIP: witness {case.name}: PARSEVAL_PSEUDO names no folder with the potentials of pw.in", flush=True)
        return True
    with tempfile.TemporaryDirectory() as folder:
        for name in ("POSCAR", "INCAR", "KPOINTS"):
            (pathlib.Path(folder) / name).write_bytes((case / name).read_bytes())
        results = pathlib.Path(folder) / "results.json"
        options = ["--pseudo", PSEUDO] if needs_pseudo(case) else []
        command = [PROGRAM, "dft", folder, *options, "--results", str(results)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            print(f"{case.name}: status {run.returncode}\n{run.stdout}\n{run.stderr}")
            return False
        return compare(case, json.loads(results.read_text()))


cases = sorted(path.parent for path in FOLDER.glob("*/expected.json"))
assert cases, f"no cases in {FOLDER}"
sys.exit(0 if all([check(case) for case in cases]) else 1)
