#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_supercell.py PARSEVAL [LAUNCHER ... RANKS]: `parseval supercell` as a user calls it; the files of the example
are what the command makes."""
import pathlib
import sys
import tempfile
from functools import partial

import checks

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
COMMAND = checks.Command("supercell", cell=EXAMPLES / "hfo2/POSCAR")

# Arguments, exit status, words of the message.
REFUSED = [
    ("", 2, "two are needed"),
    ("2x2 {cell}", 2, "2x2x2"),
    ("0x1x1 {cell}", 2, "positive"),
    ("2x2x2x2 {cell}", 2, "2x2x2"),
    ("1000x1000x1000 {cell}", 2, "at most"),
    ("4294967297x1x1 {cell}", 2, "2x2x2"),
    ("2x2x2 /nowhere/POSCAR", 2, "/nowhere/POSCAR"),
    ("2x2x2 {cell} --vacancy Xx:1", 2, "'Xx' is not an element"),
    ("2x2x2 {cell} --vacancy Si:1", 2, "Si is to be removed and the cell has none; it has Hf, O"),
    ("2x2x2 {cell} --vacancy O:65", 2, "the cell has 64"),
    ("2x2x2 {cell} --vacancy O:-1", 2, "positive number"),
    ("2x2x2 {cell} --vacancy O:1,", 2, "positive number"),
    ("2x2x2 {cell} --vacancy O:1 --vacancy=Hf:1", 2, "--vacancy is given more than once"),
    ("2x2x2 {cell} --substitute Hf:Si", 2, "':' is missing"),
    ("2x2x2 {cell} --substitute Hf:Hf:1", 2, "by itself"),
    ("2x2x2 {cell} --vacancy O:1 --choice 3", 2, "1 to 2 is accepted"),
    ("1x1x1 {cell} --vacancy Hf:4,O:8", 2, "at least one must stay"),
    ("1x1x1 {cell} --output /nowhere/POSCAR", 1, "/nowhere/POSCAR"),
]


COMMAND.expect_refusals(REFUSED, 6)

result = COMMAND.run("2x2x2 {cell} --vacancy O:1")
COMMAND.expect("2 distinct choices under 32 operations (P2_1/c, 4 rotations)" in result.stderr, "to standard output",
               result)
COMMAND.expect(result.stdout == (EXAMPLES / "hfo2_supercells/POSCAR_095_O3").read_text(), "to standard output", result)



def expect_file(folder, arguments, name):
    result = COMMAND.run(f"{arguments} {{cell}} --output {folder}/{name}")
    written = pathlib.Path(folder, name).read_text() if result.returncode == 0 else ""
    COMMAND.expect(written == (EXAMPLES / f"hfo2_supercells/POSCAR_{name}").read_text(), arguments, result)


with tempfile.TemporaryDirectory() as folder:
    checks.together(*[partial(expect_file, folder, *case) for case in [
        ("1x1x1", "012"), ("2x2x2", "096"), ("4x4x4", "768"), ("2x2x2 --substitute Hf:Si:1", "096_Si"),
        ("2x2x2 --vacancy O:1 --choice 2", "095_O4")]])

sys.exit(1 if checks.failures else 0)
