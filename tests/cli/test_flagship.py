#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_flagship.py PARSEVAL [LAUNCHER ... RANKS]: the cases that examples/hfo2_supercells/make_runs makes can be read
and planned, all of them."""
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = [*sys.argv[2:], sys.argv[1]]
MAKE = pathlib.Path(__file__).resolve().parents[2] / "examples/hfo2_supercells/make_runs"
# Atoms, electrons, bands of some of them, with the built-in potentials.
EXPECTED = {"012_pbe": (12, 96, 112), "096_hse06": (96, 768, 448), "096_Si_hse06": (96, 760, 444),
            "095_O3_hse06_spin": (95, 762, 445), "216_hse06_k8_nelm1": (216, 1728, 1280),
            "768_hse06_k8": (768, 6144, 3136)}
failures = []

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([MAKE, folder], check=True, timeout=100)
    names = sorted(path.name for path in pathlib.Path(folder).iterdir())
    if len(names) != 17 or not set(EXPECTED) <= set(names):
        failures.append(f"make_runs made {names}")
    for name in names if len(PROGRAM) == 1 else names[:2]:
        result = subprocess.run([*PROGRAM, "plan", "dft", f"{folder}/{name}", "--gpus", "1,64"], capture_output=True,
                                text=True, timeout=100)
        what = result.stdout.splitlines()[0] if result.stdout else ""
        atoms, electrons, bands = EXPECTED.get(name, (0, 0, 0))
        known = f"{atoms} atoms, {electrons} electrons, {bands} bands" in what or not atoms
        if result.returncode or not known or ("hse06" in name) != ("HSE06" in what):
            failures.append(f"{name}: exit {result.returncode}\n{what}\n{result.stderr}")

print("\n".join(failures))
sys.exit(1 if failures else 0)
