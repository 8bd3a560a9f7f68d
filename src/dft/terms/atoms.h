// SPDX-License-Identifier: Apache-2.0
// Fields that are sums over atoms of a spherical function: local potential, core density, atomic densities.
#ifndef PV_DFT_ATOMS_H
#define PV_DFT_ATOMS_H

#include "dft/model/grid.h"
#include "dft/model/pseudo_form.h"

// One of pseudo_form.h: the transform of the function of one atom at |G|.
typedef double (*pv_atom_form)(const pv_pseudo *pseudo, double q);

// waves(G) = sum over atoms of form(|G|) / volume exp(-i G tau); pseudo[species]. Local.
pv_status pv_atoms_field(const pv_grid *grid, const pv_cell *cell, pv_pseudo *const *pseudo, pv_atom_form form,
                         double _Complex *waves);

// The same with each atom's function times weight[atoms].
pv_status pv_atoms_weighted_field(const pv_grid *grid, const pv_cell *cell, pv_pseudo *const *pseudo, pv_atom_form form,
                                  const double *weight, double _Complex *waves);

// Adds to forces_ha_bohr[atom] minus the derivative of  integral f(r) u(r) dr  where u is the field above and f is held
// fixed; f in plane waves of this rank. This rank's part of the sum only. Local.
pv_status pv_atoms_add_forces(const pv_grid *grid, const pv_cell *cell, pv_pseudo *const *pseudo, pv_atom_form form,
                              const double _Complex *f, double (*forces_ha_bohr)[3]);

// Adds the derivative by the strain of that integral, for fixed volume * f and structure factors; this rank's part.
// Local.
pv_status pv_atoms_add_strain(const pv_grid *grid, const pv_cell *cell, pv_pseudo *const *pseudo, pv_atom_form form,
                              const double _Complex *f, double (*strain_ha)[3]);

#endif
