#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_scale.py PARSEVAL [LAUNCHER ... RANKS]: `parseval scale` as a user calls it."""
import csv
import pathlib
import sys
import tempfile

import checks

COMMAND = checks.Command("scale")
DATA = pathlib.Path(__file__).resolve().parents[1] / "scale/data"
OURS = " ".join(str(DATA / f"hfo2_24_{name}.OUTCAR") for name in ("r1_nelm3", "r1_full", "r2_nelm3", "r2_full"))
VASP = " ".join(str(DATA / f"vasp_{name}.OUTCAR") for name in ("8_mpi", "8_nccl", "16_mpi", "16_nccl", "128_nccl"))

# Arguments, exit status, words of the message.
REFUSED = [
    ("", 2, "no run is given"),
    ("/nowhere", 2, "/nowhere"),
    (f"{DATA}", 2, "has neither OUTCAR nor results.json"),
    (f"{OURS} {OURS}", 2, "each run is accepted once"),
    (f"{__file__}", 2, "no OUTCAR"),
    (f"{OURS} {VASP}", 2, "--force"),
    (f"{OURS} --reference nobody", 2, "none of the 4 runs"),
    (f"{OURS} --unit nodes", 2, "auto|gpus|cores|ranks"),
    (f"{OURS} --unit gpus", 2, "used no GPU"),
    (f"{OURS} --builds 11 --iterations 10", 2, "at most one in each"),
    (f"{OURS} --iterations -1", 2, "--iterations"),
    (f"{OURS} --csv /nowhere/study.csv", 1, "/nowhere"),
    (f"{OURS} --csv {DATA}/hfo2_24_r1_full.OUTCAR", 2, "it is read, too"),
    (f"{OURS} --figures /dev/null/figures", 1, "/dev/null"),
]


COMMAND.expect_refusals(REFUSED, 4)

with tempfile.TemporaryDirectory() as folder:
    result = COMMAND.run(f"{VASP} --unit gpus --iterations 19 --csv {folder}/study.csv --figures {folder}")
    COMMAND.expect(result.returncode == 0 and "nccl: efficiency falls under 70 % at" in result.stdout, VASP, result)
    rows = list(csv.DictReader(open(f"{folder}/study.csv")))
    COMMAND.expect([row["GPUs"] for row in rows[:5]] == ["8", "8", "16", "16", "128"], VASP, result)
    COMMAND.expect(rows[-1]["kind"] == "model" and rows[-1]["GPUs"] == "2048", VASP, result)
    for name in ("scaling_time.svg", "scaling_speedup.svg", "scaling_efficiency.svg"):
        COMMAND.expect("model, NCCL" in pathlib.Path(folder, name).read_text(), VASP, result)

result = COMMAND.run(OURS)
COMMAND.expect(result.returncode == 0 and result.stdout.count("promised") == 2, OURS, result)
result = COMMAND.run("--help")
COMMAND.expect(result.returncode == 0 and "NAME\n    parseval scale - " in result.stdout, "--help", result)

sys.exit(1 if checks.failures else 0)
