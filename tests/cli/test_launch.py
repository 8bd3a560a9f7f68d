#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of `parseval launch` on made-up machines, and what a process that it starts finds.

test_launch.py PARSEVAL [LAUNCHER ... RANKS]"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import topologies
from checks import dealt

OURS = "CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER UCX_NET_DEVICES NCCL_IB_HCA OMP_NUM_THREADS".split()
LAUNCHERS = ("OMPI_", "PMI", "MPI_LOCAL", "SLURM_", "MV2_", "PALS_", "FLUX_")

# Machine, options, environment, of each rank: GPU, cores, NUMA node, card.
TABLES = [
    ("dgx-a100", "--ranks 8", {}, [
        (0, "48-55,176-183", 3, "mlx5_0"), (1, "56-63,184-191", 3, "mlx5_1"),
        (2, "16-23,144-151", 1, "mlx5_2"), (3, "24-31,152-159", 1, "mlx5_3"),
        (4, "112-119,240-247", 7, "mlx5_6"), (5, "120-127,248-255", 7, "mlx5_7"),
        (6, "80-87,208-215", 5, "mlx5_8"), (7, "88-95,216-223", 5, "mlx5_9")]),
    ("dgx-a100", "--ranks 8 --gpus 3,2,1,0,7,6,5,4", {}, [
        (3, "16-23,144-151", 1, "mlx5_2"), (2, "24-31,152-159", 1, "mlx5_3"),
        (1, "48-55,176-183", 3, "mlx5_0"), (0, "56-63,184-191", 3, "mlx5_1"),
        (7, "80-87,208-215", 5, "mlx5_8"), (6, "88-95,216-223", 5, "mlx5_9"),
        (5, "112-119,240-247", 7, "mlx5_6"), (4, "120-127,248-255", 7, "mlx5_7")]),
    ("dgx-a100", "--ranks 2 --gpus 0,4", {}, [
        (0, "48-63,176-191", 3, "mlx5_0"), (4, "112-127,240-255", 7, "mlx5_6")]),
    ("h200-2", "", {}, [(0, "0-7,16-23", 0, "mlx5_1"), (1, "8-15,24-31", 1, "mlx5_0")]),
    ("h200-2", "--ranks 3", {}, [
        (0, "0-3,16-19", 0, "mlx5_1"), (0, "4-7,20-23", 0, "mlx5_1"), (1, "8-15,24-31", 1, "mlx5_0")]),
    ("h200-2", "--ranks 2", {"CUDA_VISIBLE_DEVICES": "1,0"}, [
        (1, "8-15,24-31", 1, "mlx5_0"), (0, "0-7,16-23", 0, "mlx5_1")]),
    ("h200-2", "--ranks 2", {"CUDA_VISIBLE_DEVICES": "GPU-9bc0ffee"}, [
        (1, "8-11,24-27", 1, "mlx5_0"), (1, "12-15,28-31", 1, "mlx5_0")]),
    ("h200-2", "--ranks 2", {"CUDA_VISIBLE_DEVICES": "0,7,1"}, [
        (0, "0-3,16-19", 0, "mlx5_1"), (0, "4-7,20-23", 0, "mlx5_1")]),
    ("h200-2", "--ranks 2", {"CUDA_VISIBLE_DEVICES": "MIG-77"}, [
        ("MIG-77", "0-7,16-23", 0, "mlx5_1"), ("MIG-77", "8-15,24-31", 1, "mlx5_0")]),
    ("h200-2", "--ranks 1", {"CUDA_VISIBLE_DEVICES": ""}, [(None, "0-31", None, "mlx5_0")]),
    ("gh200-2", "", {}, [(0, "0-3", 0, None), (1, "4-7", 1, None)]),
    ("flat-vm", "", {}, [(0, "0-3", 0, None), (1, "4-7", 0, None)]),
    ("cpu-node", "--ranks 4", {}, [
        (None, "0-3", 0, "mlx5_0"), (None, "4-7", 0, "mlx5_0"),
        (None, "8-11", 1, "mlx5_1"), (None, "12-15", 1, "mlx5_1")]),
    ("laptop", "--ranks 1", {}, [(None, "0-1", 0, None)]),
    ("laptop", "--ranks 3", {}, [(None, "0", 0, None), (None, "0", 0, None), (None, "1", 0, None)]),
]

