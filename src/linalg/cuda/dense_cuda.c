// SPDX-License-Identifier: Apache-2.0
// Dense algebra on GPUs of NVIDIA: cuBLAS and cuSOLVER.
#include <parseval/device_cuda.h>

#include <cublas_v2.h>
#include <cusolverDn.h>
#include <math.h>

#include "base/check.h"
#include "base/mem.h"
#include "linalg/dense_ops.h"
#include "linalg/matrix.h"

#define BLAS_TRY(call)                                                                                               \
    do {                                                                                                             \
        const cublasStatus_t status_ = (call);                                                                       \
        PV_REQUIRE(status_ == CUBLAS_STATUS_SUCCESS, status_ == CUBLAS_STATUS_ALLOC_FAILED ? PV_ERR_MEMORY           \
                                                                                           : PV_ERR_DEVICE,          \
                   "%s: %s", #call, cublasGetStatusName(status_));                                                   \
    } while (0)

#define SOLVER_TRY(call)                                                                                             \
    do {                                                                                                             \
        const cusolverStatus_t status_ = (call);                                                                     \
        PV_REQUIRE(status_ == CUSOLVER_STATUS_SUCCESS, status_ == CUSOLVER_STATUS_ALLOC_FAILED ? PV_ERR_MEMORY       \
                                                                                               : PV_ERR_DEVICE,      \
                   "%s: cuSOLVER's status %d", #call, (int)status_);                                                 \
    } while (0)

typedef struct cuda_dense {
    pv_device *device;
    cublasHandle_t blas;
    cusolverDnHandle_t solver;
    cusolverDnParams_t params;
    pv_buffer *work, *host_work;       // cuSOLVER's, on the device and on the host
    pv_buffer *numbers, *host_numbers; // eigenvalues, or a diagonal, and info before them
} cuda_dense;

static const char *kernels(void) { return "the GPU"; }

static void close(void *state)
{
    cuda_dense *dense = state;
    if (!dense) return;
    if (dense->blas) cublasDestroy(dense->blas);
    if (dense->params) cusolverDnDestroyParams(dense->params);
    if (dense->solver) cusolverDnDestroy(dense->solver);
    pv_buffer_destroy(dense->work);
    pv_buffer_destroy(dense->host_work);
    pv_buffer_destroy(dense->numbers);
    pv_buffer_destroy(dense->host_numbers);
    pv_mem_free(dense);
}

static pv_status start(cuda_dense *dense)
{
    const cudaStream_t stream = pv_stream_cuda(pv_device_stream(dense->device));
    BLAS_TRY(cublasCreate(&dense->blas));
    BLAS_TRY(cublasSetStream(dense->blas, stream));
    SOLVER_TRY(cusolverDnCreate(&dense->solver));
    SOLVER_TRY(cusolverDnCreateParams(&dense->params));
    SOLVER_TRY(cusolverDnSetStream(dense->solver, stream));
    return PV_OK;
}

static pv_status open(pv_device *device, void **state_p)
{
    cuda_dense *dense;
    PV_TRY(PV_ALLOC(1, &dense));
    dense->device = device;
    const pv_status status = start(dense);
    if (status != PV_OK) {
        close(dense);
        return status;
    }
    *state_p = dense;
    return PV_OK;
}

// ---- Products -----------------------------------------------------------------------------------------------------

static cublasOperation_t operation_of(pv_scalar scalar, char op)
{
    if (op != 'C') return CUBLAS_OP_N;
    return scalar == PV_SCALAR_REAL ? CUBLAS_OP_T : CUBLAS_OP_C;
}

static pv_status gemm(void *state, pv_scalar scalar, char op_a, char op_b, int64_t m, int64_t n, int64_t k,
                      double alpha, const void *a, int64_t lda, const void *b, int64_t ldb, double beta, void *c,
                      int64_t ldc)
{
    const cuda_dense *dense = state;
    const cublasOperation_t on_a = operation_of(scalar, op_a), on_b = operation_of(scalar, op_b);
    if (m == 0 || n == 0) return PV_OK;
    if (scalar == PV_SCALAR_REAL) {
        BLAS_TRY(cublasDgemm_64(dense->blas, on_a, on_b, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc));
        return PV_OK;
    }
    const cuDoubleComplex factor = {alpha, 0.0}, old = {beta, 0.0};
    BLAS_TRY(cublasZgemm_64(dense->blas, on_a, on_b, m, n, k, &factor, a, lda, b, ldb, &old, c, ldc));
    return PV_OK;
}

static pv_status trsm_right(void *state, pv_scalar scalar, int64_t m, int64_t n, const void *a, int64_t lda, void *b,
                            int64_t ldb)
{
    const cuda_dense *dense = state;
    const double one = 1.0;
    const cuDoubleComplex complex_one = {1.0, 0.0};
    if (m == 0 || n == 0) return PV_OK;
    if (scalar == PV_SCALAR_REAL)
        BLAS_TRY(cublasDtrsm_64(dense->blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                                CUBLAS_DIAG_NON_UNIT, m, n, &one, a, lda, b, ldb));
    else
        BLAS_TRY(cublasZtrsm_64(dense->blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                                CUBLAS_DIAG_NON_UNIT, m, n, &complex_one, a, lda, b, ldb));
    return PV_OK;
}

static pv_status copy(void *state, pv_scalar scalar, int64_t rows, int64_t columns, const void *from, int64_t ld_from,
                      void *to, int64_t ld_to)
{
    const cuda_dense *dense = state;
    const size_t bytes = (size_t)pv_scalar_reals(scalar) * sizeof(double);
    if (rows == 0 || columns == 0) return PV_OK;
    const cudaError_t error =
        cudaMemcpy2DAsync(to, (size_t)ld_to * bytes, from, (size_t)ld_from * bytes, (size_t)rows * bytes,
                          (size_t)columns, cudaMemcpyDefault, pv_stream_cuda(pv_device_stream(dense->device)));
    PV_REQUIRE(error == cudaSuccess, PV_ERR_DEVICE, "copying a matrix of %lld by %lld: %s", (long long)rows,
               (long long)columns, cudaGetErrorName(error));
    return PV_OK;
}

// ---- Small problems -----------------------------------------------------------------------------------------------

static pv_status grow(pv_device *device, size_t bytes, int on_host, pv_buffer **buffer_p)
{
    if (*buffer_p && pv_buffer_bytes(*buffer_p) >= bytes) return PV_OK;
    pv_buffer_destroy(*buffer_p);
    *buffer_p = NULL;
    return on_host ? pv_buffer_create_host(device, bytes, buffer_p) : pv_buffer_create(device, bytes, buffer_p);
}

// Info takes the place of the first number.
static pv_status make_room(cuda_dense *dense, int64_t n, size_t bytes, size_t host_bytes)
{
    const size_t numbers = (size_t)(n + 1) * sizeof(double);
    PV_TRY(grow(dense->device, bytes, 0, &dense->work));
    PV_TRY(grow(dense->device, host_bytes, 1, &dense->host_work));
    PV_TRY(grow(dense->device, numbers, 0, &dense->numbers));
    return grow(dense->device, numbers, 1, &dense->host_numbers);
}

// What the device found, info and n numbers, to the host.
static pv_status read_numbers(cuda_dense *dense, int64_t n, int *info_p, const double **numbers_p)
{
    const int *info = pv_buffer_data(dense->host_numbers);
    PV_TRY(pv_buffer_read(dense->numbers, 0, pv_buffer_data(dense->host_numbers), (size_t)(n + 1) * sizeof(double)));
    *info_p = *info;
    *numbers_p = (const double *)pv_buffer_data(dense->host_numbers) + 1;
    return PV_OK;
}

static cudaDataType type_of(pv_scalar scalar) { return scalar == PV_SCALAR_REAL ? CUDA_R_64F : CUDA_C_64F; }

static pv_status potrf(void *state, pv_scalar scalar, int64_t n, void *a, int64_t lda, int *info_p, double range[2])
{
    cuda_dense *dense = state;
    const cudaDataType type = type_of(scalar);
    size_t bytes, host_bytes;
    const double *diagonal;
    *info_p = 0;
    range[0] = INFINITY;
    range[1] = 0.0;
    if (n == 0) return PV_OK;
    SOLVER_TRY(cusolverDnXpotrf_bufferSize(dense->solver, dense->params, CUBLAS_FILL_MODE_UPPER, n, type, a, lda, type,
                                           &bytes, &host_bytes));
    PV_TRY(make_room(dense, n, bytes, host_bytes));
    double *numbers = pv_buffer_data(dense->numbers);
    SOLVER_TRY(cusolverDnXpotrf(dense->solver, dense->params, CUBLAS_FILL_MODE_UPPER, n, type, a, lda, type,
                                pv_buffer_data(dense->work), bytes, pv_buffer_data(dense->host_work), host_bytes,
                                (int *)numbers));
    PV_TRY(pv_matrix_take_diagonal(pv_device_stream(dense->device), scalar, n, a, lda, numbers + 1));
    PV_TRY(read_numbers(dense, n, info_p, &diagonal));
    for (int64_t j = 0; j < n; j++) {
        range[0] = fmin(range[0], diagonal[j]);
        range[1] = fmax(range[1], diagonal[j]);
    }
    return PV_OK;
}

static pv_status heevd(void *state, pv_scalar scalar, int64_t n, void *a, int64_t lda, double *values, int *info_p)
{
    cuda_dense *dense = state;
    const cudaDataType type = type_of(scalar);
    const cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
    size_t bytes, host_bytes;
    const double *found;
    *info_p = 0;
    if (n == 0) return PV_OK;
    SOLVER_TRY(cusolverDnXsyevd_bufferSize(dense->solver, dense->params, vectors, CUBLAS_FILL_MODE_UPPER, n, type, a,
                                           lda, CUDA_R_64F, NULL, type, &bytes, &host_bytes));
    PV_TRY(make_room(dense, n, bytes, host_bytes));
    double *numbers = pv_buffer_data(dense->numbers);
    SOLVER_TRY(cusolverDnXsyevd(dense->solver, dense->params, vectors, CUBLAS_FILL_MODE_UPPER, n, type, a, lda,
                                CUDA_R_64F, numbers + 1, type, pv_buffer_data(dense->work), bytes,
                                pv_buffer_data(dense->host_work), host_bytes, (int *)numbers));
    PV_TRY(read_numbers(dense, n, info_p, &found));
    for (int64_t j = 0; j < n; j++) values[j] = found[j];
    return PV_OK;
}

const pv_dense_ops pv_dense_ops_cuda = {
    .name = "cublas",
    .kernels = kernels,
    .open = open,
    .close = close,
    .gemm = gemm,
    .trsm_right = trsm_right,
    .potrf = potrf,
    .heevd = heevd,
    .copy = copy,
};
