#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_dns.py PARSEVAL [LAUNCHER ... RANKS]: runs of parseval dns that are killed at a random moment, or stopped by a signal,
and go on, that find no room on the disk, damaged checkpoints, or another run in their folder."""
import fcntl
import itertools
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from functools import partial

from checks import LAUNCHER, PROGRAM, act_at, expect, failures, has_hdf5, together

COMMAND = [*LAUNCHER, PROGRAM, "dns"]
CASE = """grid = 16x24x20
viscosity = 0.05
scheme = ab3
dt = 0.01
flow = random
k_peak = 2
forcing = ou
scalars = 1
series_every = 1
spectra_every = 2
structure_every = 8
checkpoint_every = 3
"""
TABLES = ("series", "spectra", "structure")


def write_case(folder, *more):
    folder.mkdir(exist_ok=True)
    (folder / "case.ini").write_text(CASE + "\n".join(more) + "\n")
    return [*COMMAND, str(folder / "case.ini"), "--output", str(folder)]


def solve(folder, *more):
    return subprocess.run(write_case(folder, *more), capture_output=True, text=True, timeout=100)


def interrupt(folder, lines, act, *more):
    """Starts a run, and acts on it once it has printed some lines."""
    run = subprocess.Popen(write_case(folder, *more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    steps = itertools.count(1)
    return act_at(run, lambda line: line.startswith("step ") and next(steps) == lines, act)


def check_stopped(folder, number):
    """By the signal that a launcher passes on, and by SIGTERM, which mpirun passes on after a second and follows by a
    kill. Nothing else ends these runs. Two steps more, and their tables are those of a run that was not stopped."""
    endless, whole = "time_end = 1e6", folder.parent / f"{folder.name}_whole"
    stopped = interrupt(folder, 7, lambda run: run.send_signal(number), endless)
    expect(wait_for_end(folder) and "a signal asks to stop" in stopped.stderr, f"signal {int(number)} is answered", stopped)
    if number == signal.SIGUSR1 or not LAUNCHER:
        expect(stopped.returncode == 3 and f"stopped by signal {int(number)} after step" in stopped.stderr,
               f"signal {int(number)} ends a run in good order", stopped)
    expect(stopped.returncode != 0, f"signal {int(number)} is told by the status", stopped)
    rest = solve(folder, endless, "steps = 2", f"restart = {folder}/checkpoint.h5")
    expect(rest.returncode == 0, f"a run that signal {int(number)} stopped goes on", rest)
    last = lines_of(folder, "series")[-1].split(",")[0]
    run = solve(whole, endless, f"steps = {last}")
    expect(run.returncode == 0, f"{last} steps without a signal", run)
    for table in TABLES:    # the step at which it stopped has spectra of its own
        expect(set(lines_of(folder, table)) >= set(lines_of(whole, table)), f"signal {int(number)}: {table} is the same")


def check_by_clock(folder):
    """Without checkpoint-every there are checkpoints all the same."""
    folder.mkdir()
    (folder / "case.ini").write_text("grid = 16x16x16\nflow = random\nsteps = 400\ntime_end = 100\nseries_every = 1\n"
                                     "checkpoint-minutes = 1e-6\n")
    run = subprocess.Popen([*COMMAND, str(folder / "case.ini"), "--output", str(folder)],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    steps = itertools.count(1)
    act_at(run, lambda line: line.startswith("step ") and next(steps) == 5, lambda run: run.kill())
    expect(wait_for_end(folder) and (folder / "checkpoint.h5.previous").exists(), "checkpoints are written by the clock")


def check_earlier_run(folder):
    """Pictures and fields of an earlier run are set aside as its tables are."""
    for kind in ("slice", "volume"):
        run = solve(folder, "steps = 1", f"picture = {kind}", "picture-width = 64", "picture-height = 64", "fields = q")
        expect(run.returncode == 0, f"a run with picture = {kind}", run)
    names = {path.name for path in folder.iterdir()}
    expect({"picture_volume_00000001.png", "picture_slice_00000001.png.before", "fields_00000001.vtkhdf.before",
            "series.csv.before"} <= names and "picture_slice_00000001.png" not in names, f"an earlier run's files: {names}")


def wait_for_end(folder):
    """Ranks end after their launcher; the lock of the folder ends with them."""
    begin = time.monotonic()
    while time.monotonic() - begin < 60:
        holder = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(holder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            time.sleep(0.1)
        finally:
            os.close(holder)
    return False


def lines_of(folder, table):
    return (folder / f"{table}.csv").read_text().splitlines()


def check_killed(folder, whole):
    lines = random.randint(5, 36)      # the first checkpoint is written after the fourth
    killed = interrupt(folder, lines, lambda run: run.kill(), "time_end = 0.4")
    expect(killed.returncode != 0 and wait_for_end(folder), f"a run that is killed after {lines} lines ends", killed)
    rest = solve(folder, "time_end = 0.4", f"restart = {folder}/checkpoint.h5")
    expect(rest.returncode == 0, f"a run that was killed after {lines} lines goes on", rest)
    for table in TABLES:
        expect(lines_of(folder, table) == lines_of(whole, table), f"killed after {lines} lines, {table} is the same")


def check_past_end(folder, whole):
    """A run from a checkpoint that has its end behind it says so."""
    run = solve(folder, "time_end = 0.1", f"restart = {whole}/checkpoint.h5")
    expect(run.returncode == 0 and run.stderr.count("no step is taken") == 1, "a restart past time-end is told of", run)
    (folder / "idle.ini").write_text("grid = 8x8x8\nsteps = 1\nscalar-gradient = 1\nforcing-k = 2\nforcing-power = 0.5\n")
    idle = subprocess.run([*COMMAND, str(folder / "idle.ini"), "--output", str(folder)], capture_output=True, text=True,
                          timeout=100)
    expect(idle.returncode == 0 and idle.stderr.count("scalar-gradient = 1 does nothing without scalars") == 1
           and idle.stderr.count("forcing-k = 2 does nothing without forcing\n") == 1
           and idle.stderr.count("forcing-power = 0.5 does nothing without forcing = power") == 1, "what does nothing is told of", idle)


def check_left_out(folder, whole):
    """A scalar that the parameters do not ask for is told of; one that is not there is refused. Folders above are made."""
    folder.mkdir()
    for scalars, status, told in ((0, 0, "scalar 1 is left out"), (2, 2, "at most as many are accepted")):
        (folder / f"{scalars}.ini").write_text(f"grid = 16x24x20\nscalars = {scalars}\nsteps = 1\ntime_end = 9\n"
                                               f"viscosity = 0.05\nrestart = {whole}/checkpoint.h5\n")
        run = subprocess.run([*COMMAND, str(folder / f"{scalars}.ini"), "--output", str(folder / "of" / str(scalars))],
                             capture_output=True, text=True, timeout=100)
        expect(run.returncode == status and run.stderr.count(told) == 1, f"a restart with {scalars} scalars of 1", run)
    expect((folder / "of" / "0" / "series.csv").exists(), "a folder is made with those above it")


def check_damaged(folder, whole):
    folder.mkdir()
    for name in ("checkpoint.h5", "checkpoint.h5.previous"):
        shutil.copy(whole / name, folder)
    file = folder / "checkpoint.h5"
    data = file.read_bytes()
    middle = len(data) // 2
    for what, damaged in (("cut", data[:middle]), ("with a wrong byte", data[:middle] + bytes([data[middle] ^ 16]) + data[middle + 1:])):
        file.write_bytes(damaged)
        run = solve(folder, "time_end = 0.5", f"restart = {file}")
        expect(run.returncode == 2 and run.stderr.startswith(f"parseval dns: {file} ") and f"restart = {file}.previous" in run.stderr,
               f"a checkpoint {what} is refused and the one before it offered", run)
    run = solve(folder, "time_end = 0.42", f"restart = {file}.previous")
    expect(run.returncode == 0, "the one before it can be taken", run)


BLOWS_UP = """grid = 16x16x16
viscosity = 0.0001
flow = random
amplitude = 10
dt = 0.5
time_end = 100
checkpoint_every = 2
"""


def check_blow_up(folder, steps):
    """Whatever the step at which the run ends: never rc 0 with NaN, and never a checkpoint that is not finite."""
    folder.mkdir()
    case = folder / "case.ini"
    case.write_text(BLOWS_UP + f"steps = {steps}\n")
    run = subprocess.run([*COMMAND, str(case), "--output", str(folder)], capture_output=True, text=True, timeout=100)
    expect(run.returncode == (0 if steps == 4 else 1) and "nan" not in run.stdout, f"{steps} steps are told as they are", run)
    if steps > 4:
        expect("is not finite" in run.stderr and "cfl = 0.11" in run.stderr, f"{steps} steps: what would do is told", run)
    expect("nan" not in (folder / "series.csv").read_text(), f"{steps} steps: no line without a number")
    for name in ("checkpoint.h5", "checkpoint.h5.previous"):
        if not (folder / name).exists():
            continue
        case.write_text(f"grid = 16x16x16\ntime_end = 0\nrestart = {folder}/{name}\ncheckpoint_every = -1\n")
        rest = subprocess.run([*COMMAND, str(case), "--output", str(folder / "rest")], capture_output=True, text=True,
                              timeout=100)
        expect(rest.returncode == 0 and "nan" not in rest.stdout, f"{steps} steps: {name} is finite", rest)
    expect((folder / "checkpoint.h5").exists(), f"{steps} steps leave a checkpoint")


# Lines of the case, the reason that is told.
REFUSED_STARTS = [
    ("amplitude = 1e200", "products of the velocity that the run begins with"),
    ("amplitude = 1e39\nprecision = fp32", "or precision = fp64, is accepted"),
    ("forcing = power\nforcing-k = 0.5", "and nothing does"),
]


def check_start(folder, lines, told):
    """A flow that begins beyond numbers, or has nothing that its forcing could push, is refused before a file is written."""
    folder.mkdir()
    (folder / "case.ini").write_text(f"grid = 16x16x16\n{lines}\n")
    run = subprocess.run([*COMMAND, str(folder / "case.ini"), "--output", str(folder)], capture_output=True, text=True, timeout=100)
    expect(run.returncode == 2 and run.stderr.count(told) == 1 and "a shorter dt" not in run.stderr, f"{lines} is refused", run)
    expect([path.name for path in folder.iterdir()] == ["case.ini"], f"{lines}: nothing is written")


# Lines of the case, the file that they ask for.
FAILED_FILES = [
    ("picture = slice\npicture_every = 5", "picture_slice_00000005.png"),
    ("fields = q\nfields_every = 5", "fields_00000005.vtkhdf"),
    ("picture = slice\nsteps = 5", "picture_slice_00000005.png"),
]


def check_failed_file(folder, lines, name):
    """A picture or a file of fields that cannot be written ends the run, and leaves a checkpoint of its step."""
    (folder / name / "in_the_way").mkdir(parents=True)
    run = solve(folder, "time_end = 1", lines)
    expect(run.returncode != 0 and name in run.stderr, f"{name} cannot be written", run)
    rest = solve(folder, "steps = 1", f"restart = {folder}/checkpoint.h5")
    expect(rest.returncode == 0 and "step       6 " in rest.stdout, f"and step 5 is kept: {lines}", rest)


def check_whole_planes(folder):
    folder.mkdir()
    case = folder / "case.ini"
    case.write_text("grid = 64x4x4\nsteps = 2\npicture = slice\n")
    for _ in range(4):
        run = subprocess.run([*LAUNCHER[:-1], "4", PROGRAM, "dns", str(case), "--output", str(folder)],
                             capture_output=True, text=True, timeout=100)
        expect(run.returncode == 2 and "whole planes" in run.stderr and "step " not in run.stdout,
               "ranks that share planes are told before the first step", run)
        expect("asks to stop" not in run.stderr, "and not of the signal by which the launcher ends the last of them", run)
    run = subprocess.run([*LAUNCHER[:-1], "5", PROGRAM, "dns", str(case), "--output", str(folder)], capture_output=True,
                         text=True, timeout=100)
    expect(run.returncode == 0 and (folder / "picture_slice_00000002.png").exists(), "a prime number of ranks has whole planes", run)


def check_full_disk(folder):
    """In a file system of a megabyte, of our own, where one may be mounted."""
    inside = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
    mount = f"mount -t tmpfs -o size=1m none {folder}"
    folder.mkdir()
    if subprocess.run([*inside, "sh", "-c", mount], capture_output=True).returncode:
        print("SKIP: no file system can be mounted")
        return
    write_case(folder, "time_end = 100")
    case, kept = folder.parent / "full.ini", folder.parent / "kept"
    shutil.copy(folder / "case.ini", case)
    kept.mkdir()
    run = subprocess.run([*inside, "sh", "-c", f"{mount} && {PROGRAM} dns {case} --output {folder}; status=$?; "
                          f"cp {folder}/* {kept}; exit $status"], capture_output=True, text=True, timeout=100)
    expect(run.returncode == 1 and run.stderr.count("parseval dns:") == 1 and "cannot write" in run.stderr and
           "No space left on device" in run.stderr and "signal" not in run.stderr, "a full disk is told once", run)
    expect(not list(kept.glob("*.tmp")), "what was not finished is removed")
    rest = solve(kept, "steps = 2", f"restart = {kept}/checkpoint.h5")
    expect(rest.returncode == 0, "the last checkpoint is whole", rest)
    # Wherever it is that there is no room: also where HDF5 writes its tables, of which it cannot bear the loss.
    case.write_text("grid = 8x8x8\nsteps = 1\nscheme = ab3\nscalars = 1\nstructure-every = 0\n")
    for kilobytes in range(16, 80, 8):
        run = subprocess.run([*inside, "sh", "-c", f"{mount} && dd if=/dev/zero of={folder}/fill bs=1k count={1024 - kilobytes} && "
                              f"exec {PROGRAM} dns {case} --output {folder}/run"], capture_output=True, text=True, timeout=100)
        told = [line for line in run.stderr.splitlines() if line.startswith("parseval dns:")]
        expect(run.returncode in (0, 1) and len(told) == run.returncode and all("No space left" in line for line in told),
               f"{kilobytes} kB of room", run)


def check_limited_files(folder):
    """A limit on the size of files is told as a full disk is: HDF5 is not let near it."""
    folder.mkdir()
    (folder / "case.ini").write_text("grid = 64x64x64\nscheme = ab3\nscalars = 1\nsteps = 1\nseries_every = 1\n")
    run = subprocess.run(["prlimit", f"--fsize={6 << 20}", PROGRAM, "dns", str(folder / "case.ini"), "--output", str(folder)],
                         capture_output=True, text=True, timeout=100)
    expect(run.returncode == 1 and run.stderr.count("parseval dns:") == 1 and "cannot write" in run.stderr and
           "File too large" in run.stderr, "a file beyond the limit is told once", run)
    expect(not list(folder.glob("*.tmp")), "what was not finished is removed (limit)")


def check_fields(folder):
    """What VTK makes of a file, where it is installed."""
    run = solve(folder, "steps = 3", "fields = velocity,pressure,scalars", "fields_every = 3")
    expect(run.returncode == 0, "a run with files of fields succeeds", run)
    expect(len(list(folder.glob("fields_*.vtkhdf"))) == 2, "a file of fields at each chosen step")
    try:
        from vtkmodules.vtkIOHDF import vtkHDFReader
    except ImportError:
        print("SKIP: VTK's Python modules are not there")
        return
    reader = vtkHDFReader()
    reader.SetFileName(str(folder / "fields_00000003.vtkhdf"))
    reader.Update()
    image = reader.GetOutput()
    arrays = [image.GetPointData().GetArray(name) for name in ("velocity", "pressure", "scalar1")]
    expect(image.GetDimensions() == (16, 24, 20), "VTK sees the grid")
    expect(all(arrays) and [a.GetNumberOfComponents() for a in arrays] == [3, 1, 1], "VTK sees the fields")


def check_lock(folder):
    folder.mkdir()
    holder = os.open(folder, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    run = solve(folder, "steps = 2")
    expect(run.returncode == 2 and "another run is at work in" in run.stderr, "a second run is refused", run)
    expect(not (folder / "series.csv").exists(), "and has written nothing")
    os.close(holder)


def check_plot_alone(folder):
    run = subprocess.run([*write_case(folder), "--plot", str(folder)], capture_output=True, text=True, timeout=100)
    expect(run.returncode == 2 and "beside --plot" in run.stderr, "a case beside --plot is refused", run)


def checks_of_checkpoints(folder):
    whole = folder / "whole"
    run = solve(whole, "time_end = 0.4")
    expect(run.returncode == 0, "a run succeeds", run)
    for number in range(1 if LAUNCHER else 3):
        yield partial(check_killed, folder / f"killed{number}", whole)
    for number in [signal.SIGUSR1, signal.SIGTERM] if LAUNCHER else [signal.SIGTERM]:
        yield partial(check_stopped, folder / f"stopped{int(number)}", number)
    for steps in (4, 9, 40) if LAUNCHER else (4, 8, 9, 10, 12, 40):
        yield partial(check_blow_up, folder / f"blow_up{steps}", steps)
    for number, (lines, told) in enumerate(REFUSED_STARTS):
        yield partial(check_start, folder / f"start{number}", lines, told)
    for number, (lines, name) in enumerate(FAILED_FILES):
        yield partial(check_failed_file, folder / f"failed_file{number}", lines, name)
    for check in (check_damaged, check_past_end, check_left_out):
        yield partial(check, folder / check.__name__, whole)
    alone = () if LAUNCHER else (check_full_disk, check_limited_files)
    for check in (check_by_clock, check_earlier_run, check_fields, *alone):
        yield partial(check, folder / check.__name__)


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        checks = [partial(check_lock, folder / "lock"), partial(check_plot_alone, folder / "plot")]
        if LAUNCHER:
            checks.append(partial(check_whole_planes, folder / "planes"))
        if has_hdf5():
            checks += checks_of_checkpoints(folder)
        together(*checks)
    print(f"{len(failures)} expectations failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