# Machine, options, lines of the table, rows.
FILES = [
    ("dgx-a100", "--ranks 2", "# a remark\n0 5 0-3 0 mlx5_4   # far away\n1 * * * -\n", [
        (5, "0-3", 0, "mlx5_4"), (1, "48-63,176-191", 3, None)]),
    ("dgx-a100", "--ranks 2", "0 7 * 2 *\n1 6 * 2 *\n5 0 * * *\n", [
        (7, "32-39,160-167", 2, "mlx5_8"), (6, "40-47,168-175", 2, "mlx5_9")]),
    ("dgx-a100", "--ranks 8", "".join(f"{rank} {gpu} * * *\r\n" for rank, gpu in enumerate([3, 2, 1, 0, 7, 6, 5, 4])),
     TABLES[1][3]),
    ("dgx-a100", "--ranks 2", "1 - 0-1 * *", [(0, "48-63,176-191", 3, "mlx5_0"), (None, "0-1", 0, "mlx5_4")]),
    ("dgx-a100", "--ranks 1", "7 0 * * *\n", [(0, "48-63,176-191", 3, "mlx5_0")]),
    ("h200-2", "--ranks 3", "0 1 * * *\n", [
        (1, "8-11,24-27", 1, "mlx5_0"), (0, "0-7,16-23", 0, "mlx5_1"), (1, "12-15,28-31", 1, "mlx5_0")]),
    ("gh200-2", "--ranks 2", "0 * * 3 -\n", [(0, "4-7", 1, None), (1, "4-7", 1, None)]),
    ("h200-2", "--ranks 1", "0 - 7,8 - mlx5_0\n", [(None, "7-8", None, "mlx5_0")]),
]

# Machine, options, lines of a table or None, words of the message.
REFUSED = [
    ("h200-2", "--print --ranks 2", "0 0 0-3 0\n", "4 words; five"),
    ("h200-2", "--print --ranks 2", "0 2 * * *\n", "'2' is no GPU of this node that may be used; there are: 0, 1;"),
    ("h200-2", "--print --ranks 2", "\n0 0 3- * *\n", "line 2: '3-' is no list"),
    ("h200-2", "--print --ranks 2", "0 0 9-3 * *\n", "'9-3' is no list"),
    ("h200-2", "--print --ranks 2", "0 0 500 * *\n", "these are not there or may not be used: 500"),
    ("h200-2", "--print --ranks 2", "0 0 30-33 * *\n", "may not be used: 32-33"),
    ("h200-2-half", "--print --ranks 2", "0 0 * 1 *\n", "NUMA node 1 has no cores that may be used"),
    ("h200-2", "--print --ranks 2", "# rank gpu cores numa nic\n\n", "has no line"),
    ("h200-2", "--print --ranks 2", "", "has no line"),
    ("h200-2", "--print --ranks 2", "0 * * * * *\n", "6 words; five"),
    ("h200-2", "--print --ranks 2", "-1 * * * *\n", "'-1' is no rank"),
    ("h200-2", "--print --ranks 2", "0 1.0 * * *\n", "'1.0' is no GPU"),
    ("h200-2", "--print --ranks 2", "0 0 0x3 * *\n", "'0x3' is no list"),
    ("h200-2", "--print --ranks 2", "0 0 0,99999999999999999999 * *\n", "is no list"),
    ("h200-2", "--print --ranks 2", "0 * * * *" + 5000 * " " + "\n", "line 1: longer than"),
    ("h200-2", "--print --ranks 2", "0 * * * *\0\n", "or no text"),
    ("h200-2", "--print --ranks 2", "0 0 0-15 0 *\n", "not all of NUMA node 0"),
    ("h200-2", "--print --ranks 2", "0 0 * 5 *\n", "NUMA node 5 is not there"),
    ("h200-2", "--print --ranks 2", "0 0 * * mlx5_2\n", "'mlx5_2' is not there or has no active port"),
    ("h200-2", "--print --ranks 2", "0 * * * *\n0 * * * *\n", "rank 0 has a row already"),
    ("h200-2", "--print --ranks 2", "zero * * * *\n", "'zero' is no rank"),
    ("h200-2", "--print --gpus 0,2", None, "'2' is no GPU of this node"),
    ("h200-2", "--print --gpus 0,0", None, "named twice"),
    ("h200-2", "--print --gpus 0,", None, "'' is no GPU"),
    ("h200-2", "--print --gpus -1", None, "'-1' is no GPU"),
    ("flat-vm", "--print --gpus 0,1,2", None, "'2' is no GPU of this node"),
    ("cpu-node", "--print --gpus 0", None, "there are: none"),
    ("h200-2", "--print --ranks -1", None, "--ranks"),
    ("h200-2", "--print --ranks 1000000", None, "0 to 4096 is accepted"),
    (None, "--print --table .", None, ". is a directory; a regular file"),
    ("h200-2", "-- true", None, "another machine"),
    (None, "--print --table /nowhere/table", None, "cannot open /nowhere/table"),
    (None, "--print --topology /nowhere/xml", None, "cannot open /nowhere/xml"),
    (None, "--print --table /dev/null", None, "/dev/null is a device, a pipe"),
    (None, "--print --topology /dev/null", None, "/dev/null is a device, a pipe"),
    (None, "--print --topology /etc/passwd", None, "is no topology"),
    (None, "", None, "no command after --"),
    (None, "--", None, "no command after --"),
    (None, "true", None, "comes after --"),
    (None, "--print -- true", None, "--verbose"),
    (None, "--prnt", None, "did you mean --print?"),
    ("h200-2", "--print --gpus=", None, "--gpus was given an empty text; LIST is accepted: GPUs by number"),
]

