#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A rank that is killed in the middle of a run ends the others within 30 s, where the launcher lets them go on, too.

test_killed.py PARSEVAL [LAUNCHER ... RANKS]
With PARSEVAL_TEST_DEVICE=cuda the program is tests/structure/endless.c, on the transports that
PARSEVAL_TEST_TRANSPORTS names."""
import os
import pathlib
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

LIMIT_S = 30
# What a launcher must be told to leave the other ranks alone.
LET_GO_ON = {"openmpi": ["--enable-recovery"], "mpich": ["-disable-auto-cleanup"]}


def variables(pid):
    try:
        text = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return {}
    return dict(word.split("=", 1) for word in text.decode(errors="replace").split("\0") if "=" in word)


def rank_of(pid, mark):
    found = variables(pid)
    if found.get("PARSEVAL_TEST_MARK") != mark:
        return None
    rank = found.get("OMPI_COMM_WORLD_RANK", found.get("PMI_RANK"))
    return None if rank is None else int(rank)


def find_ranks(mark):
    pids = [int(p.name) for p in pathlib.Path("/proc").iterdir() if p.name.isdigit()]
    return {rank_of(pid, mark): pid for pid in pids if rank_of(pid, mark) is not None}


def are_watched(pids):
    """MPI's own start cannot be watched: whoever dies in it is the launcher's to notice."""
    names = [[t.read_text().strip() for t in pathlib.Path(f"/proc/{pid}/task").glob("*/comm")] for pid in pids]
    return all("watch" in tasks for tasks in names)


def command_of(program, transport):
    if os.environ.get("PARSEVAL_TEST_DEVICE") == "cuda":
        return [program, transport, "cuda"]
    return [program, "fft", "--shape", "48x48x48", "--repeat", "1000000", "--transport", transport, "--rigor", "estimate"]


def transports():
    usual = "mpi peer nccl" if os.environ.get("PARSEVAL_TEST_DEVICE") == "cuda" else "mpi shared"
    return os.environ.get("PARSEVAL_TEST_TRANSPORTS", usual).split()


def output_of(job):
    """A launcher that was told to go on may stay when all of its ranks have gone."""
    try:
        return job.communicate(timeout=10)[0]
    except subprocess.TimeoutExpired:
        job.kill()
        return job.communicate()[0]


def run(program, launcher, flags, transport, number):
    """Returns what went wrong, or nothing."""
    ranks, mark = int(launcher[-1]), f"{os.getpid()}-{number}"
    command = [launcher[0], *flags, *launcher[1:], *command_of(program, transport)]
    job = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                           env={**os.environ, "PARSEVAL_TEST_MARK": mark})
    begin = time.monotonic()
    found = {}
    while not (len(found) == ranks and are_watched(found.values())) and time.monotonic() - begin < LIMIT_S:
        time.sleep(0.1)
        found = find_ranks(mark)
    time.sleep(1)       # into the transforms
    if len(found) < ranks:
        job.kill()
        return f"{len(found)} of {ranks} ranks were running\n{job.communicate()[0]}"
    os.kill(found[1], signal.SIGKILL)
    begin = time.monotonic()
    while find_ranks(mark) and time.monotonic() - begin < LIMIT_S:
        time.sleep(0.1)
    seconds, left = time.monotonic() - begin, find_ranks(mark)
    for pid in left.values():
        os.kill(pid, signal.SIGKILL)
    text = output_of(job)
    if left:
        return f"ranks {sorted(left)} still ran after {LIMIT_S} s\n{text}"
    if flags and not ("rank 1" in text and "has ended" in text):
        return f"who is gone was not said\n{text}"
    said = next((line for line in text.splitlines() if "has ended" in line), "")
    print(f"{transport} {flags}: over after {seconds:.1f} s: {said}")
    return None


def kind_of(launcher):
    version = subprocess.run([launcher, "--version"], capture_output=True, text=True).stdout
    return "openmpi" if "Open" in version else "mpich" if "HYDRA" in version or "MPICH" in version else None


def main():
    program, launcher = sys.argv[1], sys.argv[2:]
    if not launcher:
        print("a process alone waits for nobody")
        return 0
    ways = [[]] + ([LET_GO_ON[kind_of(launcher[0])]] if kind_of(launcher[0]) else [])
    jobs, failures = [(flags, transport) for flags in ways for transport in transports()], 0
    # GPUs have no room for several jobs at a time.
    with ThreadPoolExecutor(1 if os.environ.get("PARSEVAL_TEST_DEVICE") == "cuda" else len(jobs)) as pool:
        begun = [pool.submit(run, program, launcher, *job, number) for number, job in enumerate(jobs)]
    for (flags, transport), ended in zip(jobs, begun):
        if ended.result():
            failures += 1
            print(f"{flags} {transport}: {ended.result()}")
    print(f"{len(jobs) - failures} of {len(jobs)} jobs came to their end")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
