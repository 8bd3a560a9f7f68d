#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_readers.py ase|pymatgen PARSEVAL: runs of several kinds; the library reads their files and finds what
results.json says. (tests/dft/read_back compares every number, of a run that was made up.)"""
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings

READER, PROGRAM = sys.argv[1], sys.argv[2]
# The distribution's libraries belong to the distribution's Python, which need not be the first one.
SYSTEM_PYTHON = "/usr/bin/python3"
if importlib.util.find_spec(READER) is None:
    if os.path.realpath(sys.executable) != os.path.realpath(SYSTEM_PYTHON) and os.path.exists(SYSTEM_PYTHON):
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    print(f"SKIP: readers: {READER} is not installed")
    sys.exit(0)
import numpy as np

warnings.simplefilter("ignore")
SILICON = "silicon\n5.43\n0 .5 .5\n.5 0 .5\n.5 .5 0\nSi\n2\nDirect\n0 0 0\n.26 .25 .24\n"
OXYGEN = "O2\n1.0\n4 0 0\n0 4.2 0\n0 0 4.5\nO\n2\nCartesian\n0 0 0\n0 0 1.22\n"
MESH = "mesh\n0\nGamma\n{0} {0} {0}\n0 0 0\n"
PATH = "path\n4\nline\nreciprocal\n.5 .5 .5 L\n0 0 0 G\n\n0 0 0 G\n.5 0 .5 X\n"
LIST = "list\n6\nReciprocal\n" + "".join(f"{k}\n" for k in (
    "0 0 0 1", ".5 0 0 2", "0 .5 0 2", ".5 .5 0 3", ".25 0 0 0", ".25 .25 0 0"))
# POSCAR, INCAR, KPOINTS, the case whose density stays, whether the run converges.
CASES = {
    "metal": (SILICON, "ENCUT = 160; NBANDS = 8\nISMEAR = 1; SIGMA = 0.5\nEDIFF = 1E-7", MESH.format(2), None, True),
    "path": (SILICON, "ENCUT = 160; NBANDS = 8\nISMEAR = 0; SIGMA = 0.1\nICHARG = 11", PATH, "metal", True),
    "spin": (OXYGEN, "ENCUT = 250; ISPIN = 2; MAGMOM = 2*1\nISMEAR = 0; SIGMA = 0.05", MESH.format(1), None, True),
    "hybrid": (SILICON, "ENCUT = 160; NBANDS = 8\nISMEAR = 0; SIGMA = 0.05\nLHFCALC = T; HFSCREEN = 0.2", LIST, None,
               True),
    "unfinished": (SILICON, "ENCUT = 160; NELM = 2\nISMEAR = 0; SIGMA = 0.05", MESH.format(1), None, False),
}
HARTREE_EV, KBAR_OF_EV_ANGSTROM3 = 27.211386245988, 1602.176634
failures = []


def check(what, found, expected, tolerance=1e-6):
    found, expected = np.asarray(found, float).ravel(), np.asarray(expected, float).ravel()
    if found.shape != expected.shape or not np.all(np.abs(found - expected) <= tolerance):
        failures.append(f"{what}: found {found}, expected {expected}")


def same(what, found, expected):
    if found != expected:
        failures.append(f"{what}: found {found!r}, expected {expected!r}")


class Expected:
    def __init__(self, folder):
        values = json.loads((folder / "results.json").read_text())
        self.free, self.sigma0 = values["energy_ha"] * HARTREE_EV, values["energy_sigma0_ha"] * HARTREE_EV
        self.kpoints, self.weights, self.fermi = values["kpoints"], values["weights"], values["fermi_ev"]
        self.bands = np.array(values["eigenvalues_ev"])  # [spin][k][band]
        self.spins = len(self.bands)
        self.filling = np.array(values["occupations"]) * self.spins / 2 if self.spins == 1 else values["occupations"]
        self.forces, self.stress = values["forces_ev_angstrom"], values["stress_kbar"]
        self.electrons = 8 if self.spins == 1 else 12
        self.system, self.moment = values["system"], values["moment_mu_b"]
        self.steps = values["iterations"]
        same("electrons in results.json", self.system["electrons"], self.electrons)
        same("spins in results.json", self.system["spins"], self.spins)
        same("bands in results.json", self.system["bands"], self.bands.shape[2])
        self.is_metal = values["gap_ev"] is None
        self.gap = None if self.is_metal else values["gap_ev"]["fundamental"]
        if self.spins == 2 and not self.is_metal:
            filled = np.array(self.filling) > 0.5
            check("gaps of spins", values["gap_ev"]["spins"],
                  [bands[~full].min() - bands[full].max() for bands, full in zip(self.bands, filled)])


def read_ase(case, folder, expected):
    import ase.io
    from ase.calculators.vasp import VaspChargeDensity

    for name, form in (("OUTCAR", "vasp-out"), ("vasprun.xml", "vasp-xml")):
        atoms = ase.io.read(folder / name, format=form)
        same(f"{case} {name} elements", atoms.get_chemical_symbols(), expected.system["elements"])
        check(f"{case} {name} volume", atoms.get_volume(), expected.system["volume_angstrom3"], 1e-4)
        if name == "OUTCAR" and expected.spins == 2:
            check(f"{case} {name} moment", atoms.get_magnetic_moment(), expected.moment, 1e-4)
        check(f"{case} {name} energy", atoms.get_potential_energy(), expected.sigma0)
        check(f"{case} {name} free energy", atoms.get_potential_energy(force_consistent=True), expected.free)
        check(f"{case} {name} Fermi energy", atoms.calc.get_fermi_level(), expected.fermi, 1e-4)
        if expected.forces:
            check(f"{case} {name} forces", atoms.get_forces(), expected.forces)
        if expected.stress:
            stress = np.reshape(expected.stress, (3, 3)) / -KBAR_OF_EV_ANGSTROM3
            check(f"{case} {name} stress", atoms.get_stress(), stress.ravel()[[0, 4, 8, 5, 2, 1]], 1e-7)
        for spin in range(expected.spins):
            for k in range(len(expected.kpoints)):
                found = atoms.calc.get_eigenvalues(k, spin)
                check(f"{case} {name} bands", found, expected.bands[spin, k], 1e-4 if name == "OUTCAR" else 1e-6)
    contcar = ase.io.read(folder / "CONTCAR", format="vasp")
    check(f"{case} CONTCAR positions", contcar.positions, ase.io.read(folder / "POSCAR", format="vasp").positions)
    if (folder / "CHGCAR").exists():
        charge = VaspChargeDensity(str(folder / "CHGCAR"))
        volume = charge.atoms[0].get_volume()
        check(f"{case} CHGCAR electrons", charge.chg[0].mean() * volume, expected.electrons, 1e-5)
        same(f"{case} CHGCAR spins", 1 + len(charge.chgdiff), expected.spins)


def read_vasprun(case, folder, expected, channels):
    from pymatgen.io.vasp.outputs import BSVasprun, Vasprun

    xml = Vasprun(folder / "vasprun.xml", parse_potcar_file=False)
    converges = CASES[case][4]
    same(f"{case} vasprun.xml converged", (xml.converged, xml.converged_electronic), (converges, converges))
    same(f"{case} vasprun.xml functional", xml.run_type, "HSE06" if case == "hybrid" else "PBE")
    check(f"{case} vasprun.xml energy", float(xml.final_energy), expected.sigma0)
    check(f"{case} vasprun.xml Fermi energy", xml.efermi, expected.fermi)
    check(f"{case} vasprun.xml k-points", xml.actual_kpoints, expected.kpoints)
    check(f"{case} vasprun.xml weights", xml.actual_kpoints_weights, expected.weights)
    check(f"{case} vasprun.xml bands", [xml.eigenvalues[s][:, :, 0] for s in channels], expected.bands)
    check(f"{case} vasprun.xml occupations", [xml.eigenvalues[s][:, :, 1] for s in channels], expected.filling)
    same(f"{case} vasprun.xml steps", len(xml.ionic_steps[-1]["electronic_steps"]), expected.steps)
    if expected.forces:
        check(f"{case} vasprun.xml forces", xml.ionic_steps[-1]["forces"], expected.forces)
    if expected.stress:
        check(f"{case} vasprun.xml stress", xml.ionic_steps[-1]["stress"], expected.stress)
    check(f"{case} vasprun.xml states in its DOS", sum(xml.idos.densities[s][-1] for s in channels),
          expected.bands.shape[2] * 2, 1e-3)
    xml.get_computed_entry()
    xml.as_dict()
    points = str(folder / "KPOINTS")
    if case == "path":
        bands = xml.get_band_structure(kpoints_filename=points, line_mode=True)
        same("path branches", [branch["name"] for branch in bands.branches], ["L-G", "G-X"])
    if case == "hybrid":
        bands = BSVasprun(folder / "vasprun.xml", parse_potcar_file=False).get_band_structure(
            kpoints_filename=points, line_mode=True, force_hybrid_mode=True)
        check("hybrid points of weight 0", [k.frac_coords for k in bands.kpoints], expected.kpoints[-2:])
        check("hybrid bands", bands.bands[channels[0]].T, expected.bands[0, -2:])
    if case == "spin":
        check("spin gap", xml.eigenvalue_band_properties[0], expected.gap, 2e-6)


def read_pymatgen(case, folder, expected):
    from pymatgen.electronic_structure.core import Spin
    from pymatgen.io.vasp.inputs import Incar, Kpoints, Poscar
    from pymatgen.io.vasp.outputs import Chgcar, Eigenval, Oszicar, Outcar

    channels = [Spin.up, Spin.down][:expected.spins]
    read_vasprun(case, folder, expected, channels)
    outcar = Outcar(folder / "OUTCAR")
    check(f"{case} OUTCAR energies", [outcar.final_fr_energy, outcar.final_energy], [expected.free, expected.sigma0])
    check(f"{case} OUTCAR Fermi energy", outcar.efermi, expected.fermi, 1e-4)
    check(f"{case} OUTCAR electrons", outcar.nelect, expected.electrons)
    oszicar = Oszicar(folder / "OSZICAR")
    same(f"{case} OSZICAR steps", len(oszicar.electronic_steps[-1]), expected.steps)
    check(f"{case} OSZICAR energies", [oszicar.ionic_steps[0]["F"], float(oszicar.final_energy)],
          [expected.free, expected.sigma0], 1e-5)
    eigenval = Eigenval(folder / "EIGENVAL")
    same(f"{case} EIGENVAL numbers", (eigenval.ispin, eigenval.nelect, eigenval.nkpt, eigenval.nbands),
         (expected.spins, expected.electrons, len(expected.kpoints), expected.bands.shape[2]))
    check(f"{case} EIGENVAL bands", [eigenval.eigenvalues[s][:, :, 0] for s in channels], expected.bands)
    check(f"{case} EIGENVAL occupations", [eigenval.eigenvalues[s][:, :, 1] for s in channels], expected.filling)
    if case != "path":
        chgcar = Chgcar.from_file(folder / "CHGCAR")
        check(f"{case} CHGCAR electrons", chgcar.data["total"].mean(), expected.electrons, 1e-5)
        same(f"{case} CHGCAR spins", len(chgcar.data), expected.spins)
    if case == "spin":
        check("spin OUTCAR magnetisation", outcar.total_mag, 2.0, 1e-3)
        check("spin OSZICAR magnetisation", oszicar.ionic_steps[0]["mag"], 2.0, 1e-3)
        check("spin CHGCAR magnetisation", chgcar.data["diff"].mean(), 2.0, 1e-3)
    # What goes in is VASP's too, and CONTCAR goes in again.
    check(f"{case} CONTCAR positions", Poscar.from_file(folder / "CONTCAR").structure.cart_coords,
          Poscar.from_file(folder / "POSCAR").structure.cart_coords)
    Incar.from_file(folder / "INCAR")
    Kpoints.from_file(folder / "KPOINTS")


def make(root, case):
    poscar, incar, kpoints, density_of, _ = CASES[case]
    folder = root / case
    folder.mkdir()
    for name, text in (("POSCAR", poscar), ("INCAR", f"{incar}\n"), ("KPOINTS", kpoints)):
        (folder / name).write_text(text)
    if density_of:
        shutil.copy(root / density_of / "CHGCAR", folder)
    return folder


with tempfile.TemporaryDirectory() as root:
    for case in CASES:
        folder = make(pathlib.Path(root), case)
        run = subprocess.run([PROGRAM, "dft", str(folder)], capture_output=True, text=True, timeout=100)
        if (run.returncode == 0) != CASES[case][4]:
            failures.append(f"{case}: status {run.returncode}\n{run.stdout}\n{run.stderr}")
            continue
        {"ase": read_ase, "pymatgen": read_pymatgen}[READER](case, folder, Expected(folder))
for failure in failures:
    print(failure)
sys.exit(1 if failures else 0)