PLACES = """
import json, os
keys = "CUDA_VISIBLE_DEVICES CUDA_DEVICE_ORDER UCX_NET_DEVICES NCCL_IB_HCA OMP_NUM_THREADS".split()
found = {k: os.environ.get(k) for k in keys}
print(json.dumps({"cpus": sorted(os.sched_getaffinity(0)), "environment": found}), flush=True)
"""


class Checks:
    def __init__(self, program, launcher, folder):
        self.program, self.launcher, self.folder = program, launcher, folder
        self.failures = self.count = 0
        self.ranks = int(launcher[-1]) if launcher else 1
        for name, machine in topologies.MACHINES.items():
            (self.folder / f"{name}.xml").write_text(machine.xml())
        # A control group that withholds the second socket.
        half = re.sub('allowed_cpuset="[^"]*"', 'allowed_cpuset="0x00ff00ff"', topologies.H200_2.xml())
        (self.folder / "h200-2-half.xml").write_text(half)

    def environment(self, added, without_launcher):
        kept = {k: v for k, v in os.environ.items()
                if k not in OURS and not (without_launcher and k.startswith(LAUNCHERS))}
        return {**kept, **added}

    def run(self, arguments, added={}, alone=True, launcher=()):
        command = [*launcher, self.program, "launch", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=100, cwd=self.folder,
                              env=self.environment(added, alone))

    def expect(self, condition, what, result):
        self.count += 1
        if not condition:
            self.failures += 1
            print(f"{what}\n  status {result.returncode}\n  {result.stdout}\n  {result.stderr}")

    def table(self, machine, options, added, rows, lines=None):
        arguments = ["--json", "--topology", f"{machine}.xml", *options.split()]
        if lines is not None:
            (self.folder / "table").write_text(lines)
            arguments += ["--table", "table"]
        result = self.run(arguments, added)
        try:
            found = [(r["gpu"], r["cores"], r["numa"], r["nic"]) for r in json.loads(result.stdout)["ranks"]]
        except (ValueError, KeyError):
            found = None
        self.expect(result.returncode == 0 and found == rows, f"{machine} {options} {added} {lines}: {rows} expected",
                    result)
        return result.stdout

    # What is printed for people, read as a file, gives the same again.
    def round_trip(self, machine, options, added, rows):
        printed = self.run(["--print", "--topology", f"{machine}.xml", *options.split()], added)
        self.expect(printed.returncode == 0 and "# rank  gpu" in printed.stdout, f"{machine} {options} --print",
                    printed)
        if not options.count("--gpus"):
            self.table(machine, options, added, rows, printed.stdout)

    def refused(self, machine, options, lines, words):
        arguments = ["--topology", f"{machine}.xml"] if machine else []
        if lines is not None:
            (self.folder / "table").write_text(lines)
            arguments += ["--table", "table"]
        result = self.run(arguments + options.split())
        messages = [line for line in result.stderr.splitlines() if line.startswith("parseval")]
        self.expect(result.returncode == 2 and len(messages) == 1 and words in messages[0] and not result.stdout,
                    f"{machine} {options} {lines}: one message with <{words}> and status 2 expected", result)


