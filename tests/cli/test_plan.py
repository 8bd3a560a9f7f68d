#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_plan.py PARSEVAL [LAUNCHER ... RANKS]: `parseval plan` as a user calls it."""
import csv
import pathlib
import sys
import tempfile
from functools import partial

import checks

COMMAND = checks.Command("plan")
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

# Arguments, exit status, words of the message.
REFUSED = [
    ("", 2, "what shall be planned?"),
    ("dtf x", 2, "dft and dns are accepted"),
    ("dft", 2, "one is needed"),
    ("dft /nowhere", 2, "/nowhere is not there"),
    (f"dft {EXAMPLES}", 2, "POSCAR"),
    (f"dft {EXAMPLES}/hfo2 --gpus 0", 2, "whole numbers from 1"),
    (f"dft {EXAMPLES}/hfo2 --gpus 100000", 2, "from 1 to 65536"),
    (f"dft {EXAMPLES}/hfo2 --gpus 1 --ranks 1", 2, "one of them is accepted"),
    (f"dft {EXAMPLES}/hfo2 --rates /nowhere", 2, "/nowhere"),
    (f"dft {EXAMPLES}/hfo2 --rates {__file__}", 2, "test_plan.py:"),
    (f"dft {EXAMPLES}/hfo2 --pseudo /nowhere", 2, "/nowhere"),
    (f"dft {EXAMPLES}/hfo2 --steps -1", 2, "--steps"),
    (f"dft {EXAMPLES}/hfo2 --steps 1 --steps 2", 2, "--steps is given more than once"),
    (f"dft {EXAMPLES}/hfo2 --steps 61", 2, "NELM = 60 ends the run before"),
    ("--steps 2 dns /nowhere/case.ini", 2, "--steps is given to plan dns; plan dft alone takes it"),
    (f"dft {EXAMPLES}/hfo2 --builds 3", 2, "INCAR has none"),
    (f"dft {EXAMPLES}/hfo2_hse06 --steps 3 --builds 9", 2, "at most one in each is accepted"),
    (f"dft {EXAMPLES}/hfo2 --figures /dev/null/figures", 1, "/dev/null"),
    (f"dft {EXAMPLES}/hfo2 --csv /nowhere/plan.csv", 1, "/nowhere"),
    (f"dft {EXAMPLES}/hfo2 --csv {EXAMPLES}/hfo2/INCAR", 2, "it is read, too"),
    (f"dft {EXAMPLES}/hfo2_supercells/POSCAR_096 --csv {EXAMPLES}/hfo2_supercells/POSCAR_096", 2, "it is read, too"),
    (f"dft {EXAMPLES}/hfo2 --gpus 4 --figures .", 2, "two are needed at least"),
    (f"dft {EXAMPLES}/hfo2 --memory-rate 1", 2, "--memory-rate is given to plan dft; plan dns alone takes it"),
    ("dns /nowhere/case.ini", 2, "/nowhere"),
    (f"dns {EXAMPLES}/taylor_green/case.ini --grids 64,3", 2, "--grids 64,3: with 3: grid has 3 points along x"),
    ("dns /nowhere/case.ini --csv=/nowhere/x", 2, "--csv is given to plan dns; plan dft alone takes it"),
]

# Arguments, lines of the table, words of the output.
ACCEPTED = [
    ("dft {0}/hfo2_supercells/POSCAR_768 --gpus 1,8,2048", 3, "stored defaults for an NVIDIA H200"),
    ("dft {0}/hfo2_hse06", 12, "builds of exact exchange"),
    ("dft {0}/hfo2_hse06 --gpus 8,1,8", 2, "100.0\n     8 "),
    ("dft {0}/hfo2_hse06 --gpus 1,8", 2, "efficiency falls under 50 % at "),
    ("dft {0}/hfo2_hse06 --gpus 2 --steps 5 --builds 2", 1, "5 steps"),
    ("dns {0}/forced_turbulence/case.ini --gpus 1,8", 2, "Re_lambda"),
]


def expect_table(arguments, rows, words):
    result = COMMAND.run(arguments.format(EXAMPLES))
    table = [line for line in result.stdout.splitlines() if line.split("x")[0].split(" ")[0].isdigit()
             or line[:6].strip().isdigit()]
    COMMAND.expect(result.returncode == 0 and len(table) == rows and words in result.stdout, arguments, result)


COMMAND.expect_refusals(REFUSED, 4)
checks.together(*[partial(expect_table, *case) for case in ACCEPTED])

with tempfile.TemporaryDirectory() as folder:
    arguments = f"dft {EXAMPLES}/hfo2_supercells/POSCAR_768 --csv {folder}/plan.csv --figures {folder}"
    result = COMMAND.run(arguments)
    COMMAND.expect(result.returncode == 0, arguments, result)
    plans = list(csv.DictReader(open(f"{folder}/plan.csv")))
    COMMAND.expect([row["GPUs"] for row in plans] == [str(2**power) for power in range(12)], arguments, result)
    COMMAND.expect(plans[0]["orbitals"] == "too large" and not plans[0]["total_s"], arguments, result)
    COMMAND.expect(plans[-1]["orbitals"] == "distributed" and 0 < float(plans[-1]["efficiency"]) < 1, arguments, result)
    for name, words in (("plan_time.svg", "Time of 12 steps (s)"), ("plan_efficiency.svg", "Parallel efficiency")):
        drawn = pathlib.Path(folder, name).read_text()
        COMMAND.expect("plan (model)" in drawn and words in drawn and ">2048<" in drawn, arguments, result)
    arguments = f"dft {EXAMPLES}/hfo2 --ranks 1,2 --measure {folder}/core"
    result = COMMAND.run(arguments)
    COMMAND.expect(result.returncode == 0 and "measured on one core" in result.stdout, arguments, result)
    arguments = f"dft {EXAMPLES}/hfo2 --gpus 1,2 --rates {folder}/core"
    result = COMMAND.run(arguments)
    COMMAND.expect(result.returncode == 0 and "measured on one core" in result.stdout, arguments, result)

result = COMMAND.run("--help")
COMMAND.expect(result.returncode == 0 and "parseval plan dft DIR|POSCAR" in result.stdout, "--help", result)

sys.exit(1 if checks.failures else 0)
