#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the program as a user would: right requests give records, wrong ones one clear message and a failing status.

test_commands.py PARSEVAL [LAUNCHER ... RANKS]      as in: test_commands.py build/cpu/parseval mpiexec -n 3"""
import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from checks import dealt

FIELDS = ("shape type precision direction ranks layout transport means device seconds_min seconds_median seconds_max "
          "gflops bytes_sent peak_bytes forward_error roundtrip_error limit_seconds fraction_of_limit model_seconds "
          "fraction_of_model hidden_share wire wire_bound").split()

# Arguments, exit status, words of the message.
REFUSED = [
    ("ftt", 2, "no command 'ftt'; the nearest one is 'fft'"),
    ("help ftt", 2, "nearest one is 'fft'"),
    ("fft --shape", 2, "--shape needs a value"),
    ("fft --shape 12x", 2, '"12x"'),
    ("fft --shape 0x4x4", 2, "from 1 to"),
    ("fft --shape -4x4x4", 2, "from 1 to"),
    ("fft --shape 4x4x4x4", 2, "one to three"),
    ("fft --shape 99999999999999999999", 2, "from 1 to 2^63 - 1"),
    ("fft --shape 100000x100000x100000", 1, "free"),
    ("fft --shape 4000000000x4000000000x4000000000", 1, "free"),
    ("fft --shape 64x64x64 --batch 1000000", 1, "free"),
    ("fft --type c2x", 2, "c2c|r2c"),
    ("fft --precision fp16", 2, "fp64|fp32"),
    ("fft --layout brick", 2, "auto|slab|pencil"),
    ("fft --shape +8x8", 2, "one to three lengths"),
    ("fft --shape 8x8x8 --layout slab --grid 1x1", 2, "grid"),
    ("fft --shape 8x8x8 --grid 3x5x7", 2, "--grid 3x5x7"),
    ("fft --shape 8x8x8 --layout pencil --grid 5x7", 2, "5"),
    ("fft --transport carrier-pigeon", 2, "mpi"),
    ("fft --transport nvshmem", 2, 'transport "nvshmem"'),
    ("fft --device gpu", 2, "cpu"),
    ("fft --device cpu:0", 2, "threads"),
    ("fft --shape 8x8x8 --engine foo", 2, "ref"),
    ("fft --batch 0", 2, "1 to"),
    ("fft --repeat many", 2, "whole number"),
    ("fft --chunks 2000", 2, "0 to 1024"),
    ("fft --shap 8x8x8", 2, "did you mean --shape?"),
    ("fft --verify=yes", 2, "flag"),
    ("fft 8x8x8", 2, "unexpected word"),
    ("fft --shape 8x8x8 --wisdom /nowhere/wisdom", 2, "/nowhere/wisdom"),
    ("fft --shape 8x8x8 --wisdom /dev/zero", 2, "/dev/zero"),
    ("fft --shape 8x8x8 --wisdom .", 2, "directory"),
    ("dft --device gpu", 2, "cpu:THREADS"),
    ("dft --device cpu:none", 2, "number"),
    ("info --jsn", 2, "did you mean --json?"),
]

ACCEPTED = [
    "--shape 12x10x14 --type c2c --precision fp64 --layout slab",
    "--shape 12x10x14 --type r2c --precision fp32 --layout pencil --output axes",
    "--shape 12x10x14 --layout pencil --grid {ranks}x1",
    "--shape 7x11x13 --type r2c --in-place --output owner --batch 3 --rigor estimate",
    "--shape 3x2x5 --transport mpi",
    "--shape 60 --engine ref",
    "--shape 12x10x14 --wire reduced --transport mpi",
]


# Arguments of the first rank, of the others.
DIFFERING = [
    ("fft --shape 16x16 --repeat 3", "fft --shape 16x16 --repeat 7"),
    ("fft --shape 16x16 --verify", "fft --shape 16x16"),
    ("fft --shape 16x16", "fft --shape 16x16 --wisdom wisdom"),
    ("fft --shape 16x16", "fft --bogus"),
    ("fft --bogus", "fft --shape 16x16"),
    ("fft --shape 16x16", "info"),
    ("fft --help", "dft"),
    ("ftt", "fft"),
]


# Arguments, words of the output. A help ends in the statuses that the command has.
END = "END"
SHOWN = [
    ("--help", "usage: parseval COMMAND"),
    ("--version", "parseval "),
    ("help fft", "SYNOPSIS", "--shape AxBxC\n", "EXIT STATUS"),
    ("fft --help", "SYNOPSIS", "an input is wrong; nothing was run\n" + END),
    ("dft --help", "    3  stopped on request, by a signal or STOPCAR\n" + END),
    ("dns --help", "    3  stopped on request, by a signal\n" + END),
    ("info", "built in\n", "transports", "\nthis machine\n", "GPUs\n"),
]


class Checks:
    def __init__(self, program, launcher):
        self.command, self.failures, self.count = [*launcher, program], 0, 0
        self.ranks = int(launcher[-1]) if launcher else 1
        self.lock = threading.Lock()

    def run(self, arguments):
        return subprocess.run([*self.command, *arguments.split()], capture_output=True, text=True, timeout=100)

    def expect(self, condition, arguments, result, what):
        with self.lock:
            self.count += 1
            if condition:
                return
            self.failures += 1
            print(f"{self.ranks} ranks: parseval {arguments}: {what}\n  status {result.returncode}\n  {result.stdout}\n"
                  f"  {result.stderr}")

    def refused(self, arguments, status, words):
        result = self.run(arguments)
        messages = [line for line in result.stderr.splitlines() if line.startswith("parseval")]
        self.expect(result.returncode == status, arguments, result, f"status {status} expected")
        self.expect(len(messages) == 1 and words in messages[0], arguments, result,
                    f"one message with <{words}> expected")
        self.expect(result.stdout == "", arguments, result, "nothing on standard output expected")

    # No rank may wait for one that has left or that does something else.
    def differing(self, first, others):
        program = self.command[-1]
        command = [*self.command[:-3], "-n", "1", program, *first.split(), ":", "-n", str(self.ranks - 1), program,
                   *others.split()]
        result = subprocess.run(command, capture_output=True, text=True, timeout=30)
        lines = result.stderr.splitlines()
        ranks = "rank 1" if self.ranks == 2 else f"ranks 1 to {self.ranks - 1}"
        self.expect(result.returncode == 2 and result.stdout == "", f"{first} : {others}", result,
                    "status 2 and no output expected")
        self.expect(f"  rank 0: parseval {first}" in lines and f"  {ranks}: parseval {others}" in lines,
                    f"{first} : {others}", result, "what each rank has expected")

    def accepted(self, options):
        arguments = f"fft {options.format(ranks=self.ranks)} --repeat 2 --verify --json"
        result = self.run(arguments)
        self.expect(result.returncode == 0, arguments, result, "success expected")
        try:
            records = [json.loads(line) for line in result.stdout.splitlines()]
        except ValueError:
            records = []
        right = [r["direction"] for r in records] == ["forward", "inverse"] and all(
            list(r) == FIELDS and r["ranks"] == self.ranks and r["limit_seconds"] > 0
            and r["seconds_min"] <= r["seconds_median"] <= r["seconds_max"]
            and (r["wire_bound"] > 0) == ("reduced" in options and self.ranks > 1)
            and 0 < r["forward_error"] < 1e-5 and 0 < r["roundtrip_error"] < 1e-5 for r in records)
        self.expect(right, arguments, result, "two records with all fields expected")

    # Every key is there, whatever the machine has.
    def machine(self):
        result = self.run("info --json")
        try:
            facts = json.loads(result.stdout)
        except ValueError:
            facts = {}
        self.expect(all(key in facts for key in ("gpus", "no_gpus", "numa", "network_cards", "copy_bytes_per_s"))
                    and (facts["gpus"] != []) == (facts["no_gpus"] is None), "info --json", result, "facts expected")

    def shown(self, arguments, *words):
        result = self.run(arguments)
        text = result.stdout + END
        self.expect(result.returncode == 0 and all(text.count(word) == 1 for word in words), arguments, result,
                    f"{words} expected, each once")


def main():
    checks = Checks(sys.argv[1], sys.argv[2:])
    # A launcher waits more than it works: several at a time.
    with ThreadPoolExecutor(4) as pool:
        # Ranks leave most refusals to the first one: every third shows that they end together.
        begun = [pool.submit(checks.refused, *case) for case in dealt(REFUSED, 3 if checks.ranks > 1 else 1)]
        if checks.ranks > 1:
            begun.append(pool.submit(checks.refused, "fft --transport self --shape 8x8x8", 2, "one rank"))
            begun += [pool.submit(checks.differing, *case) for case in DIFFERING]
        begun += [pool.submit(checks.accepted, options) for options in ACCEPTED]
        begun += [pool.submit(checks.shown, *case) for case in SHOWN]
        begun.append(pool.submit(checks.machine))
    for check in begun:
        check.result()
    print(f"{checks.count - checks.failures} of {checks.count} expectations held")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main())