def check_environment(checks):
    result = checks.table("h200-2", "--ranks 2", {"UCX_NET_DEVICES": "mlx5_9:1"}, TABLES[3][3])
    rows = json.loads(result)["ranks"]
    right = [{"CUDA_VISIBLE_DEVICES": str(i), "CUDA_DEVICE_ORDER": "PCI_BUS_ID", "NCCL_IB_HCA": "=mlx5_0,mlx5_1",
              "OMP_NUM_THREADS": "8"} for i in range(2)]
    ran = subprocess.CompletedProcess([], 0, result, "")
    checks.expect([r["environment"] for r in rows] == right, f"environment {right} expected", ran)
    checks.expect([r["kept"] for r in rows] == [{"UCX_NET_DEVICES": "mlx5_9:1"}] * 2, "what was set is kept", ran)
    result = checks.table("h200-2", "--ranks 2", {"CUDA_DEVICE_ORDER": "FASTEST_FIRST"}, TABLES[3][3])
    orders = [r["environment"].get("CUDA_DEVICE_ORDER") for r in json.loads(result)["ranks"]]
    checks.expect(orders == 2 * ["PCI_BUS_ID"], "numbers by PCI address come with this order",
                  subprocess.CompletedProcess([], 0, result, ""))
    shared = json.loads(checks.table("laptop", "--ranks 3", {}, TABLES[-1][3]))["ranks"]
    checks.expect([r["core_sharers"] for r in shared] == [2, 2, 1], "who shares cores is said", ran)


