# SPDX-License-Identifier: Apache-2.0
"""What tests of commands share. Their arguments are PARSEVAL [LAUNCHER ... RANKS]."""
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

PROGRAM, LAUNCHER = sys.argv[1], sys.argv[2:]
failures = []


def expect(condition, what, result=None):
    if not condition:
        failures.append(what)
        print(f"expected: {what}")
        if result:
            print(f"  status {result.returncode}\n  {result.stdout}\n  {result.stderr}")


def dealt(cases, step=1):
    """Every step-th case; under sanitizers, which end a program slowly, a third of these."""
    few = os.environ.get("PARSEVAL_TEST_FEW") and not os.environ.get("PARSEVAL_TEST_ALL")
    return cases[:: 3 * step if few else step]


def together(*calls):
    """Makes calls that do not wait for each other, a few at a time: programs that are started wait more than they work."""
    with ThreadPoolExecutor(4) as pool:
        for begun in [pool.submit(call) for call in calls]:
            begun.result()


def has_hdf5():
    info = subprocess.run([PROGRAM, "info", "--json"], capture_output=True, text=True, timeout=100)
    return json.loads(info.stdout)["libraries"]["HDF5"] is not None


def act_at(run, is_time, act):
    """What a run says until it ends; once it has said a line for which is_time(line), act(run). Every line is read here:
    communicate() misses what reading lines has in store."""
    said, waits = "", True
    for line in run.stdout:
        said += line
        if waits and is_time(line):
            waits = False
            act(run)
    error = run.stderr.read()
    return subprocess.CompletedProcess(run.args, run.wait(), said, error)


class Command:
    """Short calls of one command, each with its arguments as one text, in which {word} stands for words["word"]."""

    def __init__(self, name, **words):
        self.name, self.words = name, words

    def run(self, arguments):
        return subprocess.run([*LAUNCHER, PROGRAM, self.name, *arguments.format(**self.words).split()],
                              capture_output=True, text=True, timeout=100)

    def expect(self, condition, arguments, result):
        expect(condition, f"{self.name} {arguments}", result)

    def expect_refusals(self, requests, step):
        """requests: arguments, exit status, words of the one message. Ranks leave the work to the first one: every
        step-th call shows that they end together."""
        def expect_refusal(arguments, status, words):
            result = self.run(arguments)
            told = [line for line in result.stderr.splitlines() if line.startswith(f"parseval {self.name}:")]
            self.expect(result.returncode == status and len(told) == 1 and words in told[0], arguments, result)

        together(*[partial(expect_refusal, *request) for request in dealt(requests, step if LAUNCHER else 1)])
