#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_restart.py PARSEVAL [LAUNCHER ... RANKS]: a run that is stopped by a signal, or by STOPCAR, and goes on; what is
said without room for a checkpoint; the example of bands."""
import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from functools import partial

from checks import LAUNCHER, PROGRAM, act_at, expect, failures, has_hdf5, together

COMMAND = [*LAUNCHER, PROGRAM, "dft"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
INCAR = "ENCUT = 160\nISMEAR = 0\nSIGMA = 0.05\nNBANDS = 6\nNELM = 100000\nEDIFF = {}\n"


def make_case(folder, ediff):
    folder.mkdir(exist_ok=True)
    shutil.copy(ROOT / "examples/si_bands/POSCAR", folder)
    (folder / "INCAR").write_text(INCAR.format(ediff))
    (folder / "KPOINTS").write_text("mesh\n0\nGamma\n2 2 2\n")


def solve(folder, *options):
    return subprocess.run([*COMMAND, str(folder), *options], capture_output=True, text=True, timeout=100)


def steps_of(text):
    return len(re.findall(r"^ +\d+ +-\d+\.\d{10} ", text, re.M))


def lines_of(oszicar):
    return len(re.findall(r"^DAV: ", oszicar, re.M))


def loops_of(outcar):
    return len(re.findall(r"^ +LOOP: ", outcar, re.M))


def text_of(path):
    return path.read_text() if path.exists() else ""


def energy_of(folder):
    return json.loads((folder / "results.json").read_text())["energy_ha"]


def stop_at(folder, step, number):
    """Runs without an end in sight, sends a signal after a step; under a launcher the one that it passes on."""
    run = subprocess.Popen([*COMMAND, str(folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return act_at(run, lambda line: re.match(rf" +{step} +-", line), lambda run: run.send_signal(number))


def messages(text):
    return [line for line in text.splitlines() if line.startswith("parseval dft:")]


def check_stop(folder, hdf5):
    make_case(folder, "1E-6")
    whole = solve(folder)
    expect(whole.returncode == 0, "a run from scratch succeeds", whole)
    energy, steps = energy_of(folder), steps_of(whole.stdout)
    number = signal.SIGUSR1 if LAUNCHER else signal.SIGTERM
    for name in folder.iterdir():
        name.unlink()
    make_case(folder, "0")
    stopped = stop_at(folder, 2, number)
    said = messages(stopped.stderr)
    expect(stopped.returncode == 3, f"status 3 after {number.name}", stopped)
    progress = text_of(folder / "OSZICAR")
    expect(lines_of(progress) == steps_of(stopped.stdout) and "F=" not in progress, f"OSZICAR has its steps: {progress}",
           stopped)
    outcar = text_of(folder / "OUTCAR")
    expect(loops_of(outcar) == steps_of(stopped.stdout) and "LOOP+" not in outcar, "OUTCAR has their times", stopped)
    expect(len(said) == 1 and "stopped on request after step" in said[0], "one message that says so", stopped)
    expect((folder / "parseval.h5").exists() == hdf5, "a checkpoint where there is HDF5")
    expect(not (folder / "results.json").exists(), "no results of a run that was stopped")
    if not hdf5:
        expect("this build has no HDF5" in stopped.stdout, "a build without HDF5 says so", stopped)
        return
    make_case(folder, "1E-6")
    rest = solve(folder)
    expect(rest.returncode == 0 and steps_of(rest.stdout) < steps, "the rest takes fewer steps", rest)
    expect(rest.returncode == 0 and abs(energy_of(folder) - energy) < 1e-7, "and gives the same energy", rest)


def check_stopcar(folder):
    make_case(folder, "0")
    (folder / "STOPCAR").write_text("LABORT = .TRUE.\n")
    stopped = solve(folder)
    expect(stopped.returncode == 3 and "(STOPCAR)" in stopped.stderr, "STOPCAR stops the first step", stopped)
    expect(not (folder / "STOPCAR").exists(), "and is removed")
    make_case(folder, "1E-5")
    (folder / "STOPCAR").write_text("LSTOP = .TRUE.\n")
    ended = solve(folder)
    expect(ended.returncode == 0 and not (folder / "STOPCAR").exists(), "LSTOP lets the run come to its end", ended)


def check_unfinished(folder):
    """NELM steps are not enough: results that say so, and a status of failure."""
    make_case(folder, "1E-12")
    (folder / "INCAR").write_text(INCAR.format("1E-12").replace("NELM = 100000", "NELM = 2"))
    run = solve(folder)
    results = json.loads((folder / "results.json").read_text()) if (folder / "results.json").exists() else {}
    expect(run.returncode == 1 and "not converged after 2 steps" in run.stderr, "NELM steps end in failure", run)
    expect(results.get("converged") is False and results.get("iterations") == 2, "results say that they are not", run)
    text, outcar = text_of(folder / "OSZICAR"), text_of(folder / "OUTCAR")
    expect(lines_of(text) == 2 and "F=" in text, f"OSZICAR has two steps and an end: {text}", run)
    expect(loops_of(outcar) == 2 and "LOOP+" in outcar, f"and so has OUTCAR: {outcar}", run)
    hybrid = "LHFCALC = T\nHFSCREEN = 0.2\nISTART = 0\nICHARG = 2\n"
    (folder / "INCAR").write_text(INCAR.format("1E-12").replace("NELM = 100000", "NELM = 1") + hybrid)
    run = solve(folder)
    expect(run.returncode == 1 and run.stderr.count("in 1 step exact exchange was not built") == 1,
           "a hybrid without exchange says so", run)


def check_earlier(folder):
    """Files of an earlier run are not beside those of one at work; of whole ones none is lost to one that was cut off."""
    old = ("OSZICAR", "OUTCAR", "CONTCAR", "EIGENVAL", "DOSCAR", "vasprun.xml", "results.json")
    make_case(folder, "0")
    for name in (*old, "CHGCAR"):
        (folder / name).write_text("old\n")
    (folder / "OUTCAR").write_text(" General timing and accounting informations for this job:\n old\n")
    for cut_off in range(2):
        (folder / "STOPCAR").write_text("LABORT = .TRUE.\n")
        run = solve(folder)
        kept = [name for name in old if "old" in text_of(folder / f"{name}.before")]
        expect(kept == list(old), f"the whole run is kept: {kept}", run)
        expect("an earlier run's are kept as NAME.before" in run.stdout or cut_off, "and that is said", run)
        left = sorted(path.name for path in folder.iterdir() if path.name in old)
        expect(left == ["OSZICAR", "OUTCAR"] and "old" not in text_of(folder / "OUTCAR"), f"only new files: {left}", run)
    expect(text_of(folder / "CHGCAR") == "old\n", "CHGCAR, which a run may begin from, stays", run)
    make_case(folder, "1E-5")
    ended = solve(folder, "--checkpoint", str(folder / "none.h5"))
    expect(ended.returncode == 0 and "old" not in text_of(folder / "CHGCAR"), "until it is replaced", ended)


def check_files(folder, hdf5):
    """--results leaves no other file; a file that is no checkpoint is refused; one that cannot be written is told."""
    make_case(folder, "1E-5")
    alone = solve(folder, "--results", str(folder / "alone.json"))
    found = sorted(path.name for path in folder.iterdir())
    expect(alone.returncode == 0 and found == ["INCAR", "KPOINTS", "POSCAR", "alone.json"], f"--results writes one file: "
           f"{found}", alone)
    holder = os.open(folder / "alone.json.lock", os.O_RDWR | os.O_CREAT)
    fcntl.flock(holder, fcntl.LOCK_EX)
    second = solve(folder, "--results", str(folder / "alone.json"))
    expect(second.returncode == 2 and "another run is at work for" in second.stderr, "a second run for one file", second)
    other = solve(folder, "--results", str(folder / "other.json"))
    expect(other.returncode == 0, "a run for another file beside it", other)
    os.close(holder)
    if not hdf5:
        return
    away = solve(folder, "--checkpoint", "/nowhere/parseval.h5")
    expect(away.returncode == 2 and "/nowhere/parseval.h5 cannot be written" in away.stderr and away.stdout == "",
           "a checkpoint that cannot be written is refused before the run", away)
    (folder / "parseval.h5").write_text("nonsense")
    refused = solve(folder)
    expect(refused.returncode == 2 and "no HDF5 file" in refused.stderr, "a foreign parseval.h5 is refused", refused)
    fresh = solve(folder, "--checkpoint", str(folder / "other.h5"))
    expect(fresh.returncode == 0 and (folder / "other.h5").exists(), "another name may be given", fresh)


def check_targets(folder):
    """What cannot be written at the end is refused before the first step, and the attempt leaves nothing."""
    make_case(folder, "1E-5")
    refused = {"no such folder": ["--results", "/nowhere/r.json"], "a directory": ["--results", str(folder)],
               "the input": ["--results", str(folder / "INCAR")]}
    for what, options in refused.items():
        run = solve(folder, *options)
        expect(run.returncode == 2 and "cannot be written" in run.stderr and steps_of(run.stdout) == 0,
               f"{what} as --results is refused before the run", run)
    before = sorted(folder.iterdir())
    (folder / "EIGENVAL").mkdir()
    run = solve(folder)
    expect(run.returncode == 2 and "EIGENVAL cannot be written" in run.stderr and steps_of(run.stdout) == 0,
           "a directory in the place of an output file is refused", run)
    (folder / "EIGENVAL").rmdir()
    expect(sorted(folder.iterdir()) == before, "no file is left of the attempt")
    if os.geteuid() == 0:
        return
    folder.chmod(0o500)
    run = solve(folder)
    folder.chmod(0o700)
    expect(run.returncode == 2 and "cannot be written" in run.stderr and steps_of(run.stdout) == 0,
           "a read-only folder is refused", run)


def check_special_files(folder):
    """Pipes, folders and damaged texts in the place of input or output are refused at once; so is a second run."""
    make_case(folder, "1E-5")
    os.mkfifo(folder / "pipe")
    run = solve(folder, "--results", str(folder / "pipe"))
    expect(run.returncode == 2 and "pipe cannot be written" in run.stderr, "a pipe as --results is refused", run)
    expect((folder / "pipe").is_fifo(), "and stays one")
    run = solve(folder / "POSCAR")
    expect(run.returncode == 2 and "POSCAR is a file; the folder" in run.stderr, "a file as folder is refused", run)
    # Ranks leave reading to the first one: a file of each reader shows that they end together.
    for name in ("INCAR", "parseval.h5") if LAUNCHER else ("INCAR", "KPOINTS", "POSCAR", "parseval.h5"):
        kept = (folder / name).read_bytes() if (folder / name).exists() else None
        for make in (os.mkfifo,) if LAUNCHER else (os.mkfifo, os.mkdir):
            (folder / name).unlink(missing_ok=True)
            make(folder / name)
            run = solve(folder)
            expect(run.returncode == 2 and f"{name} " in run.stderr and steps_of(run.stdout) == 0,
                   f"{name} by {make.__name__} is refused", run)
            (folder / name).rmdir() if make is os.mkdir else (folder / name).unlink()
        if not kept:
            continue
        (folder / name).write_bytes(kept[:-2] + b"\0" + kept[-2:])
        run = solve(folder)
        expect(run.returncode == 2 and f"{name}:{kept.count(10)}: found the control character 0x00" in run.stderr,
               f"{name} with a zero byte is refused", run)
        (folder / name).write_bytes(kept)
    holder = os.open(folder, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    run = solve(folder)
    expect(run.returncode == 2 and "another run is at work in" in run.stderr, "a second run is refused", run)
    os.close(holder)


def check_bands(folder):
    """More bands than plane waves are refused before anything is made of that size."""
    make_case(folder, "1E-5")
    for found, words in (("NBANDS = 6", "NBANDS = 100000"), ("ENCUT = 160", "ENCUT = 4")):
        (folder / "INCAR").write_text(INCAR.format("1E-5").replace(found, words))
        run = solve(folder)
        expect(run.returncode == 2 and "plane waves" in run.stderr and run.stdout == "", f"{words} is refused", run)


def check_example(folder):
    run = subprocess.run([str(ROOT / "examples/si_bands/run"), str(folder)], capture_output=True, text=True,
                         timeout=100, env={**os.environ, "PARSEVAL": PROGRAM})
    expect(run.returncode == 0 and "bands.svg" in run.stdout, "the example of bands runs", run)
    gap = re.search(r"^gap ([0-9.]+) eV", run.stdout, re.M)
    expect(gap and 0.4 < float(gap.group(1)) < 0.8, "silicon has PBE's gap", run)
    labels = (folder / "bands/bands.svg").read_text() if run.returncode == 0 else ""
    expect(all(label in labels for label in ("Γ", "U|K")), "the drawing has the labels of KPOINTS")


def main():
    hdf5 = has_hdf5()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        checks = [check_stopcar, check_unfinished, check_earlier, check_targets, check_bands]
        checks += [check_special_files] if hdf5 else []
        checks += [check_example] if hdf5 and not LAUNCHER else []
        together(partial(check_stop, folder / "stop", hdf5), partial(check_files, folder / "files", hdf5),
                 *[partial(check, folder / check.__name__) for check in checks])
    print(f"{len(failures)} expectations failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
