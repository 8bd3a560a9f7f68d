# SPDX-License-Identifier: Apache-2.0
# Libraries of others, and the settings of every compilation. A library that only one layer needs is looked for when
# that layer has sources.
find_package(MPI REQUIRED COMPONENTS C)
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
pkg_check_modules(FFTW3 REQUIRED IMPORTED_TARGET fftw3)
pkg_check_modules(FFTW3F REQUIRED IMPORTED_TARGET fftw3f)

# Several MPIs may be installed side by side: the launcher must be of the one that is linked.
include(CheckSymbolExists)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
check_symbol_exists(OPEN_MPI mpi.h PV_MPI_IS_OPENMPI)
check_symbol_exists(MPICH_VERSION mpi.h PV_MPI_IS_MPICH)
unset(CMAKE_REQUIRED_LIBRARIES)
if(PV_MPI_IS_OPENMPI)
  find_program(PV_MPIEXEC NAMES mpiexec.openmpi orterun ${MPIEXEC_EXECUTABLE} mpiexec REQUIRED)
elseif(PV_MPI_IS_MPICH)
  find_program(PV_MPIEXEC NAMES mpiexec.mpich mpiexec.hydra ${MPIEXEC_EXECUTABLE} mpiexec REQUIRED)
else()
  find_program(PV_MPIEXEC NAMES ${MPIEXEC_EXECUTABLE} mpiexec REQUIRED)
endif()

function(pv_has_sources layer answer)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.c)
  if(sources)
    set(${answer} TRUE PARENT_SCOPE)
  else()
    set(${answer} FALSE PARENT_SCOPE)
  endif()
endfunction()

pv_has_sources(linalg has_linalg)
if(has_linalg)
  pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
  pkg_check_modules(LAPACKE REQUIRED IMPORTED_TARGET lapacke)
  set(PV_LINALG_LIBRARIES PkgConfig::LAPACKE PkgConfig::OPENBLAS)
endif()

# Checkpoints. Of a distribution's builds for several MPIs the one for ours, or one without MPI: one rank writes.
set(PV_HDF5 OFF)
pv_has_sources(io has_io)
if(has_io)
  set(hdf5_modules hdf5-serial)
  if(PV_MPI_IS_OPENMPI)
    list(PREPEND hdf5_modules hdf5-openmpi)
  elseif(PV_MPI_IS_MPICH)
    list(PREPEND hdf5_modules hdf5-mpich)
  endif()
  pkg_search_module(HDF5_OF_MPI IMPORTED_TARGET ${hdf5_modules})
  if(HDF5_OF_MPI_FOUND)
    set(PV_HDF5 ON)
    set(PV_IO_LIBRARIES PkgConfig::HDF5_OF_MPI)
  else()
    message(STATUS "HDF5 for this MPI is not there (${hdf5_modules}): checkpoints are left out")
  endif()
  pkg_check_modules(LIBPNG REQUIRED IMPORTED_TARGET libpng)
  list(APPEND PV_IO_LIBRARIES PkgConfig::LIBPNG)
endif()

pv_has_sources(dft has_dft)
if(has_dft)
  pkg_check_modules(SPGLIB REQUIRED IMPORTED_TARGET spglib)
  set(PV_DFT_LIBRARIES PkgConfig::SPGLIB)
  if(PV_TESTS)
    pkg_check_modules(LIBXC REQUIRED IMPORTED_TARGET libxc) # a witness
  endif()
endif()

# What the nodes are made of, for `parseval launch` and `parseval info`.
set(PV_HWLOC OFF)
pkg_check_modules(HWLOC IMPORTED_TARGET hwloc>=2.3)
if(HWLOC_FOUND)
  set(PV_HWLOC ON)
  set(PV_HWLOC_LIBRARIES PkgConfig::HWLOC)
else()
  message(STATUS "hwloc is not there: `parseval launch` and the topology in `parseval info` are left out")
endif()

add_library(pv_settings INTERFACE)
target_include_directories(pv_settings INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
target_compile_definitions(pv_settings INTERFACE _GNU_SOURCE)
target_compile_options(pv_settings INTERFACE $<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra;-ffp-contract=fast>
  # A loop that clang chose not to vectorise is no defect of the source; glibc gives CMPLX to what claims to be gcc 4.7.
  $<$<COMPILE_LANG_AND_ID:C,Clang>:-Wno-pass-failed;-fgnuc-version=4.7>
  # MPICH's MPI_STATUSES_IGNORE is the address 1, where gcc sees no room for statuses.
  $<$<AND:$<BOOL:${PV_MPI_IS_MPICH}>,$<COMPILE_LANG_AND_ID:C,GNU>>:-Wno-stringop-overflow>
  $<$<AND:$<BOOL:${PV_WERROR}>,$<COMPILE_LANGUAGE:C>>:-Werror>
  $<$<AND:$<BOOL:${PV_NATIVE}>,$<COMPILE_LANGUAGE:C>>:-march=native>)
if(PV_HDF5)
  target_compile_definitions(pv_settings INTERFACE PV_HAVE_HDF5=1)
endif()
if(PV_HWLOC)
  target_compile_definitions(pv_settings INTERFACE PV_HAVE_HWLOC=1)
endif()
if(PV_SANITIZE)
  target_compile_options(pv_settings INTERFACE
    -g1 -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
    # Checks as calls: unrolled kernels would take minutes to compile otherwise.
    $<$<COMPILE_LANG_AND_ID:C,GNU>:SHELL:--param asan-instrumentation-with-call-threshold=50>)
  target_link_options(pv_settings INTERFACE -fsanitize=address,undefined)
  target_compile_definitions(pv_settings INTERFACE PV_DEBUG)
endif()

if(PV_CUDA)
  set(CMAKE_CUDA_ARCHITECTURES 90 CACHE STRING "GPU architectures to compile for")
  find_package(CUDAToolkit REQUIRED)
  set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE} CACHE FILEPATH "nvcc")
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  enable_language(CUDA)
  # Compiles in a sixth of the time of -G.
  set(PV_CUDA_QUICK -G)
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    set(PV_CUDA_QUICK -Ofc=max)
  endif()
  target_compile_definitions(pv_settings INTERFACE PV_HAVE_CUDA=1)
  target_compile_options(pv_settings INTERFACE
    # Users of the static library link it as C, without the C++ runtime.
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Release>>:-lineinfo>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Debug>>:${PV_CUDA_QUICK}>
    $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;-Xcompiler=-Wall$<COMMA>-Wextra>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fno-threadsafe-statics$<COMMA>-fno-exceptions$<COMMA>-fno-rtti>
    $<$<AND:$<BOOL:${PV_WERROR}>,$<COMPILE_LANGUAGE:CUDA>>:SHELL:-Werror all-warnings>)
  set(PV_CUDA_LIBRARIES CUDA::cudart)
  set(PV_CUFFT_LIBRARIES CUDA::cufft)
  set(PV_CUSOLVER_LIBRARIES CUDA::cublas CUDA::cusolver)

  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR})
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    set(PV_NCCL ON)
    set(PV_NCCL_LIBRARIES ${NCCL_LIBRARY})
    target_compile_definitions(pv_settings INTERFACE PV_HAVE_NCCL=1)
  else()
    message(STATUS "NCCL is not there: the transport nccl is left out")
  endif()
endif()