def check_start(checks):
    """A process on this machine: nothing but the allowed cores, and the status of what was started."""
    python, cores = sys.executable, sorted(os.sched_getaffinity(0))
    found = json.loads(checks.run(["--", python, "-c", PLACES]).stdout)
    ran = subprocess.CompletedProcess([], 0, str(found), "")
    checks.expect(set(found["cpus"]) <= set(cores) and found["cpus"], "cores of this process expected", ran)
    checks.expect(int(found["environment"]["OMP_NUM_THREADS"]) >= 1, "OMP_NUM_THREADS is set", ran)
    found = json.loads(checks.run(["--", python, "-c", PLACES], {"OMP_NUM_THREADS": "77"}).stdout)
    checks.expect(found["environment"]["OMP_NUM_THREADS"] == "77", "OMP_NUM_THREADS is kept", ran)
    failing = checks.run(["--", "sh", "-c", "exit 7"])
    checks.expect(failing.returncode == 7, "the status of the program expected", failing)
    last = {"OMPI_COMM_WORLD_LOCAL_RANK": "1", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"}
    bound = subprocess.run(["taskset", "-c", str(cores[0]), checks.program, "launch", "--", python, "-c", PLACES],
                           capture_output=True, text=True, env=checks.environment(last, True))
    found = json.loads(bound.stdout)
    checks.expect(found["cpus"] == [cores[0]], "a binding is respected", bound)
    checks.expect(found["environment"]["OMP_NUM_THREADS"] == "1", "threads for the cores that are left", bound)
    result = checks.run(["--", "true"], {"SLURM_LOCALID": "2"})
    checks.expect(result.returncode == 2 and result.stderr == "", "the first rank of the node has the word", result)
    result = checks.run(["--", "true"], {"SLURM_LOCALID": "2", "SLURM_STEP_TASKS_PER_NODE": "2(x3),1"})
    checks.expect(result.returncode == 1 and "rank 2 of its node" in result.stderr, "what a rank alone finds it says",
                  result)
    result = checks.run(["--", "true"], {"SLURM_LOCALID": "0", "SLURM_NODEID": "1"})
    checks.expect(result.returncode == 2 and "--ranks N" in result.stderr, "the number of ranks is asked for", result)
    tasks = {"SLURM_LOCALID": "1", "SLURM_NODEID": "3", "SLURM_STEP_TASKS_PER_NODE": "1(x3),2"}
    result = checks.run(["--", "true"], tasks)
    checks.expect(result.returncode == 0, "Slurm's list of tasks is read", result)
    check_not_started(checks)
    check_odd_environments(checks)


def check_not_started(checks):
    """As a shell says it: 127 where there is no such program, 126 where it cannot be executed."""
    (checks.folder / "no_program").write_text("text\n")
    for command, status in (("/nowhere/program", 127), ("parseval_is_not_found", 127), ("./no_program", 126), (".", 126)):
        result = checks.run(["--", command])
        told = f"parseval launch: '{command}' cannot be started: "
        checks.expect(result.returncode == status and result.stderr.startswith(told) and result.stderr.count("\n") == 1,
                      f"{command}: status {status} expected", result)
    help_text = checks.run(["--help"]).stdout
    checks.expect("    126  " in help_text and "    127  " in help_text, "and the help tells of both",
                  subprocess.CompletedProcess([], 0, help_text, ""))


# Options, environment, words of the message.
ODD_ENVIRONMENTS = [
    ("--ranks 2 -- true", {"OMPI_COMM_WORLD_LOCAL_RANK": "0", "OMPI_COMM_WORLD_LOCAL_SIZE": "3"}, "has started 3"),
    ("-- true", {"OMPI_COMM_WORLD_LOCAL_RANK": "0", "OMPI_COMM_WORLD_LOCAL_SIZE": "99999999"}, "has started 99999999"),
    ("-- true", {"PMI_RANK": "0", "PMI_SIZE": "2"}, "not which of its node"),
    ("--print", {"HWLOC_XMLFILE": "/etc/passwd"}, "HWLOC_XMLFILE is \"/etc/passwd\""),
    ("--print", {"HWLOC_XMLFILE": "/nowhere/xml"}, "hwloc could not read"),
    ("--print", {"HWLOC_SYNTHETIC": "garbage:x"}, "HWLOC_SYNTHETIC is \"garbage:x\""),
]


def check_odd_environments(checks):
    for options, added, words in ODD_ENVIRONMENTS:
        result = checks.run(options.split(), added)
        once = result.stderr.count("parseval launch:") == 1 and words in result.stderr
        checks.expect(result.returncode == 2 and once, f"{options} {added}: one message with <{words}>", result)
    for added in ({"OMPI_COMM_WORLD_LOCAL_RANK": "x", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"},
                  {"CUDA_VISIBLE_DEVICES": " ".join(["GPU-a"] * 50)}, {"HWLOC_SYNTHETIC": "numa:2 core:2 pu:1"}):
        result = checks.run(["--print"], added)
        checks.expect(result.returncode == 0 and "# rank 0" in result.stdout, f"{added}: a table expected", result)
    rows = checks.table("laptop", "--ranks 1", {"UCX_NET_DEVICES": os.fsdecode(b"\xff\xc3:\xc3\xa4")}, [(None, "0-1", 0, None)])
    kept = json.loads(rows)["ranks"][0]["kept"]
    checks.expect(kept == {"UCX_NET_DEVICES": "\ufffd\ufffd:\u00e4"}, "what is not UTF-8 is replaced",
                  subprocess.CompletedProcess([], 0, rows, ""))


def check_ranks(checks):
    """Under a launcher, each rank once; ranks of a node cover its cores as evenly as may be."""
    result = checks.run(["--verbose", "--", sys.executable, "-c", PLACES], alone=False, launcher=checks.launcher)
    found = [json.loads(line) for line in result.stdout.replace("}{", "}\n{").splitlines() if line]
    checks.expect(result.returncode == 0 and len(found) == checks.ranks, "every rank starts the program", result)
    checks.expect(result.stderr.count("# rank  gpu") == 1, "one table a node", result)
    covered = set().union(*[f["cpus"] for f in found])
    cores = len(os.sched_getaffinity(0))
    checks.expect(len(covered) >= min(checks.ranks, cores), "ranks are spread over cores", result)
    requests = [("--bogus", "unknown option", 2), ("-- /nowhere/program", "cannot be started", 127)]
    requests += [("--ranks 1 -- true", f"has started {checks.ranks}", 2)] if checks.ranks > 1 else []
    for options, words, status in requests:
        result = checks.run(options.split(), alone=False, launcher=checks.launcher)
        once = result.stderr.count("parseval launch:") == 1 and words in result.stderr
        checks.expect(result.returncode == status and once, f"{options}: one message and {status} expected", result)


def check_all(folder):
    checks = Checks(sys.argv[1], sys.argv[2:], folder)
    built = checks.run(["--print"])
    if "not built in" in built.stderr:
        print(f"SKIP: parseval launch: {built.stderr.splitlines()[0]}")
        return 0
    if checks.launcher:
        check_ranks(checks)
    else:
        for case in dealt(TABLES):
            checks.table(*case)
            checks.round_trip(*case)
        for machine, options, lines, rows in FILES:
            checks.table(machine, options, {}, rows, lines)
        for case in dealt(REFUSED):
            checks.refused(*case)
        check_environment(checks)
        check_start(checks)
    print(f"{checks.count - checks.failures} of {checks.count} expectations held")
    return 1 if checks.failures else 0


def main():
    with tempfile.TemporaryDirectory() as folder:
        return check_all(pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
