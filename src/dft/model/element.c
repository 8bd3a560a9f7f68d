// SPDX-License-Identifier: Apache-2.0
#include "dft/model/element.h"

#include <string.h>

static const char symbols[][3] = {
    "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si", "P",  "S",  "Cl",
    "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se",
    "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb",
    "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr", "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er",
    "Tm", "Yb", "Lu", "Hf", "Ta", "W",  "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At",
    "Rn", "Fr", "Ra", "Ac", "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No",
    "Lr", "Rf", "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og"};

enum { ELEMENTS = sizeof symbols / sizeof symbols[0] };

// Of the most stable isotope where none is stable.
static const double masses[] = {
    1.008, 4.0026, 6.94, 9.0122, 10.81, 12.011, 14.007, 15.999, 18.9984, 20.1797, 22.9898, 24.305, 26.9815, 28.085,
    30.9738, 32.06, 35.45, 39.948, 39.0983, 40.078, 44.9559, 47.867, 50.9415, 51.9961, 54.938, 55.845, 58.9332,
    58.6934, 63.546, 65.38, 69.723, 72.63, 74.9216, 78.971, 79.904, 83.798, 85.4678, 87.62, 88.9058, 91.224,
    92.9064, 95.95, 97.9072, 101.07, 102.906, 106.42, 107.868, 112.414, 114.818, 118.71, 121.76, 127.6, 126.904,
    131.293, 132.905, 137.327, 138.905, 140.116, 140.908, 144.242, 144.913, 150.36, 151.964, 157.25, 158.925, 162.5,
    164.93, 167.259, 168.934, 173.054, 174.967, 178.49, 180.948, 183.84, 186.207, 190.23, 192.217, 195.084, 196.967,
    200.592, 204.38, 207.2, 208.98, 208.982, 209.987, 222.018, 223.02, 226.025, 227.028, 232.038, 231.036, 238.029,
    237.048, 244.064, 243.061, 247.07, 247.07, 251.08, 252.083, 257.095, 258.098, 259.101, 262.11, 267.122, 268.126,
    271.134, 270.133, 269.134, 278.156, 281.165, 281.166, 285.177, 286.182, 289.19, 289.194, 293.204, 293.208,
    294.214};
_Static_assert(sizeof masses / sizeof masses[0] == ELEMENTS, "a mass for each element");

// H to Cm; of Mn, Fe and Co in the low-spin state.
static const double radii[] = {
    0.31, 0.28, 1.28, 0.96, 0.84, 0.76, 0.71, 0.66, 0.57, 0.58, 1.66, 1.41, 1.21, 1.11, 1.07, 1.05, 1.02, 1.06, 2.03,
    1.76, 1.70, 1.60, 1.53, 1.39, 1.39, 1.32, 1.26, 1.24, 1.32, 1.22, 1.22, 1.20, 1.19, 1.20, 1.20, 1.16, 2.20, 1.95,
    1.90, 1.75, 1.64, 1.54, 1.47, 1.46, 1.42, 1.39, 1.45, 1.44, 1.42, 1.39, 1.39, 1.38, 1.39, 1.40, 2.44, 2.15, 2.07,
    2.04, 2.03, 2.01, 1.99, 1.98, 1.98, 1.96, 1.94, 1.92, 1.92, 1.89, 1.90, 1.87, 1.87, 1.75, 1.70, 1.62, 1.51, 1.44,
    1.41, 1.36, 1.36, 1.32, 1.45, 1.46, 1.48, 1.40, 1.50, 1.50, 2.60, 2.21, 2.15, 2.06, 2.00, 1.96, 1.90, 1.87, 1.80,
    1.69};
enum { RADII = sizeof radii / sizeof radii[0] };
_Static_assert(RADII == 96, "a radius for each element up to Cm");

int pv_element_number(const char *symbol)
{
    for (int i = 0; i < ELEMENTS; i++)
        if (strcmp(symbol, symbols[i]) == 0) return i + 1;
    return 0;
}

const char *pv_element_symbol(int number)
{
    return number >= 1 && number <= ELEMENTS ? symbols[number - 1] : NULL;
}

double pv_element_mass(int number) { return number >= 1 && number <= ELEMENTS ? masses[number - 1] : 0.0; }

double pv_element_radius(int number)
{
    if (number < 1 || number > ELEMENTS) return 0.0;
    return number <= RADII ? radii[number - 1] : 1.6;
}
