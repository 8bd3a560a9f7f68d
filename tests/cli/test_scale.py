#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_scale.py PARSEVAL [LAUNCHER ... RANKS]: `parseval scale` as a user calls it."""
import csv
import pathlib
import subprocess
import sys
import tempfile

COMMAND = [*sys.argv[2:], sys.argv[1], "scale"]
DATA = pathlib.Path(__file__).resolve().parents[1] / "scale/data"
OURS = " ".join(str(DATA / f"hfo2_24_{name}.OUTCAR") for name in ("r1_nelm3", "r1_full", "r2_nelm3", "r2_full"))
VASP = " ".join(str(DATA / f"vasp_{name}.OUTCAR") for name in ("8_mpi", "8_nccl", "16_mpi", "16_nccl", "128_nccl"))
failures = []

# Arguments, exit status, words of the message.
REFUSED = [
    ("", 2, "no run is given"),
    ("/nowhere", 2, "/nowhere"),
    (f"{DATA}", 2, "OUTCAR"),
    (f"{__file__}", 2, "no OUTCAR"),
    (f"{OURS} {VASP}", 2, "--force"),
    (f"{OURS} --reference nobody", 2, "none of the 4 runs"),
    (f"{OURS} --unit nodes", 2, "auto|gpus|cores|ranks"),
    (f"{OURS} --iterations -1", 2, "--iterations"),
    (f"{OURS} --csv /nowhere/study.csv", 1, "/nowhere"),
    (f"{OURS} --figures /nowhere", 1, "/nowhere"),
]


def run(arguments):
    return subprocess.run([*COMMAND, *arguments.split()], capture_output=True, text=True, timeout=100)


def expect(condition, arguments, result):
    if not condition:
        failures.append(f"scale {arguments}: exit {result.returncode}\n{result.stdout}{result.stderr}")


for arguments, status, words in REFUSED[:: 4 if len(COMMAND) > 2 else 1]:
    result = run(arguments)
    told = [line for line in result.stderr.splitlines() if line.startswith("parseval scale:")]
    expect(result.returncode == status and len(told) == 1 and words in told[0], arguments, result)

with tempfile.TemporaryDirectory() as folder:
    result = run(f"{VASP} --unit gpus --iterations 19 --csv {folder}/study.csv --figures {folder}")
    expect(result.returncode == 0 and "nccl: efficiency falls under 70 % at" in result.stdout, VASP, result)
    rows = list(csv.DictReader(open(f"{folder}/study.csv")))
    expect([row["GPUs"] for row in rows[:5]] == ["8", "8", "16", "16", "128"], VASP, result)
    expect(rows[-1]["kind"] == "model" and rows[-1]["GPUs"] == "2048", VASP, result)
    for name in ("scaling_time.svg", "scaling_efficiency.svg"):
        expect("model, NCCL" in pathlib.Path(folder, name).read_text(), VASP, result)

result = run(OURS)
expect(result.returncode == 0 and result.stdout.count("promised") == 2, OURS, result)
result = run("--help")
expect(result.returncode == 0 and "NAME\n    parseval scale - " in result.stdout, "--help", result)

print("\n".join(failures))
sys.exit(1 if failures else 0)
