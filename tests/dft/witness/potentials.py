#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""potentials.py FOLDER ELEMENT...: the built-in potentials as other codes read them: ELEMENT.gth for ABINIT (pspcod 10,
the analytic form itself) and ELEMENT.upf for Quantum ESPRESSO (the same functions on a radial mesh)."""
import math
import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).resolve().parents[3] / "src/dft/model/gth_table.c"
SYMBOLS = ("H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y "
           "Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re "
           "Os Ir Pt Au Hg Tl Pb Bi Po At Rn").split()
NUMBER = {symbol: i + 1 for i, symbol in enumerate(SYMBOLS)}


def rows():
    """[element, valence, advised cutoff, r_local, [c], [[r, projectors, [[h]]] by l]] by element."""
    text = TABLE.read_text()
    text = text[text.index("= {") + 2:text.rindex("}") + 1]
    found = eval(re.sub(r"//.*", "", text).replace("{", "[").replace("}", "]"), {})
    return {row[0]: row for row in found}


def words(values):
    return " ".join(repr(float(value)) for value in values)


def pspcod10(element):
    _, valence, _, r_local, c_local, channels = rows()[element]
    lines = [f"built-in GTH-PBE {element}", f"{NUMBER[element]} {valence} 050101  zatom zion pspdat",
             f"10 11 {len(channels) - 1} 0 2002 0  pspcod pspxc lmax lloc mmax r2well",
             f"{r_local} {len(c_local)} {words(c_local)}", f"{len(channels)}"]
    for l, (radius, count, h) in enumerate(channels):
        lines.append(f"{radius} {count} {words(h[0][:count])}")
        lines += [f"    {words(h[i][i:count])}" for i in range(1, count)]
        if l:  # spin-orbit coupling
            lines += [f"    {words([0.0] * (count - i))}" for i in range(max(count, 1))]
    return "\n".join(lines) + "\n"


def local(row, r):
    _, valence, _, a, c, _ = row
    return (-valence * math.erf(r / (math.sqrt(2) * a)) / r
            + math.exp(-(r / a)**2 / 2) * sum(c[i] * (r / a)**(2 * i) for i in range(len(c))))


def projector(r, l, i, a):
    power = l + 2 * i
    return math.sqrt(2) * r**power * math.exp(-(r / a)**2 / 2) / (a**(power + 1.5) * math.sqrt(math.gamma(power + 1.5)))


def block(values):
    numbers = [f"{value:.16E}" for value in values]
    return "\n".join(" ".join(numbers[i:i + 4]) for i in range(0, len(numbers), 4)) + "\n"


def upf(element):
    """On r = exp(x) of even steps, to 12 bohr; the density to start from is a Gaussian."""
    row = rows()[element]
    _, valence, _, _, _, channels = row
    step, points = 0.004, 3301
    radii = [12.0 * math.exp(step * (i - points + 1)) for i in range(points)]
    betas = [(l, i, a) for l, (a, count, _) in enumerate(channels) for i in range(count)]
    coupling = [2.0 * channels[l][2][i][j] if l == m else 0.0 for l, i, _ in betas for m, j, _ in betas]
    density = [4.0 * math.pi * r * r * valence * math.exp(-r * r) / math.pi**1.5 for r in radii]
    size = f'type="real" size="{points}" columns="4"'
    header = {"generated": "", "author": "", "date": "", "comment": "", "element": element, "pseudo_type": "NC",
              "relativistic": "scalar", "is_ultrasoft": "F", "is_paw": "F", "is_coulomb": "F", "has_so": "F",
              "has_wfc": "F", "has_gipaw": "F", "core_correction": "F", "functional": "PBE",
              "z_valence": f"{valence}.00",
              "total_psenergy": "0.0", "rho_cutoff": "0.0", "l_max": max([l for l, _, _ in betas], default=0),
              "l_local": -1, "mesh_size": points, "number_of_wfc": 0, "number_of_proj": len(betas)}
    attributes = "\n".join(f'  {name}="{value}"' for name, value in header.items())
    text = (f'<UPF version="2.0.1">\n<PP_INFO>\nbuilt-in GTH-PBE {element}\n</PP_INFO>\n<PP_HEADER\n{attributes}/>\n'
            f'<PP_MESH>\n<PP_R {size}>\n{block(radii)}</PP_R>\n'
            f'<PP_RAB {size}>\n{block(step * r for r in radii)}</PP_RAB>\n'
            f'</PP_MESH>\n<PP_LOCAL {size}>\n{block(2.0 * local(row, r) for r in radii)}</PP_LOCAL>\n<PP_NONLOCAL>\n')
    for k, (l, i, a) in enumerate(betas, 1):
        text += (f'<PP_BETA.{k}\n{size}\nindex="{k}"\nangular_momentum="{l}"\ncutoff_radius_index="{points}"\n'
                 f'cutoff_radius="12.0">\n{block(r * projector(r, l, i, a) for r in radii)}</PP_BETA.{k}>\n')
    return (text + f'<PP_DIJ type="real" size="{len(coupling)}" columns="4">\n{block(coupling)}</PP_DIJ>\n'
            f'</PP_NONLOCAL>\n<PP_PSWFC>\n</PP_PSWFC>\n<PP_RHOATOM {size}>\n{block(density)}</PP_RHOATOM>\n</UPF>\n')


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:]:
        (folder / f"{name}.gth").write_text(pspcod10(name))
        (folder / f"{name}.upf").write_text(upf(name))
