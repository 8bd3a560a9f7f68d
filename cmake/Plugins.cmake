# SPDX-License-Identifier: Apache-2.0
# What is opened at run time, because its licence or its absence keeps it out of the library: libparseval_nvshmem.so,
# built where NVSHMEM is found. -DNVSHMEM_HOME=FOLDER (or the variable of the environment) names it; Python's package is
# found by itself. Target plugins makes what there is.
add_custom_target(plugins)
if(PV_CUDA)
  find_package(Python3 COMPONENTS Interpreter QUIET)
  if(Python3_FOUND)
    execute_process(COMMAND ${Python3_EXECUTABLE} -c "import nvidia.nvshmem as n; print(list(n.__path__)[0])"
      OUTPUT_VARIABLE nvshmem_of_python OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  set(nvshmem_hints ${NVSHMEM_HOME} $ENV{NVSHMEM_HOME} ${nvshmem_of_python})
  find_path(NVSHMEM_INCLUDE_DIR nvshmem.h HINTS ${nvshmem_hints} PATH_SUFFIXES include)
  find_library(NVSHMEM_HOST_LIBRARY NAMES nvshmem_host libnvshmem_host.so.3 HINTS ${nvshmem_hints} PATH_SUFFIXES lib)
  find_library(NVSHMEM_DEVICE_LIBRARY NAMES nvshmem_device HINTS ${nvshmem_hints} PATH_SUFFIXES lib)
  if(NVSHMEM_INCLUDE_DIR AND NVSHMEM_HOST_LIBRARY AND NVSHMEM_DEVICE_LIBRARY)
    add_library(parseval_nvshmem MODULE src/comm/nvshmem/plugin/plugin.cu)
    target_include_directories(parseval_nvshmem PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_include_directories(parseval_nvshmem SYSTEM PRIVATE ${NVSHMEM_INCLUDE_DIR})
    target_link_libraries(parseval_nvshmem PRIVATE ${NVSHMEM_HOST_LIBRARY} ${NVSHMEM_DEVICE_LIBRARY} CUDA::cuda_driver)
    set_target_properties(parseval_nvshmem PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_RESOLVE_DEVICE_SYMBOLS ON
      CUDA_VISIBILITY_PRESET hidden LINKER_LANGUAGE CUDA)
    add_dependencies(plugins parseval_nvshmem)
    install(TARGETS parseval_nvshmem LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  else()
    message(STATUS "NVSHMEM is not there: its plug-in is left out")
  endif()
endif()
