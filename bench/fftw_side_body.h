// SPDX-License-Identifier: Apache-2.0
// The FFTW-MPI plans of one precision; included by fftw_side.h once with the names of fftw_ and once of fftwf_.

typedef struct PLANS {
    FFTW(plan) forward, inverse;
} PLANS;

// out == in: in place. Real arrays have padded rows, as FFTW-MPI wants them.
static PLANS MAKE(const ptrdiff_t n[3], pv_fft_type type, void *in, void *out, unsigned rigor, MPI_Comm comm)
{
    unsigned forward = rigor | FFTW_MPI_TRANSPOSED_OUT, inverse = rigor | FFTW_MPI_TRANSPOSED_IN;
    PLANS plans;
    if (type == PV_R2C) {
        plans.forward = FFTW(mpi_plan_dft_r2c_3d)(n[0], n[1], n[2], in, out, comm, forward);
        plans.inverse = FFTW(mpi_plan_dft_c2r_3d)(n[0], n[1], n[2], out, in, comm, inverse);
    } else {
        plans.forward = FFTW(mpi_plan_dft_3d)(n[0], n[1], n[2], in, out, comm, FFTW_FORWARD, forward);
        plans.inverse = FFTW(mpi_plan_dft_3d)(n[0], n[1], n[2], out, in, comm, FFTW_BACKWARD, inverse);
    }
    return plans;
}

static void DESTROY(PLANS *plans)
{
    if (plans->forward) FFTW(destroy_plan)(plans->forward);
    if (plans->inverse) FFTW(destroy_plan)(plans->inverse);
}

static void LOAD(const char *path, int rank, MPI_Comm comm)
{
    if (rank == 0) FFTW(import_wisdom_from_filename)(path);
    FFTW(mpi_broadcast_wisdom)(comm);
}

static void SAVE(const char *path, int rank, MPI_Comm comm)
{
    FFTW(mpi_gather_wisdom)(comm);
    if (rank == 0) FFTW(export_wisdom_to_filename)(path);
}
